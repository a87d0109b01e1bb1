// Foundation on Linux composes wrongly: it turns old Hangul (U+1113 U+116A) into U+FFFD, other syllables into wrong
// ones. The standard library normalizes right, for `==` and for Foundation's own use, but offers it only so.
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

    /// Three vowels of no combining class decompose into marks that have one, and the standard library forgets to sort
    /// those. They are in neither normal form.
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
    /// Whether a reader sees nothing of it: a space, a default-ignorable or format character, or one of the symbols
    /// that are blank by design.
    var showsNothing: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
            || Self.blanks.contains(self)
    }

    /// Blank Braille pattern, null notehead, full and half hieroglyph blank, Khitan filler: by their category they are
    /// letters, symbols and marks.
    private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{16FE4}"]
}

extension String {
    /// Without differences of case, also where a letter has two lower-case forms or a capital of two letters: `ς` and
    /// `σ`, `ß` and `ẞ` and `SS`. Lower case alone keeps those apart, upper case alone keeps `ẞ`, and the standard
    /// library has no case folding.
    var caseFolded: String { lowercased().uppercased().lowercased() }
}

extension StringProtocol {
    /// The UTF-8 as it lies in memory: a loop over it costs no call for each byte, whatever kind of string it is.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        return try Array(utf8).withUnsafeBufferPointer(body)
    }
}
