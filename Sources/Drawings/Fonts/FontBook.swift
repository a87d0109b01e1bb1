import CFontconfig
import CFreeType
import Synchronization

/// Whether this machine has fonts to draw letters with. Fonts are looked for once, when the first picture is drawn.
package enum DrawingFonts { package static var areInstalled: Bool { FontBook.shared.withLock { !$0.isEmpty } } }

/// The fonts of this machine, best first, as fontconfig finds them. A font's face has one size and one place for a
/// glyph, so one drawing at a time uses the book.
final class FontBook {
    static let shared = Mutex(FontBook())

    let library: FT_Library?
    private var fonts: [TextStyle.Typeface: [FontFile]] = [:]

    private init() {
        var opened: FT_Library?
        library = FT_Init_FreeType(&opened) == 0 ? opened : nil
        guard library != nil, let config = FcInitLoadConfigAndFonts() else { return }
        defer { FcConfigDestroy(config) }
        for face in TextStyle.Typeface.allCases { fonts[face] = Self.find(face, config) }
    }

    deinit {
        fonts = [:]  // faces go before their library
        if let library { FT_Done_FreeType(library) }
    }

    /// Whether letters of either face cannot be drawn.
    var isEmpty: Bool { TextStyle.Typeface.allCases.contains { fonts[$0]?.isEmpty ?? true } }

    /// The first font that has a character, and what is needed to draw it.
    func glyph(for scalar: Unicode.Scalar, _ style: TextStyle) -> (face: FT_Face, id: FT_UInt)? {
        guard let library, let candidates = fonts[style.face] else { return nil }
        for font in candidates {
            if let found = font.glyph(for: scalar, sizePixels: style.sizePixels, library: library) { return found }
        }
        return nil
    }

    private static func find(_ face: TextStyle.Typeface, _ config: OpaquePointer) -> [FontFile] {
        guard let pattern = FcPatternCreate() else { return [] }
        defer { FcPatternDestroy(pattern) }
        for family in families(of: face) { FcPatternAddString(pattern, FC_FAMILY, family) }
        FcPatternAddInteger(pattern, FC_WEIGHT, face == .sign ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR)
        FcPatternAddInteger(pattern, FC_WIDTH, face == .sign ? FC_WIDTH_CONDENSED : FC_WIDTH_NORMAL)
        FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
        FcPatternAddBool(pattern, FC_OUTLINE, FcTrue)
        // Otherwise the environment of the process would choose the language, and with it the fonts.
        FcPatternAddString(pattern, FC_LANG, "en")
        FcConfigSubstitute(config, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let set = FcFontSort(config, pattern, FcTrue, nil, &result) else { return [] }
        defer { FcFontSetDestroy(set) }
        var files: [FontFile] = []
        for index in 0..<Int(set.pointee.nfont) where files.count < fontsMax {
            if let pattern = set.pointee.fonts[index], let file = FontFile(pattern) { files.append(file) }
        }
        return files
    }

    /// The families that are asked for first. Fontconfig adds what else there is, best first.
    private static func families(of face: TextStyle.Typeface) -> [String] {
        switch face {
        case .text: ["Noto Sans", "Liberation Sans", "DejaVu Sans", "Arial"]
        case .sign:
            [
                "Liberation Sans Narrow", "Roboto Condensed", "DejaVu Sans Condensed", "Arial Narrow", "Noto Sans",
                "Liberation Sans", "DejaVu Sans",
            ]
        }
    }

    /// Fonts of a face at most. Fontconfig leaves out those that add no character, so few machines have more.
    private static let fontsMax = 256
}
