import Domain

/// A text on one line as the characters that people count, without what would show nothing or act on its
/// surroundings. Names may be older than the rules for names, so nothing is assumed of them.
struct VisibleText: Equatable {
    private(set) var characters: [String] = []

    var text: String { characters.joined() }

    /// Drops controls, controls of writing direction, noncharacters and invisible characters, but for joiners and
    /// selectors inside of a character; blanks in a row become one. Of a character's marks ``marksMax`` stay, and of
    /// the text ``charactersMax`` characters.
    init(_ text: String) {
        for character in text.prefix(Self.charactersReadMax) {
            guard characters.count < Self.charactersMax else { return }
            if character.isWhitespace {
                if let last = characters.last, last != " " { characters.append(" ") }
                continue
            }
            var kept = String.UnicodeScalarView()
            var marks = 0
            var isVisible = false
            for scalar in character.unicodeScalars where kept.count < Self.codePointsMax && !Self.isDropped(scalar) {
                if scalar.isMark {
                    marks += 1
                    guard marks <= Self.marksMax else { continue }
                }
                if !scalar.properties.isDefaultIgnorableCodePoint { isVisible = true }
                kept.append(scalar)
            }
            if isVisible { characters.append(String(kept)) }
        }
        if characters.last == " " { characters.removeLast() }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: break
        }
        if properties.isBidiControl || properties.isNoncharacterCodePoint { return true }
        guard properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F: return false  // joiners, selectors, tags of flags
        default: return true
        }
    }

    /// Characters that are kept at most; no place shows more.
    private static let charactersMax = 200
    private static let charactersReadMax = 1_000
    /// Code points of a character at most; the longest emoji have ten.
    private static let codePointsMax = 12
    private static let marksMax = 4
}

extension Unicode.Scalar {
    var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether the character is drawn over or under the one before and takes no room of its own.
    var isOverlay: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether the character belongs to a script that is written from right to left.
    var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// Whether the character is as wide as it is high, as Chinese characters, kana, Hangul and emoji are.
    var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFF:
            true
        default: properties.isEmojiPresentation
        }
    }
}
