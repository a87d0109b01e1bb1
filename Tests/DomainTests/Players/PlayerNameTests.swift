import Domain
import TestDice
import Testing

@Suite struct PlayerNameTests {
    private static let family = "👩‍👩‍👧‍👦"  // 7 code points, 25 bytes
    private static let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"

    private func refusal(_ text: String) -> FieldError? {
        do throws(FieldError) {
            _ = try PlayerName(text, field: "nick")
            return nil
        } catch { return error }
    }

    private func isGood(_ text: String) -> Bool { refusal(text) == nil }

    @Test(
        "what a person can see is a name",
        arguments: [
            "Ann", "q", "0", "null", "Tom & Jerry", "100%", "<b>", "admin'--", "Zoë", "אבג", "مرحبا", "ไทย", "क्षि", "日本語",
            "ﷺ", "İ", "ß", "\u{FFFD}", "two  spaces", " edges ", "👍🏿", "❤️", "1️⃣", "🇩🇪🇫🇷", "👩🏻‍❤️‍💋‍👨🏿", "a\u{200B}b", "नम\u{200D}स्ते",
            "\u{301}",
        ]) func good(text: String)
    { #expect(isGood(text)) }

    @Test("a name is kept in the one form of names, and otherwise as it was sent") func nfc() throws {
        for (sent, kept) in [
            ("Zoe\u{308}", "Zo\u{EB}"), ("\u{212B}", "\u{C5}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("ﬀ Ａ", "ﬀ Ａ"), (" a  b ", "a b"),
            ("Mar\u{AD}lene\u{A0}", "Marlene"),
        ] { #expect(Array(try PlayerName(sent, field: "nick").description.utf8) == Array(kept.utf8)) }
        #expect(try PlayerName("Zoe\u{308}", field: "nick") == PlayerName("Zo\u{EB}", field: "name"))
    }

    @Test("rare scripts are composed and sorted as Unicode says, and nothing is lost") func rareNFC() throws {
        // The expected values are those of Python's unicodedata.
        for (sent, kept) in [
            ("\u{1113}\u{116A}", "\u{1113}\u{116A}"), ("\u{110A}\u{1176}\u{11B3}", "\u{110A}\u{1176}\u{11B3}"),
            ("\u{1100}\u{1161}\u{11A7}", "\u{AC00}\u{11A7}"), ("\u{AC00}\u{11A8}", "\u{AC01}"),
            ("\u{33D}\u{361}\u{F75}", "\u{F71}\u{F74}\u{33D}\u{361}"), ("q\u{328}\u{F73}", "q\u{F71}\u{F72}\u{328}"),
            ("\u{F40}\u{F81}", "\u{F40}\u{F71}\u{F80}"), ("\u{915}\u{93C}", "\u{915}\u{93C}"),
            ("\u{958}", "\u{915}\u{93C}"), ("\u{1D15E}", "\u{1D157}\u{1D165}"), ("\u{F900}", "\u{8C48}"),
            ("\u{9C7}\u{9BE}", "\u{9CB}"), ("\u{11131}\u{11127}", "\u{1112E}"), ("\u{344}", "\u{308}\u{301}"),
            ("\u{3B1}\u{345}\u{301}", "\u{1FB4}"),
        ] {
            #expect(Array(try PlayerName(sent, field: "nick").description.unicodeScalars) == Array(kept.unicodeScalars))
        }
    }

    @Test("a name has 1 to 32 characters as a person counts them") func characters() {
        for character in ["q", "😀", "é", "e\u{301}", "x\u{323}", "🇩🇪", Self.family, Self.scotland, "👍🏿", "한", "क्षि"] {
            #expect(isGood(character))
            #expect(isGood(String(repeating: character, count: 32)), "\(character)")
            #expect(
                refusal(String(repeating: character, count: 33))?.description.contains("too long") == true,
                "\(character)")
        }
        #expect(refusal("")?.description.contains("empty") == true)
    }

    @Test("a name has at most 256 code points, and so 1,024 bytes, in however few characters") func codePoints() {
        let tinted = "👨🏻‍👩🏻‍👧🏻‍👦🏻"  // 11 code points
        #expect(tinted.count == 1 && tinted.unicodeScalars.count == 11)
        #expect(isGood(String(repeating: tinted, count: 23) + "qqq"))
        #expect(!isGood(String(repeating: tinted, count: 23) + "qqqq"))
        let swatch = "👍" + String(repeating: "\u{1F3FF}", count: 7)
        let widest = String(repeating: swatch, count: 32)
        #expect(widest.count == 32 && widest.unicodeScalars.count == 256 && widest.utf8.count == 1_024)
        #expect(isGood(widest))
        #expect(refusal(widest + "\u{1F3FF}")?.description.contains("too long") == true)
    }

    @Test("limits hold for the composed name, so a decomposed one is not too long for its marks") func limitsAfterNFC()
    {
        let decomposed = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 32)
        #expect(isGood(decomposed))
        #expect(isGood("q" + "e\u{302}\u{301}\u{323}\u{331}\u{332}"), "ệ with 3 marks left")
    }

    @Test("a text of a whole body is refused as too long") func huge() {
        for unit in ["a", "\u{301}", "\u{202E}", "😀"] {
            #expect(
                refusal(String(repeating: unit, count: 262_144 / unit.utf8.count))?.description.contains("too long")
                    == true)
        }
    }

    @Test(
        "4 combining marks may stand in a row, and a fifth may not",
        arguments: ["\u{316}", "\u{20DD}", "\u{903}", "\u{1D165}"]) func marks(mark: String)
    {
        let four = String(repeating: mark, count: 4)
        #expect(isGood("q" + four))
        #expect(isGood("q" + four + "q" + four), "each letter has its own")
        #expect(refusal("q" + four + mark)?.description.contains("combining marks") == true)
        #expect(refusal("qq" + four + mark + "q")?.description.contains("combining marks") == true)
    }

    @Test(
        "a pile of marks is one pile across what nobody sees",
        arguments: ["\u{200D}", "\u{200C}", "\u{2060}", "\u{AD}", "\u{34F}"]) func hiddenMarks(joiner: String)
    {
        #expect(!isGood("q\u{316}\u{316}\u{316}\u{316}" + joiner + "\u{316}\u{316}"))
        #expect(isGood("q\u{316}" + joiner + "\u{316}\u{316}"))
    }

    @Test("refused code points are exactly the ones of the contract") func everyScalar() {
        let refused: [ClosedRange<UInt32>] = [
            0x0...0x1F, 0x7F...0x9F,  // controls
            0x2028...0x2029,  // line and paragraph separator
            0x61C...0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,  // bidi controls
            // non-characters
            0xFDD0...0xFDEF, 0xFFFE...0xFFFF, 0x1FFFE...0x1FFFF, 0xEFFFE...0xEFFFF, 0xFFFFE...0xFFFFF,
            0x10FFFE...0x10FFFF, 0xE0000...0xE007F,  // tags
        ]
        let looked: [ClosedRange<UInt32>] = [
            0x0...0x33FF, 0xA000...0xABFF, 0xD7B0...0xE0FF, 0xF8F0...0x10400, 0x1CF00...0x1D3FF, 0x1F000...0x20010,
            0xE0000...0xE0200, 0xEFFF0...0xF0010, 0xFFFF0...0x100010, 0x10FFF0...0x10FFFF,
        ]
        for scalar in looked.joined().lazy.compactMap(Unicode.Scalar.init) {
            // What is not assigned is refused, unless it is ignored by default and so taken out.
            let isUnknown = scalar.properties.generalCategory == .unassigned
            let isRefused =
                refused.contains { $0.contains(scalar.value) }
                || isUnknown && !scalar.properties.isDefaultIgnorableCodePoint
            if isGood("q\(scalar)q") == isRefused { Issue.record("U+\(String(scalar.value, radix: 16))") }
        }
    }

    @Test("a refused code point is refused wherever it stands, and the sentence says which kind it is") func kinds() {
        for (scalar, word) in [
            ("\0", "control character"), ("\t", "control character"), ("\r\n", "control character"),
            ("\u{85}", "control character"), ("\u{2028}", "separator"), ("\u{2029}", "separator"),
            ("\u{FFFE}", "no character"), ("\u{1FFFE}", "no character"), ("\u{10FFFF}", "no character"),
            ("\u{378}", "too new"), ("\u{1C000}", "too new"), ("\u{3FFF0}", "too new"), ("\u{202E}", "direction"),
            ("\u{2066}", "direction"), ("\u{200F}", "direction"), ("\u{61C}", "direction"), ("\u{E0041}", "tag"),
            ("\u{E0001}", "tag"),
        ] {
            for text in [scalar, "q" + scalar, scalar + "q", "q" + scalar + "q"] {
                let error = refusal(text)
                #expect(error?.description.contains(word) == true, "\(text.debugDescription)")
                #expect(error?.kind == .field)
            }
        }
    }

    @Test("tags are good in a flag of a subdivision, and nowhere else") func tags() {
        #expect(isGood(Self.scotland))
        #expect(isGood("Mc" + Self.scotland + Self.scotland + "x"))
        #expect(isGood("🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}"), "Texas")
        #expect(isGood("🏴"))
        #expect(isGood("🏴‍☠️"))
        let gb = "\u{E0067}\u{E0062}"
        for text in [
            "q" + gb + "\u{E0073}\u{E007F}", "🏴" + gb + "\u{E0073}", "🏴" + gb + "\u{E0073}q", "🏴" + gb + "\u{E0073}🏴",
            "🏴\u{E007F}", "🏴q" + gb + "\u{E0073}\u{E007F}", "🏴" + gb + "\u{E007F}",
            "🏴\u{E0047}\u{E0042}\u{E0053}\u{E007F}", "🏴" + gb + "\u{E0020}\u{E0073}\u{E007F}",
            Self.scotland + "\u{E007F}", Self.scotland + gb, "🏳️" + gb + "\u{E0073}\u{E007F}",
            "🏴" + String(repeating: "\u{E0061}", count: 8) + "\u{E007F}", "🏴\u{FE0F}" + gb + "\u{E0073}\u{E007F}",
        ] { #expect(refusal(text)?.description.contains("tag") == true, "\(text.debugDescription)") }
    }

    @Test(
        "a name that shows nothing is refused, and one visible character mends it",
        arguments: [
            " ", "   ", "\u{A0}\u{3000}", "\u{200B}", "\u{200B}\u{200D}\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}",
            "\u{FE0F}", "\u{3164}", "\u{115F}\u{1160}", "\u{FFA0}", "\u{2800}", " \u{2800} ", "\u{180E}", "\u{17B4}",
            "\u{E0100}", "\u{1D159}", "\u{1D173}", "\u{FFF9}", "\u{13441}", "\u{16FE4}", "\u{FFFC}", "\u{E000}",
            "\u{E415}\u{E056}", "\u{F8FF}", "\u{F0000}", "\u{10FFFD}",
        ]) func invisible(text: String)
    {
        #expect(refusal(text)?.description.contains("shows nothing") == true)
        #expect(isGood("q" + text))
    }

    @Test("private-use characters stay beside visible ones: 2009 phones typed their emoji so") func privateUse() throws
    {
        for text in ["Zoë\u{E415}\u{E056}", "\u{F8FF}q", "q\u{F0000}q", "\u{10FFFD} q"] {
            #expect(Array(try PlayerName(text, field: "nick").description.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test("a name is not told from a reserved one by boxes") func boxes() {
        for text in ["Anonymous\u{E000}", "\u{F8FF}A former player", "Anony\u{E415}mous\u{FFFC}"] {
            #expect(refusal(text)?.kind == .nameRefused)
        }
    }

    @Test(
        "what looks like a reserved name is refused as such",
        arguments: [
            "Anonymous", "anonymous", "ANONYMOUS", " Anonymous ", "A n o n y m o u s", "Anonymous.", "\"Anonymous\"",
            "`Anonymous`", "Ａｎｏｎｙｍｏｕｓ", "Änönymöüs", "Anonymous\u{200B}", "Anony\u{AD}mous", "Anonymous\u{2800}",
            "Anon\u{3164}ymous", "A\u{336}n\u{336}onymous", "An\u{43E}nym\u{43E}us", "\u{410}\u{41F}onymous",
            "An0nym0us", "Anonyrnous", "\u{391}\u{39D}\u{39F}\u{39D}\u{3A5}\u{39C}\u{39F}US", "𝓐𝓷𝓸𝓷𝔂𝓶𝓸𝓾𝓼", "Ⓐⓝⓞⓝⓨⓜⓞⓤⓢ",
            "🅐🅝🅞🅝🅨🅜🅞🅤🅢", "🅰🅽🅾🅽🆈🅼🅾🆄🆂", "ᴀɴᴏɴʏᴍᴏᴜꜱ", "An\u{585}nym\u{585}us", "Anonymou\u{455}", "A former player",
            "a FORMER Player", "AFormerPlayer", "A-former_player", "A former p1ayer", "A former pIayer",
            "A f\u{3BF}rmer player", "\u{410} f\u{43E}rm\u{435}r \u{440}l\u{430}\u{443}\u{435}r",
            "A\u{A0}former\u{3000}player",
        ]) func reserved(text: String)
    { #expect(refusal(text)?.kind == .nameRefused) }

    @Test(
        "a name that only begins or sounds like a reserved one is good",
        arguments: [
            "Anonymouse", "Anon", "Anonymous 2", "Anonymous 👻", "Former player", "A former players' club",
            "A farmer player", "Аноним",
        ]) func notReserved(text: String)
    { #expect(isGood(text)) }

    /// The text without what a name's form may drop.
    private func seen(_ text: String) -> String {
        var seen = String.UnicodeScalarView()
        for scalar in text.unicodeScalars
        where !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace && scalar != "\u{2800}"
        { seen.append(scalar) }
        return String(seen)
    }

    @Test("an error names the field, ends as a sentence and never repeats what was sent") func errors() {
        let secret = "zqzq"
        for text in [
            secret + "\u{202E}", secret + "\0", secret + "\u{FFFE}", String(repeating: secret, count: 9),
            secret + "q\u{316}\u{316}\u{316}\u{316}\u{316}",
        ] {
            let error = refusal(text)
            #expect(error?.field == "nick")
            #expect(error?.description.last == ".")
            #expect(error?.description.contains(secret) == false)
        }
    }

    @Test(
        "names of random code points are refused or kept in NFC, and what is kept is good again",
        arguments: Dice.seeds(8)) func fuzz(seed: UInt64) throws
    {
        var dice = Dice(seed: seed)
        let pools: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x300...0x36F, 0x370...0x4FF, 0x900...0xDFF, 0x1100...0x11FF, 0x1F300...0x1F6FF, 0xA0...0xFFFF,
        ]
        var kept = 0
        for _ in 0..<3_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...60, using: &dice) {
                let pool = pools[Int.random(in: 0..<pools.count, using: &dice)]
                if let scalar = Unicode.Scalar(UInt32.random(in: pool, using: &dice)) { text.append(scalar) }
            }
            guard isGood(String(text)) else { continue }
            kept += 1
            let name = try PlayerName(String(text), field: "nick")
            #expect(
                Array(try PlayerName(name.description, field: "nick").description.utf8) == Array(name.description.utf8))
            #expect((1...32).contains(name.description.count))
            // The standard library's `==` does not sort these three vowels.
            if Set(text).isDisjoint(with: ["\u{F73}", "\u{F75}", "\u{F81}"]) {
                #expect(seen(name.description) == seen(String(text)), "canonically the same")
            }
        }
        #expect((300...2_700).contains(kept), "both kinds are met")
    }
}
