import Domain
import TestDice
import Testing

@Suite struct NameFormTests {
    private func form(_ text: String) -> [Unicode.Scalar] { Array(text.nameForm.unicodeScalars) }

    @Test(
        "white space at the ends goes, and between words it is one space",
        arguments: [
            "Marlene Dee ", "  Marlene  Dee", "Marlene\u{A0}Dee", "Marlene\u{3000}\u{2003}Dee", "Marlene \u{3164} Dee",
            "\u{2800}Marlene\u{2800}Dee", "Marlene\u{200B} \u{200B}Dee\u{FEFF}", "Mar\u{AD}lene Dee",
            "Mar\u{200B}lene\u{2060} Dee", "M\u{200D}arlene\u{200C} Dee\u{200D}", "Marlene Dee\u{FE0F}",
            "M\u{34F}arlene Dee\u{E0100}", "\u{200D} Marlene\u{115F} \u{180E}Dee",
        ]) func same(text: String)
    {
        #expect(form(text) == form("Marlene Dee"), "\(text.debugDescription)")
        #expect(text.nameForm == "Marlene Dee")
    }

    @Test(
        "a joiner stays where it joins, and a selector where it selects",
        arguments: [
            "👩‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👨🏿", "🏴‍☠️", "🏳️‍🌈", "❤️", "1️⃣", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            // Persian, with a letter that a joiner shapes; Hindi, Sinhala, Bengali, Malayalam.
            "می\u{200C}خواهم", "ه\u{200D}", "\u{200D}ه", "क्\u{200D}ष", "क्\u{200C}ष", "ශ්\u{200D}රී", "র\u{200D}্য",
            "അവന്\u{200D}", "葛\u{E0100}", "ᠠ\u{180B}", "ᠠ\u{180E}ᠠ", "\u{115F}\u{1161}", "\u{1100}\u{1160}",
        ]) func meant(text: String)
    {
        #expect(form(text) == Array(text.unicodeScalars), "\(text.debugDescription)")
        #expect(form(" \(text)\u{AD} ") == Array(text.unicodeScalars), "\(text.debugDescription)")
    }

    @Test("a joiner goes that has nothing to join, or has joined already") func idle() {
        for (sent, kept) in [
            ("می\u{200C}", "می"), ("\u{200C}می", "می"), ("👩\u{200D}", "👩"), ("a\u{200D}👩", "a👩"), ("👩\u{200D}1", "👩1"),
            ("क्\u{200D}\u{200D}ष", "क्\u{200D}ष"), ("می\u{200C}\u{200C}خ", "می\u{200C}خ"), ("می\u{200C} خ", "می خ"),
            ("7\u{FE0F}", "7"), ("7\u{FE0F}\u{AD}7", "77"),
        ] { #expect(form(sent) == Array(kept.unicodeScalars), "\(sent.debugDescription)") }
    }

    @Test("what makes a name be refused stays in it") func refused() {
        for scalar: Unicode.Scalar in ["\t", "\n", "\u{2028}", "\u{202E}", "\u{200F}", "\u{61C}", "\u{E0041}"] {
            #expect(form("a\(scalar)b").contains(scalar))
        }
    }

    @Test(
        "the form of a form is itself, for random texts of what is dropped and what is kept", arguments: Dice.seeds(8))
    func idempotent(seed: UInt64) {
        var dice = Dice(seed: seed)
        let scalars: [Unicode.Scalar] = [
            " ", "\u{A0}", "\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{34F}", "\u{FE0F}", "\u{FE0E}", "\u{2060}",
            "\u{180B}", "\u{115F}", "\u{1160}", "\u{1161}", "\u{11A8}", "\u{1100}", "\u{E0100}", "\u{20E3}", "\u{301}",
            "\u{323}", "\u{F73}", "e", "1", "#", "👩", "❤", "\u{1F3FF}", "م", "ی", "क", "\u{94D}", "葛", "ᠠ", "\u{3164}",
        ]
        for _ in 0..<5_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...9, using: &dice) {
                text.append(scalars[Int.random(in: 0..<scalars.count, using: &dice)])
            }
            let once = String(text).nameForm
            #expect(form(once) == Array(once.unicodeScalars), "\(String(text).debugDescription)")
            #expect(once.first != " " && once.last != " " && !once.contains("  "))
        }
    }
}
