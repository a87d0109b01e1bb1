// Foundation on Linux composes wrongly: it turns old Hangul (U+1113 U+116A) into U+FFFD, other syllables into wrong ones. The standard library
// normalizes right, for `==` and for Foundation's own use, but offers it only so.
@_spi(_Unicode) import Swift

extension String {
    /// Unicode's normalization form C.
    var nfc: String {
        var out = UnicodeScalarView()
        for scalar in withTibetanVowelsApart._nfc { out.append(scalar) }
        return String(out)
    }

    /// Unicode's normalization form D.
    var nfd: String {
        var out = UnicodeScalarView()
        for scalar in withTibetanVowelsApart._nfd { out.append(scalar) }
        return String(out)
    }

    /// Three vowels of no combining class decompose into marks that have one, and the standard library forgets to sort those.
    /// They are in neither normal form.
    private var withTibetanVowelsApart: String {
        guard unicodeScalars.contains(where: { Self.tibetanVowels[$0] != nil }) else { return self }
        var out = ""
        for scalar in unicodeScalars {
            if let parts = Self.tibetanVowels[scalar] { out += parts } else { out.unicodeScalars.append(scalar) }
        }
        return out
    }

    private static let tibetanVowels: [Unicode.Scalar: String] = [
        "\u{F73}": "\u{F71}\u{F72}", "\u{F75}": "\u{F71}\u{F74}", "\u{F81}": "\u{F71}\u{F80}",
    ]
}
