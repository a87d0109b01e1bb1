import Domain
import Testing

@Suite struct CountryCodeTests {
    @Test("two letters are kept in upper case", arguments: ["NZ", "nz", "Nz", "nZ"]) func taken(text: String) throws {
        #expect(try CountryCode(text, field: "country").text == "NZ")
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "N", "NZL", "N1", "1", "64", "  ", "n ", "@@", "[[", "``", "{{", "é", "ß", "ÅÄ", "\u{212A}", "A\0",
        ]
    ) func refused(text: String) {
        let error = #expect(throws: FieldError.self) { try CountryCode(text, field: "country") }
        #expect(error?.field == "country")
    }
}
