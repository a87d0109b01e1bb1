import Domain
import Testing

@Suite struct ReportTests {
    @Test("words keep line feeds, come in NFC, and may be 500 characters") func words() throws {
        #expect(try ReportWords("e\u{301}\n\tb", field: "text").description == "\u{e9}\n\tb")
        #expect(try ReportWords(String(repeating: "ö", count: 500), field: "text").description.count == 500)
    }

    @Test(
        "words that are none, too many, or hold controls are refused",
        arguments: [
            "", String(repeating: "a", count: 501), "a\0b", "a\u{1b}[2J", "a\u{202e}b", "a\u{fffe}",
            String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 400), String(repeating: "a\u{301}", count: 1 << 18),
        ]
    ) func refused(text: String) { #expect(throws: FieldError.self) { try ReportWords(text, field: "text") } }
}
