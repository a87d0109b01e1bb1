import Foundation

/// What a name looks like, so that two names which a person takes for the same have one skeleton: compatibility forms,
/// case, marks, spaces, punctuation and invisible characters are gone, and the commonest look-alikes are one (after the
/// idea of UTS #39, section 4).
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

    /// The names that nobody may have, nor anything that looks like them.
    package static let reserved: Set<NameSkeleton> = [
        NameSkeleton(of: "Anonymous"), NameSkeleton(of: "A former player"),
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

    /// Puts Latin letters for the Greek ones whose likeness is gone once case and compatibility forms are: `Ν` looks
    /// like `N`, but `ν` like `v`. A name in Greek alone keeps them, so that it is one name in both cases.
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

    /// Lower-case letters of other scripts, small capitals, boxed letters and digits, that are drawn like a Latin
    /// letter; `i`, `l` and `1` are one, and so are `m` and `rn`.
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
