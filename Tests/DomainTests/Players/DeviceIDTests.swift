import Domain
import Testing

@Suite struct DeviceIDTests {
    private func isGood(_ text: String) -> Bool { (try? DeviceID(text, field: "phone"))?.text == text }

    @Test(
        "1 to 64 characters are a device id, as they are",
        arguments: [
            "x", "2b6f0cc904d137be2e1730235f5664094b831186", "{0-1:_.}", " a b ", "é", "📱", "(null)",
            String(repeating: "f", count: 64),
        ]
    ) func good(text: String) { #expect(isGood(text)) }

    @Test(
        "none, too many, or a control is refused",
        arguments: ["", "a\0", "\n", "a\u{7F}", "a\u{9F}b", String(repeating: "f", count: 65)]
    ) func bad(text: String) { #expect(throws: FieldError.self) { try DeviceID(text, field: "phone") } }

    @Test("64 characters have at most 256 bytes") func bytes() {
        #expect(isGood(String(repeating: "📱", count: 64)))
        #expect(!isGood("a" + String(repeating: "\u{301}", count: 128)))
        #expect(!isGood(String(repeating: "👩‍👩‍👧‍👦", count: 11)))
    }

    @Test("the error names the field and does not repeat the id") func error() throws {
        let error = try #require(throws: FieldError.self) { try DeviceID("secret\0", field: "iphone_udid") }
        #expect(error.field == "iphone_udid")
        #expect(!error.description.contains("secret"))
    }
}
