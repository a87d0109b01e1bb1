import Domain
import Testing

@Suite struct CharityNameTests {
    private func folded(_ text: String) -> [UInt8] { Array(CharityName(text).folded.utf8) }

    @Test("spellings of one name fold to the same bytes")
    func same() {
        let groups = [
            [
                "Save the Whales", "save the whales", "SAVE THE WHALES", "  Save\tthe \n Whales ",
                "Save\u{A0}the\u{3000}Whales",
            ],
            ["Öffnung", "O\u{308}ffnung", "öffnung", "ÖFFNUNG"],
            ["Straßenkinder", "STRASSENKINDER", "STRAẞENKINDER", "strassenkinder"],
            ["Ο Λόγος", "Ο ΛΌΓΟΣ", "ο λόγοσ"],
            ["J\u{30C}", "\u{1F0}", "j\u{30C}"],
            ["\u{1FB3}\u{301}", "\u{3B1}\u{301}\u{345}", "\u{1FB4}", "\u{391}\u{301}\u{345}"],
            ["q\u{307}\u{323}", "q\u{323}\u{307}"],
        ]
        for group in groups {
            for text in group { #expect(folded(text) == folded(group[0]), "\(text)") }
        }
    }

    @Test("a folded name is lower case in NFC with single spaces, and folds to itself")
    func form() {
        #expect(CharityName(" A  & B <\"'> Öffnung 👍 ").folded == "a & b <\"'> öffnung 👍")
        #expect(folded("O\u{308}ffnung") == Array("\u{F6}ffnung".utf8), "in NFC")
        #expect(folded("J\u{30C}") == Array("\u{1F0}".utf8), "in NFC, also what only lower case has composed")
        for text in ["Save the Whales", "ÖFFNUNG", "Straße", "ΛΟΓΟΣ", "İstanbul", "\u{1FB4}", "ŉ", "🏴‍☠️ X", ""] {
            let once = CharityName(text).folded
            #expect(folded(once) == Array(once.utf8), "\(text)")
        }
    }

    @Test("different names stay different: marks, punctuation and words count")
    func different() {
        let names = ["Red Cross", "RedCross", "Red-Cross", "Red Crôss", "Red Cross.", "Red", "Rеd Cross"]
        #expect(Set(names.map { CharityName($0).folded }).count == names.count)
    }

    @Test("nothing but spaces folds to nothing")
    func empty() {
        for text in ["", " ", "\t\r\n\u{3000}"] { #expect(CharityName(text).folded.isEmpty) }
    }

    @Test("the text is kept as it was written")
    func text() {
        #expect(CharityName("  Save The  Whales").text == "  Save The  Whales")
    }
}
