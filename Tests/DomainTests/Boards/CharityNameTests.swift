import Domain
import Testing

@Suite struct CharityNameTests {
    private func name(_ text: String) throws -> String { try #require(CharityName(text, field: "charity").folded) }

    private func folded(_ text: String) throws -> [UInt8] { Array(try name(text).utf8) }

    @Test("spellings of one name fold to the same bytes") func same() throws {
        let groups = [
            [
                "Save the Whales", "save the whales", "SAVE THE WHALES", "  Save\tthe \n Whales ",
                "Save\u{A0}the\u{3000}Whales",
            ], ["Öffnung", "O\u{308}ffnung", "öffnung", "ÖFFNUNG"],
            ["Straßenkinder", "STRASSENKINDER", "STRAẞENKINDER", "strassenkinder"], ["Ο Λόγος", "Ο ΛΌΓΟΣ", "ο λόγοσ"],
            ["J\u{30C}", "\u{1F0}", "j\u{30C}"],
            ["\u{1FB3}\u{301}", "\u{3B1}\u{301}\u{345}", "\u{1FB4}", "\u{391}\u{301}\u{345}"],
            ["q\u{307}\u{323}", "q\u{323}\u{307}"],
        ]
        for group in groups { for text in group { #expect(try folded(text) == folded(group[0]), "\(text)") } }
    }

    @Test("a folded name is lower case in NFC with single spaces, and folds to itself") func form() throws {
        #expect(try name(" A  & B <\"'> Öffnung 👍 ") == "a & b <\"'> öffnung 👍")
        #expect(try folded("O\u{308}ffnung") == Array("\u{F6}ffnung".utf8), "in NFC")
        #expect(try folded("J\u{30C}") == Array("\u{1F0}".utf8), "in NFC, also what only lower case has composed")
        let texts = [
            "Save the Whales", "ÖFFNUNG", "Straße", "ΛΟΓΟΣ", "İstanbul", "\u{1FB4}", "ŉ", "🏴‍☠️ X", "", "z\n\u{338} x",
        ]
        for text in texts {
            let once = try name(text)
            #expect(try folded(once) == Array(once.utf8), "\(text)")
        }
    }

    @Test("different names stay different: marks, punctuation and words count") func different() throws {
        let names = ["Red Cross", "RedCross", "Red-Cross", "Red Crôss", "Red Cross.", "Red", "Rеd Cross"]
        #expect(Set(try names.map(name)).count == names.count)
    }

    @Test("nothing but spaces folds to nothing") func empty() throws {
        for text in ["", " ", "\t\r\n\u{3000}"] { #expect(try name(text).isEmpty) }
    }

    @Test("the text is kept as it was written") func text() throws {
        #expect(try CharityName("  Save The  Whales", field: "charity").text == "  Save The  Whales")
    }

    @Test("a text that is too long makes no name, so nothing can fold it") func tooLong() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        let error = #expect(throws: FieldError.self) { try CharityName(marks, field: "charity") }
        #expect(error?.field == "charity")
        let longest = String(repeating: "\u{301}", count: Limits.displayNameBytesMax / 2)
        #expect(try name(longest).utf8.count == Limits.displayNameBytesMax)
        #expect(throws: FieldError.self) { try CharityName(longest + "a", field: "charity") }
    }

    @Test("a charity that is named by its slug has no other spelling") func slug() throws {
        #expect(CharityName(try #require(Slug("whales"))).folded == nil)
    }
}
