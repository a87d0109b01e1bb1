// Foundation on Linux composes wrongly: it turns old Hangul (U+1113 U+116A) into U+FFFD and other syllables into wrong
// ones. The standard library normalizes correctly, for `==` and for Foundation's own use, but offers it only through
// this SPI.
@_spi(_Unicode) import Swift

extension String {
    /// The text in Unicode's normalization form C.
    package var nfc: String {
        var out = UnicodeScalarView()
        for scalar in withTibetanVowelsApart._nfc { out.append(scalar) }
        return String(out)
    }

    /// The text in Unicode's normalization form D.
    var nfd: String {
        var out = UnicodeScalarView()
        for scalar in withTibetanVowelsApart._nfd { out.append(scalar) }
        return String(out)
    }

    /// The text with three Tibetan vowels decomposed. They have no combining class, but decompose into marks that have
    /// one, and the standard library does not sort those. Neither normalization form contains the three.
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

extension Unicode.Scalar {
    /// Whether the character is invisible, or a box on most screens: a space, a default-ignorable or format character,
    /// one for private use, or one of the symbols that are blank by design.
    var showsNothing: Bool {
        switch properties.generalCategory {
        case .format, .privateUse: true
        default: properties.isWhitespace || properties.isDefaultIgnorableCodePoint || Self.blanks.contains(self)
        }
    }

    /// Whether Unicode, as far as the server knows it, has no character of this number. Noncharacters are among them.
    var isUnassigned: Bool { properties.generalCategory == .unassigned }

    /// Blank Braille pattern, null notehead, full and half hieroglyph blank, Khitan filler, object replacement
    /// character. Their general categories are those of letters, symbols and marks.
    private static let blanks: Set<Unicode.Scalar> = [
        "\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{16FE4}", "\u{FFFC}",
    ]
}

extension String {
    /// The text without case distinctions, also where a letter has two lower-case forms or a two-letter capital: `ς`
    /// and `σ`, `ß` and `ẞ` and `SS`. Lower case alone keeps those apart, upper case alone keeps `ẞ`, and the standard
    /// library has no case folding.
    var caseFolded: String { lowercased().uppercased().lowercased() }
}

extension StringProtocol {
    /// Calls `body` with the text as contiguous UTF-8, so that a loop over it costs no call for each byte, whatever the
    /// kind of string.
    @inlinable package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
    {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        return try Array(utf8).withUnsafeBufferPointer(body)
    }
}
