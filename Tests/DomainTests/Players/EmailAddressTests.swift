import Domain
import Testing

@Suite struct EmailAddressTests {
    private func isGood(_ text: String) -> Bool { (try? EmailAddress(text, field: "email"))?.text == text }

    @Test(
        "something before and after the only @ could be an address",
        arguments: [
            "a@b", "name@example.org", "a+b@c.d", "o'hara@x.ie", "zoë@exämple.de", "用户@例子.中国", "a!b%c=d/e?f@x.y",
            "a.b-c_d@x.y", "a..b.@x.y", "ζ@مثال.إختبار", "e\u{301}@x.y",
        ]) func good(text: String)
    { #expect(isGood(text)) }

    @Test(
        "what cannot be an address is refused",
        arguments: [
            "", "@", "a", "a@", "@b", "a@b@", "a b@c", "a@b ", " a@b", "a@b\n", "a@b\r\nBcc: c@d", "a\0@b", "a@b\u{7F}",
            "a@b\u{85}", "a\u{A0}@b", "a@b\u{2028}", "a\u{3000}@b", "a@b..cc", "a@.b", "a@b.", "a@.", "@@b",
            "a@b@c.example", "\"a@b\"@c",
        ]) func bad(text: String)
    { #expect(throws: FieldError.self) { try EmailAddress(text, field: "email") } }

    @Test(
        "a list of addresses, an address with a name, and a comment are refused",
        arguments: [
            "a@b.example,c.example", "a@b;c", "<a@b>", "Ada<a@b>", "undisclosed:a@b", "a(b)@c", "\"a\"@b", "a\\b@c",
            "a@[192.0.2.1]", "mailto:a@b",
        ]) func several(text: String)
    { #expect(throws: FieldError.self) { try EmailAddress(text, field: "email") } }

    @Test(
        "what nobody sees is refused",
        arguments: [
            "a\u{200B}@b", "a\u{200D}@b", "\u{202E}a@b", "a@b\u{2066}", "a@\u{FEFF}b", "a\u{AD}@b", "a\u{E0041}@b",
            "a\u{FE0F}@b", "a\u{115F}@b", "a@b\u{E000}",
        ]) func invisible(text: String)
    { #expect(throws: FieldError.self) { try EmailAddress(text, field: "email") } }

    @Test("an address has at most 254 bytes") func length() {
        let domain = "@example.org"
        #expect(isGood(String(repeating: "a", count: 254 - domain.utf8.count) + domain))
        #expect(!isGood(String(repeating: "a", count: 255 - domain.utf8.count) + domain))
        #expect(!isGood(String(repeating: "é", count: 127) + domain))
    }

    @Test("the error names the field and does not repeat the address") func error() throws {
        let error = try #require(throws: FieldError.self) { try EmailAddress("secret name", field: "mail") }
        #expect(error.field == "mail")
        #expect(error.kind == .field)
        #expect(!error.description.contains("secret"))
    }
}
