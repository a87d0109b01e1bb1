import Domain
import TestDice
import Testing

@Suite struct NameSkeletonTests {
    private func skeleton(_ name: String) -> String { NameSkeleton(of: name).description }

    @Test("case, marks, spaces, punctuation, invisible characters and compatibility forms are gone") func gone() {
        for name in [
            "Red Cross", "RED CROSS", "red  cross", "Red-Cross", "Red_Cross", "(Red) Cross!", "«Red» “Cross”",
            "Rēd Crøss".replacing("ø", with: "o"), "Red\u{200B}Cross", "Red\u{2800}Cross", "Ｒｅｄ　Ｃｒｏｓｓ", "𝐑𝐞𝐝 𝐂𝐫𝐨𝐬𝐬",
            "R\u{336}ed Cross", "Re\u{AD}d Cross", "\u{202E}Red Cross",
        ] { #expect(skeleton(name) == "redcross", "\(name)") }
    }

    @Test("a name in ASCII has the skeleton that it has beside a character that shows nothing") func ascii() {
        var dice = Dice(seed: 5)
        for _ in 0..<2_000 {
            let codes = (0..<Int.random(in: 0..<12, using: &dice)).map { _ in UInt8.random(in: 0..<0x80, using: &dice) }
            let name = String(decoding: codes, as: UTF8.self)
            #expect(NameSkeleton(of: name) == NameSkeleton(of: name + "\u{301}"), "\(name.debugDescription)")
            #expect(NameSkeleton(leet: name) == NameSkeleton(leet: name + "\u{301}"), "\(name.debugDescription)")
        }
    }

    @Test("letters that are drawn like a Latin one are that one") func lookAlikes() {
        let pairs: [(String, String)] = [
            ("\u{430}\u{3B1}\u{251}\u{1D00}", "a"), ("\u{432}\u{3B2}\u{44C}\u{299}", "b"), ("\u{441}\u{1D04}", "c"),
            ("\u{501}\u{1D05}", "d"), ("\u{435}\u{454}\u{3B5}\u{451}\u{1D07}", "e"), ("\u{A730}", "f"),
            ("\u{261}\u{262}", "g"), ("\u{4BB}\u{43D}\u{29C}", "h"),
            ("iIl1|\u{131}\u{406}\u{3B9}\u{4CF}\u{26A}\u{29F}\u{1C0}\u{457}", "l"), ("\u{458}\u{3F3}\u{1D0A}", "j"),
            ("\u{43A}\u{3BA}\u{1D0B}\u{212A}", "k"), ("mM\u{43C}\u{3BC}\u{B5}\u{1D0D}", "rn"),
            ("\u{43F}\u{3B7}\u{578}\u{274}", "n"), ("0\u{43E}\u{3BF}\u{3C3}\u{3C2}\u{585}\u{1D0F}", "o"),
            ("\u{440}\u{3C1}\u{1D18}", "p"), ("\u{51B}", "q"), ("\u{433}\u{280}", "r"),
            ("5\u{455}\u{A731}\u{17F}", "s"), ("\u{442}\u{3C4}\u{1D1B}", "t"), ("\u{3C5}\u{57D}\u{1D1C}", "u"),
            ("\u{475}\u{3BD}\u{1D20}", "v"), ("\u{51D}\u{1D21}", "w"), ("\u{445}\u{3C7}", "x"),
            ("\u{443}\u{4AF}\u{3B3}\u{28F}\u{45E}", "y"), ("\u{3B6}\u{1D22}", "z"),
        ]
        for (letters, latin) in pairs {
            for letter in letters { #expect(skeleton(String(letter)) == latin, "\(letter)") }
        }
    }

    @Test("Greek capitals beside other letters look as they are drawn, and Greek alone is one name in both cases")
    func greek() {
        #expect(skeleton("G\u{39D}U") == skeleton("GNU"))
        #expect(skeleton("\u{3A5}ou") == skeleton("You"))
        #expect(skeleton("\u{397}elp") == skeleton("Help"))
        #expect(skeleton("\u{3F9}are") == skeleton("Care"))
        #expect(skeleton("\u{3BD}et") == skeleton("vet"))
        #expect(skeleton("Υγεία Νίκη") == skeleton("ΥΓΕΙΑ ΝΙΚΗ"))
        #expect(skeleton("λόγος") == skeleton("ΛΟΓΟΣ"))
    }

    @Test(
        "letters of every script that Unicode says are drawn like Latin ones are these",
        arguments: [
            "Ꭲree Fund", "Tre℮ Fund", "Тrее Fund", "ᎢᏒᎬᎬ Fund", "Ŧree Funđ", "Tree Fun∂", "ꓔꓣꓰꓰ FUND", "ＴＲＥＥ ＦＵＮＤ",
            "₸ree Fund", "𝕋𝕣𝕖𝕖 Fund", "TREE ꓝꓴND", "Τrее Fսnd",
        ]) func confusables(name: String)
    { #expect(skeleton(name) == skeleton("Tree Fund"), "\(skeleton(name))") }

    @Test("leet spelling is read in the skeleton for refused words alone") func leet() {
        for name in ["D4RN", "d@rn", "D4rn!t", "ｄ４ｒｎ", "d\u{430}rn"] {
            #expect(NameSkeleton(leet: name).description.hasPrefix(skeleton("darn")), "\(name)")
        }
        #expect(NameSkeleton(leet: "$h!7 8ee") == NameSkeleton(of: "shit bee"))
        #expect(skeleton("Tr33") != skeleton("Tree"))
    }

    @Test("boxed and circled letters are letters") func boxed() {
        for name in ["Ⓐⓑⓩ", "🅐🅑🅩", "🅰🅱🆉", "🄰🄱🅉", "⒜⒝⒵"] { #expect(skeleton(name) == "abz", "\(name)") }
    }

    @Test("names in any case have one skeleton, also where a capital is two letters") func cases() {
        for name in [
            "Straße", "Éclair", "ﬁt", "Žižek", "Привет", "ЗАРЯ", "ФОНД ДЕТЯМ", "Ծով և Հող", "Տուն", "ǆ", "Łódź",
            "Ørsted",
        ] {
            #expect(skeleton(name) == skeleton(name.uppercased()), "\(name)")
            #expect(skeleton(name) == skeleton(name.lowercased()), "\(name)")
        }
    }

    @Test("names that a person tells apart have different skeletons") func apart() {
        let names = [
            "Red Cross", "Red Cross 2", "Green Cross", "Red Gross", "Save the Whales", "Save the Wales", "日本", "日木",
            "🐋", "🐳", "Öffnung", "Оффнунг!",
        ]
        #expect(Set(names.map(NameSkeleton.init(of:))).count == names.count)
    }

    @Test("the skeleton of a skeleton is itself, for every letter there is") func idempotent() {
        for scalar in (0x20...0x1FFFF).lazy.compactMap({ Unicode.Scalar(UInt32($0)) })
        where scalar.properties.isAlphabetic || scalar.value < 0x100 {
            if (0x3400...0xD7FF).contains(scalar.value) || (0x10800...0x1CFFF).contains(scalar.value) { continue }
            let once = skeleton(String(scalar))
            if skeleton(once) != once { Issue.record("U+\(String(scalar.value, radix: 16)): \(once)") }
        }
    }

    @Test("a name of nothing but punctuation has an empty skeleton, which is no reserved name's") func empty() {
        for name in ["", "-_-", "...", " ", "(^_^)"] {
            #expect(skeleton(name) == "", "\(name)")
            #expect(!NameSkeleton.reserved.contains(NameSkeleton(of: name)))
        }
    }

    @Test("a name knows its own skeleton") func ofAName() throws {
        #expect(try PlayerName("Réd Crоss", field: "name").skeleton == NameSkeleton(of: "Red Cross"))
    }
}
