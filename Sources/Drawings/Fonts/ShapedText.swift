import CFreeType
import CFriBidi

/// A line of text as glyphs from left to right. FriBidi puts right-to-left text in order and joins Arabic letters.
/// Scripts whose letters change places or merge otherwise, such as Devanagari, are drawn letter by letter.
struct ShapedText {
    enum Mark {
        case glyph(FT_Face, FT_UInt)
        /// A character that no font has.
        case box
    }

    private(set) var marks: [(mark: Mark, x: Double)] = []
    private(set) var width: Double = 0
    private let style: TextStyle

    init(_ text: String, _ style: TextStyle, _ fonts: FontBook) {
        self.style = style
        var before: (face: FT_Face, id: FT_UInt)?
        for (form, letter) in Self.visualOrder(Self.scalars(of: text)) {
            guard form.value != Self.fill, !form.properties.isDefaultIgnorableCodePoint else { continue }
            guard let glyph = fonts.glyph(for: form, style) ?? fonts.glyph(for: letter, style) else {
                before = nil
                guard !letter.isMark else { continue }
                marks.append((.box, width))
                width += Self.boxWidth(style)
                continue
            }
            guard FT_Load_Glyph(glyph.face, glyph.id, causeboard_ft_load_flags) == 0 else { continue }
            let advance = Double(glyph.face.pointee.glyph.pointee.linearHoriAdvance) / 65_536
            if letter.isOverlay {
                // Fonts draw a mark to the left of its pen. One that does not is put over the letter before.
                marks.append((.glyph(glyph.face, glyph.id), width - (advance > 0 ? advance : 0)))
                continue
            }
            if let before, before.face == glyph.face {
                var kerning = FT_Vector()
                if FT_Get_Kerning(glyph.face, before.id, glyph.id, FT_UInt(FT_KERNING_UNFITTED.rawValue), &kerning) == 0
                {
                    width += Double(kerning.x) / 64
                }
            }
            marks.append((.glyph(glyph.face, glyph.id), width))
            width += advance
            before = glyph
        }
    }

    /// The code points that are drawn. Of an emoji of several code points that is the first: fonts of outlines have no
    /// others.
    private static func scalars(of text: String) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for character in text {
            let all = character.unicodeScalars
            guard let first = all.first else { continue }
            if first.properties.isEmojiPresentation || first.properties.isEmoji && all.count > 1 {
                scalars.append(first)
            } else {
                scalars.append(contentsOf: all)
            }
        }
        return scalars
    }

    /// The code points from left to right, each as it is drawn there and as it was written.
    private static func visualOrder(_ scalars: [Unicode.Scalar]) -> [(form: Unicode.Scalar, letter: Unicode.Scalar)] {
        let unchanged = scalars.map { (form: $0, letter: $0) }
        guard scalars.contains(where: \.isRightToLeft), let count = Int32(exactly: scalars.count) else {
            return unchanged
        }
        var direction = causeboard_fribidi_first_strong
        var visual = [FriBidiChar](repeating: 0, count: scalars.count)
        var sources = [FriBidiStrIndex](repeating: 0, count: scalars.count)
        guard fribidi_log2vis(scalars.map(\.value), count, &direction, &visual, nil, &sources, nil) != 0 else {
            return unchanged
        }
        return zip(visual, sources).compactMap { value, source in
            guard let form = Unicode.Scalar(value), scalars.indices.contains(Int(source)) else { return nil }
            return (form, scalars[Int(source)])
        }
    }

    /// What FriBidi writes where a letter became part of the one before.
    private static let fill: UInt32 = 0xFEFF

    static func boxWidth(_ style: TextStyle) -> Double { style.sizePixels * 0.7 }

    /// The frame for a character that no font has.
    static func box(_ style: TextStyle, x: Double, baseline: Double) -> [Shape] {
        let (em, line) = (style.sizePixels, max(1, style.sizePixels / 16))
        let (left, top, side, height) = (x + em * 0.08, baseline - em * 0.66, em * 0.54, em * 0.66)
        return [
            Rectangle(left, top, side, line), Rectangle(left, top + height - line, side, line),
            Rectangle(left, top, line, height), Rectangle(left + side - line, top, line, height),
        ].map { .rectangle($0) }
    }
}

extension FontBook: TextMeasure {
    func width(of text: String, _ style: TextStyle) -> Double { ShapedText(text, style, self).width }
}
