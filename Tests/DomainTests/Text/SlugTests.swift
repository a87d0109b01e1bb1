import Domain
import Testing

@Suite struct SlugTests {
    @Test("a slug is 1 to 63 of a-z, 0-9 and -, and does not begin with -") func good() {
        for text in [
            "a", "0", "high-scores", "a-", "a--b", "2009", "meme", "top-50", "default",
            String(repeating: "z", count: 63),
        ] { #expect(Slug(text)?.description == text) }
    }

    @Test(
        "what is no slug is nil",
        arguments: [
            "", "-", "-a", "A", "aB", "a_b", "a b", " a", "a ", "a.xml", "a/b", "..", "a%20b", "é", "e\u{301}", "ａ",
            "а", "a\u{301}", "a\0", "a\n", "٣", "\u{212A}", String(repeating: "z", count: 64),
        ]) func bad(text: String)
    { #expect(Slug(text) == nil) }

    @Test("the words that paths use themselves are no slugs", arguments: ["me", "top", "live", "overall"])
    func reserved(text: String) {
        #expect(Slug(text) == nil)
        #expect(Slug(text + "s") != nil)
    }

    @Test("a part of a path is read as it is") func substring() {
        #expect(Slug("boards/high-scores".split(separator: "/")[1]) == .highScores)
    }

    @Test("the known slugs are what they say; overall is one that nobody else can have") func known() {
        #expect(Slug("default") == .defaultGame)
        #expect(Slug("high-scores") == .highScores)
        #expect(Slug.overall.description == "overall")
    }
}

@Suite struct DisplayNameTests {
    @Test("a name shows something: a letter, digit or symbol", arguments: ["Trees for All", "7", "🌳", "木", "→", "é"])
    func good(text: String) { #expect(DisplayName(text)?.description == text) }

    @Test(
        "what shows nothing, or only boxes, is no name",
        arguments: [
            "", " ", "\u{200B}", "\u{3164}", "\u{2800}", "...", "\u{E000}", "\u{F8FF} \u{E415}", "\u{10FFFD}",
            "\u{FFFC}",
        ]) func invisible(text: String)
    {
        #expect(DisplayName(text) == nil)
        #expect(DisplayName("q" + text) != nil)
    }

    @Test(
        "no name has a control, or a code point without a character",
        arguments: ["\t", "\n", "\u{85}", "\u{2028}", "\u{202E}", "\u{FFFE}", "\u{1FFFF}", "\u{378}", "\u{1C000}"])
    func refused(text: String) {
        for text in [text, "q" + text, text + "q", "q" + text + "q"] { #expect(DisplayName(text) == nil) }
    }
}
