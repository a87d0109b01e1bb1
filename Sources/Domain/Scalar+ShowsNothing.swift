extension Unicode.Scalar {
    /// Whether a reader sees nothing of it: a space, a default-ignorable or format character, or one of the symbols that are blank by design.
    var showsNothing: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
            || Self.blanks.contains(self)
    }

    /// Blank Braille pattern, null notehead, full and half hieroglyph blank, Khitan filler: by their category they are letters, symbols and marks.
    private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{16FE4}"]
}
