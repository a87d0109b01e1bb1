import Foundation

/// A reduced form of a name: names that a person would confuse have the same skeleton. It drops compatibility forms,
/// case, marks, spaces, punctuation and invisible characters, and maps the commonest look-alikes to one letter (after
/// the idea of UTS #39, section 4).
package struct NameSkeleton: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(of name: String) {
        var shown = String.UnicodeScalarView()
        for scalar in Self.unmasked(name).decomposedStringWithCompatibilityMapping.unicodeScalars
        where Self.counts(scalar) {
            shown.append(scalar)
        }
        var kept = ""
        for scalar in String(shown).caseFolded.unicodeScalars {
            if let likeness = Self.likenesses[scalar] { kept += likeness } else { kept.unicodeScalars.append(scalar) }
        }
        self.description = kept
    }

    /// Skeletons of the reserved names: no player may have such a name, nor one that looks like it.
    package static let reserved: Set<NameSkeleton> = [
        NameSkeleton(of: Standing.anonymousName), NameSkeleton(of: Standing.formerName),
    ]

    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.showsNothing { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .dashPunctuation, .connectorPunctuation, .openPunctuation,
            .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .modifierSymbol, .control:
            false
        default: true
        }
    }

    /// Replaces the Greek letters that resemble Latin ones only in one case or compatibility form: `Ν` looks like `N`,
    /// but `ν` like `v`. A name whose letters are all Greek keeps them, so that both cases of it have one skeleton.
    private static func unmasked(_ name: String) -> String {
        let scalars = name.nfd.unicodeScalars
        let isGreek = scalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter: (0x370...0x3FF).contains(scalar.value)
            default: true
            }
        }
        if isGreek { return name }
        var out = String.UnicodeScalarView()
        for scalar in scalars { out.append(greekMasks[scalar] ?? scalar) }
        return String(out)
    }

    private static let greekMasks: [Unicode.Scalar: Unicode.Scalar] = [
        "Ν": "n", "Υ": "y", "ϒ": "y", "Η": "h", "ϲ": "c", "Ϲ": "c",
    ]

    /// Characters that are drawn like a Latin letter: lower-case letters of other scripts, small capitals, digits and
    /// boxed letters. `i`, `l` and `1` count as one letter, and so do `m` and `rn`.
    private static let likenesses: [Unicode.Scalar: String] = {
        let pairs: [(String, String)] = [
            ("аαɑᴀ", "a"), ("вьβʙ", "b"), ("сᴄ", "c"), ("ԁᴅ", "d"), ("еєεᴇ", "e"), ("ꜰ", "f"), ("ɡɢ", "g"),
            ("һнʜ", "h"),
            ("iіιɩɪ1|ӏǀʟ", "l"), ("јϳᴊ", "j"), ("кκᴋ", "k"), ("mмμᴍ", "rn"), ("пηոɴ", "n"), ("оοσօ0ᴏ", "o"),
            ("рρᴘ", "p"), ("ԛ", "q"),
            ("гʀ", "r"), ("ѕ5ꜱ", "s"), ("тτᴛ", "t"), ("υսᴜ", "u"), ("ѵνᴠ", "v"), ("ԝᴡ", "w"), ("хχ", "x"),
            ("уүγʏ", "y"), ("ζᴢ", "z"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (letters, latin) in pairs {
            for scalar in letters.unicodeScalars { table[scalar] = latin }
        }
        // Negative circled and negative squared capitals have no compatibility form.
        for (offset, letter) in "abcdefghijklmnopqrstuvwxyz".unicodeScalars.enumerated() {
            for first in [0x1F150, 0x1F170] {
                if let boxed = Unicode.Scalar(UInt32(first + offset)) { table[boxed] = table[letter] ?? String(letter) }
            }
        }
        return table
    }()
}
