import Foundation

/// What a name looks like, so that two names which a person takes for the same have one skeleton: compatibility forms, case, marks, spaces,
/// punctuation and invisible characters are gone, and the commonest look-alikes are one (after the idea of UTS #39, section 4).
package struct NameSkeleton: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(of name: String) {
        var kept = ""
        for scalar in name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            let properties = scalar.properties
            if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { continue }
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .dashPunctuation, .connectorPunctuation, .openPunctuation, .closePunctuation,
                .initialPunctuation, .finalPunctuation, .otherPunctuation, .format, .control:
                continue
            default:
                if let likeness = Self.likenesses[scalar] { kept += likeness } else { kept.unicodeScalars.append(scalar) }
            }
        }
        self.description = kept
    }

    /// The names that nobody may have, nor anything that looks like them.
    package static let reserved: Set<NameSkeleton> = [NameSkeleton(of: "Anonymous"), NameSkeleton(of: "A former player")]

    /// Lower-case letters of other scripts, and digits, that are drawn like a Latin letter; `i`, `l` and `1` are one, and so are `m` and `rn`.
    private static let likenesses: [Unicode.Scalar: String] = {
        let pairs: [(String, String)] = [
            ("аαạɑ", "a"), ("вβ", "b"), ("сϲ", "c"), ("ԁ", "d"), ("еєε", "e"), ("ѕ5", "s"), ("ɡ", "g"), ("һ", "h"), ("ііι1|ӏl!", "l"), ("ј", "j"), ("кκ", "k"),
            ("мm", "rn"), ("пη", "n"), ("оοσ0", "o"), ("рρ", "p"), ("ԛ", "q"), ("г", "r"), ("тτ", "t"), ("υս", "u"), ("ѵν", "v"), ("ԝ", "w"), ("хχ", "x"),
            ("уγ", "y"), ("i", "l"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (letters, latin) in pairs {
            for scalar in letters.unicodeScalars { table[scalar] = latin }
        }
        return table
    }()
}
