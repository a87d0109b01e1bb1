import Foundation

/// A reduced form of a name: names that a person would confuse have the same skeleton. It drops compatibility forms,
/// case, marks, spaces, punctuation and invisible characters, and maps what looks like Latin letters to these (after
/// the idea of UTS #39, section 4, with the Latin part of its data).
package struct NameSkeleton: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(of name: String) {
        self = Self.read(name, Self.ascii).map(Self.init(description:)) ?? Self(ofAny: name)
    }

    private init(description: String) { self.description = description }

    private init(ofAny name: String) {
        var shown = String.UnicodeScalarView()
        for scalar in Self.unmasked(name).decomposedStringWithCompatibilityMapping.unicodeScalars
        where Self.counts(scalar) { shown.append(scalar) }
        self.description = Self.drawn(String(shown).caseFolded)
    }

    /// The skeleton of what a name says when it is read as leet spelling, in which `D4RN` and `d@rn` are one word. Many
    /// honest names have digits, so only words that a game refuses are looked for in it.
    package init(leet name: String) {
        if let plain = Self.read(name, Self.asciiLeet) {
            self.init(description: plain)
            return
        }
        var read = String.UnicodeScalarView()
        for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
            read.append(Self.leet[scalar] ?? scalar)
        }
        self.init(of: String(read))
    }

    /// The skeleton of each ASCII character, which does not depend on those beside it in a text that is all ASCII.
    private static let ascii = (0..<0x80).map { (code: UInt8) in
        NameSkeleton(ofAny: String(Unicode.Scalar(code))).description
    }

    private static let asciiLeet = (0..<0x80).map { (code: UInt8) in
        let scalar = Unicode.Scalar(code)
        return NameSkeleton(ofAny: String(leet[scalar] ?? scalar)).description
    }

    /// Looks up the characters of a text that is all ASCII, as most names are; nil for any other text.
    private static func read(_ name: String, _ skeletons: [String]) -> String? {
        var description = ""
        for byte in name.utf8 {
            guard byte < 0x80 else { return nil }
            description += skeletons[Int(byte)]
        }
        return description
    }

    /// Skeletons of the reserved names: no player may have such a name, nor one that looks like it.
    package static let reserved: Set<NameSkeleton> = [
        NameSkeleton(of: Standing.anonymousName), NameSkeleton(of: Standing.formerName),
    ]

    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.showsNothing { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .dashPunctuation, .connectorPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .modifierSymbol, .control:
            false
        default: true
        }
    }

    /// The name with Latin letters for what looks like them. A capital may look like another letter than its small
    /// form does: `Ν` looks like `N`, but `ν` like `v`. So a name whose letters are all Greek, Cyrillic or Armenian
    /// loses its case first, and both cases of it have one skeleton; any other name is taken as it is drawn.
    private static func unmasked(_ name: String) -> String {
        let letters = name.nfd
        let isOfOneScript = letters.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter:
                casedBlocks.contains { $0.contains(scalar.value) }
            default: true
            }
        }
        return drawn(isOfOneScript ? letters.caseFolded : letters)
    }

    /// Greek, Cyrillic and Armenian.
    private static let casedBlocks: [ClosedRange<UInt32>] = [
        0x370...0x58F, 0x1C80...0x1C8F, 0x1F00...0x1FFF, 0xA640...0xA69F,
    ]

    private static func drawn(_ text: String) -> String {
        var drawn = ""
        for scalar in text.unicodeScalars {
            if let likeness = likenesses[scalar] { drawn += likeness } else { drawn.unicodeScalars.append(scalar) }
        }
        return drawn
    }

    /// `0`, `1` and `5` are among the likenesses.
    private static let leet: [Unicode.Scalar: Unicode.Scalar] = [
        "3": "e", "4": "a", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i",
    ]

    /// What looks like Latin letters: what is said here, else what Unicode says.
    private static let likenesses: [Unicode.Scalar: String] = {
        var table = ownLikenesses
        for line in Confusables.latin.split(separator: "\n") {
            let words = line.split(separator: " ")
            let letters = words[0].lowercased().unicodeScalars.map { ownLikenesses[$0] ?? String($0) }.joined()
            for code in words.dropFirst() {
                guard let scalar = UInt32(code, radix: 16).flatMap(Unicode.Scalar.init), table[scalar] == nil else {
                    continue
                }
                table[scalar] = letters
            }
        }
        // A letter that stands for another one may have a likeness itself.
        return table.mapValues { letters in
            letters.unicodeScalars.map { ownLikenesses[$0] == nil ? table[$0] ?? String($0) : String($0) }.joined()
        }
    }()

    /// Characters that are drawn like a Latin letter: lower-case letters of other scripts, small capitals, digits, what
    /// generators of fancy text take, and boxed letters. `i`, `l` and `1` count as one letter, and so do `m` and `rn`.
    private static let ownLikenesses: [Unicode.Scalar: String] = {
        let pairs: [(String, String)] = [
            ("аαɑᴀᗩ", "a"), ("вьβʙᗷ", "b"), ("сᴄᑕ", "c"), ("ԁᴅ∂", "d"), ("еєεᴇ", "e"), ("ꜰᖴ", "f"), ("ɡɢ", "g"),
            ("һнʜᕼ", "h"), ("iіιɩɪ1|ӏǀʟᒪ", "l"), ("јϳᴊᒍ", "j"), ("кκᴋĸ", "k"), ("mмμᴍᗰ", "rn"), ("пηոɴᑎ", "n"),
            ("оοσςօ0ᴏ", "o"), ("рρᴘᑭ", "p"), ("ԛᑫ", "q"), ("гʀ", "r"), ("ѕ5ꜱſᔕ", "s"), ("тτᴛ₸", "t"), ("υսᴜᑌ", "u"),
            ("ѵνᴠᐯ", "v"), ("ԝᴡᗯ", "w"), ("хχ᙭", "x"), ("уүγʏ", "y"), ("ζᴢᘔ", "z"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (letters, latin) in pairs { for scalar in letters.unicodeScalars { table[scalar] = latin } }
        // Negative circled and negative squared capitals have no compatibility form.
        for (offset, letter) in "abcdefghijklmnopqrstuvwxyz".unicodeScalars.enumerated() {
            for first in [0x1F150, 0x1F170] {
                if let boxed = Unicode.Scalar(UInt32(first + offset)) { table[boxed] = table[letter] ?? String(letter) }
            }
        }
        return table
    }()
}
