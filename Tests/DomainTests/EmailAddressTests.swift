import Domain
import Testing

@Suite struct EmailAddressTests {
    private func isGood(_ text: String) -> Bool { (try? EmailAddress(text, field: "email"))?.text == text }

    @Test(
        "something before and after the last @ could be an address",
        arguments: [
            "a@b", "name@example.org", "a+b@c.d", "\"a@b\"@c", "o'hara@x.ie", "zoë@exämple.de", "用户@例子.中国",
            "a@[192.0.2.1]", "@@b",
        ]
    )
    func good(text: String) {
        #expect(isGood(text))
    }

    @Test(
        "what cannot be an address is refused",
        arguments: [
            "", "@", "a", "a@", "@b", "a@b@", "a b@c", "a@b ", " a@b", "a@b\n", "a@b\r\nBcc: c@d", "a\0@b", "a@b\u{7F}",
            "a@b\u{85}",
            "a\u{A0}@b", "a@b\u{2028}",
            "a\u{3000}@b",
        ]
    )
    func bad(text: String) {
        #expect(throws: FieldError.self) { try EmailAddress(text, field: "email") }
    }

    @Test("an address has at most 254 bytes")
    func length() {
        let domain = "@example.org"
        #expect(isGood(String(repeating: "a", count: 254 - domain.utf8.count) + domain))
        #expect(!isGood(String(repeating: "a", count: 255 - domain.utf8.count) + domain))
        #expect(!isGood(String(repeating: "é", count: 127) + domain))
    }

    @Test("the error names the field and does not repeat the address")
    func error() throws {
        let error = try #require(throws: FieldError.self) { try EmailAddress("secret name", field: "mail") }
        #expect(error.field == "mail")
        #expect(error.kind == .field)
        #expect(!error.description.contains("secret"))
    }
}
