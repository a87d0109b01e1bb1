extension String {
    /// The one form of a name in which names are stored, compared and searched. It is in NFC, without white space at
    /// its ends, with one space between words, and without characters that nobody sees and that change nothing: soft
    /// hyphens, zero-width spaces, and joiners and variation selectors where they have nothing to join or to vary. A
    /// joiner stays in an emoji and between letters of scripts that join, such as Persian and Hindi.
    ///
    /// Controls, separators of lines, controls of writing direction and tags stay, so that whoever takes names can
    /// refuse them. The work grows with the square of a hostile text's length, so the caller bounds it.
    package var nameForm: String {
        if isPlainName { return self }
        var form = nfc
        // What is taken out may have kept marks from their order, and then other characters stand beside a joiner.
        for _ in 0..<4 {
            let next = form.withoutIdleCharacters
            if next.unicodeScalars.elementsEqual(form.unicodeScalars) { break }
            form = next
        }
        return form
    }

    /// Whether the text is ASCII without controls and in the form of names already, as most names are.
    private var isPlainName: Bool {
        var previous = UInt8(ascii: " ")
        for byte in utf8 {
            guard (0x20...0x7E).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
            previous = byte
        }
        return previous != 0x20
    }

    /// The text, which is in NFC, with its white space and its idle characters looked at once.
    private var withoutIdleCharacters: String {
        let scalars = Array(unicodeScalars)
        var form: [Unicode.Scalar] = []
        var isAfterSpace = false
        for (index, scalar) in scalars.enumerated() {
            if scalar.isNameSpace {
                isAfterSpace = !form.isEmpty
                continue
            }
            let before = isAfterSpace ? nil : form.last
            if scalar.mayBeIdle {
                let after = Self.visible(scalars, from: index + 1)
                guard scalar.isMeant(after: before, in: form, before: after) else { continue }
            }
            if isAfterSpace { form.append(" ") }
            isAfterSpace = false
            form.append(scalar)
        }
        var kept = UnicodeScalarView()
        kept.append(contentsOf: form)
        return String(kept).nfc
    }

    /// The next character that is there whatever the characters between do; nil for a space and at the end.
    private static func visible(_ scalars: [Unicode.Scalar], from index: Int) -> Unicode.Scalar? {
        scalars[index...].first { $0.isNameSpace || !$0.mayBeIdle }.flatMap { $0.isNameSpace ? nil : $0 }
    }
}

extension Unicode.Scalar {
    /// Whether it separates words: a space of any width, or one of the characters that are blank and wide by design,
    /// Hangul fillers and the blank Braille pattern. Controls, such as a tab, are none.
    fileprivate var isNameSpace: Bool {
        switch value {
        case 0x2800, 0x3164, 0xFFA0: true
        default: properties.generalCategory == .spaceSeparator
        }
    }

    /// Whether it may be there without any effect.
    fileprivate var mayBeIdle: Bool {
        properties.isDefaultIgnorableCodePoint && !properties.isBidiControl && !(0xE0000...0xE007F).contains(value)
    }

    /// Whether a default-ignorable character does something where it stands.
    /// - Parameters:
    ///   - before: The character before it in its word.
    ///   - form: What stands before it.
    ///   - after: The next visible character of its word.
    fileprivate func isMeant(after before: Unicode.Scalar?, in form: [Unicode.Scalar], before after: Unicode.Scalar?)
        -> Bool
    {
        if value == 0x115F { return (0x1160...0x11A7).contains(after?.value ?? 0) }
        guard let before else { return value == 0x200D && after?.joins == true }
        let isAfterJoiner = before.value == 0x200C || before.value == 0x200D
        switch value {
        case 0x200C, 0x180E: return !isAfterJoiner && before.joins && after?.joins == true
        case 0x200D:
            let emoji = form.last { $0.value != 0xFE0F && !$0.properties.isEmojiModifier }
            return !isAfterJoiner
                && (before.joins || after?.joins == true || emoji?.isPicture == true && after?.isPicture == true)
        case 0xFE0E, 0xFE0F: return before.isPicture || before.properties.isEmoji && after?.value == 0x20E3
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF: return before.properties.isIdeographic
        case 0x180B...0x180D, 0x180F: return (0x1800...0x18AF).contains(before.value)
        case 0x1160: return (0x1100...0x115F).contains(before.value)
        default: return false
        }
    }

    private var isPicture: Bool { properties.isEmoji && !isASCII }

    /// Whether it is a letter or a mark of a script in which joiners choose a letter's form.
    private var joins: Bool {
        switch properties.generalCategory {
        case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter, .nonspacingMark, .spacingMark:
            Self.joiningBlocks.contains { $0.contains(value) }
        default: false
        }
    }

    /// Arabic, Syriac, N'Ko, Mandaic; the scripts of India, Myanmar and Khmer; Mongolian; those of Indonesia, Lepcha,
    /// Vedic signs and Phags-pa; the presentation forms of Arabic; and what of these stands in the supplementary plane.
    private static let joiningBlocks: [ClosedRange<UInt32>] = [
        0x600...0x77F, 0x7C0...0x7FF, 0x840...0x8FF, 0x900...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0x1A20...0x1C4F,
        0x1CD0...0x1CFF, 0xA840...0xA87F, 0xA8E0...0xA8FF, 0xA980...0xA9DF, 0xAA60...0xAA7F, 0xFB50...0xFDFF,
        0xFE70...0xFEFC, 0x10AC0...0x10AFF, 0x10D00...0x10D3F, 0x11000...0x11FFF, 0x1E900...0x1E95F,
    ]
}
