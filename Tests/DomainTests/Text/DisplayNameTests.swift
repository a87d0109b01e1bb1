import Domain
import Testing

@Suite struct DisplayNameTests {
    @Test("a name shows something: a letter, digit or symbol", arguments: ["Trees for All", "7", "🌳", "木", "→", "é"])
    func good(text: String) { #expect(DisplayName(text)?.description == text) }

    @Test(
        "what shows nothing, or only boxes, is no name",
        arguments: [
            "", " ", "\u{200B}", "\u{3164}", "\u{2800}", "...", "\u{E000}", "\u{F8FF} \u{E415}", "\u{10FFFD}",
            "\u{FFFC}",
        ]
    ) func invisible(text: String) {
        #expect(DisplayName(text) == nil)
        #expect(DisplayName("q" + text) != nil)
    }

    @Test(
        "no name has a control, or a code point without a character",
        arguments: ["\t", "\n", "\u{85}", "\u{2028}", "\u{202E}", "\u{FFFE}", "\u{1FFFF}", "\u{378}", "\u{1C000}"]
    ) func refused(text: String) {
        for text in [text, "q" + text, text + "q", "q" + text + "q"] { #expect(DisplayName(text) == nil) }
    }
}
