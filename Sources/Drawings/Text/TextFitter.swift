/// Says how wide a text is drawn.
protocol TextMeasure {
    /// The width in pixels of a text that ``VisibleText`` has cleaned.
    func width(of text: String, _ style: TextStyle) -> Double
}

/// Makes texts as long as their places: smaller, on two lines, or with an ellipsis.
struct TextFitter {
    let measure: any TextMeasure

    func width(of text: String, _ style: TextStyle) -> Double { measure.width(of: VisibleText(text).text, style) }

    /// The text, or as much of it as fits with an ellipsis behind it.
    func line(_ text: String, _ style: TextStyle, widthMax: Double) -> String {
        cut(VisibleText(text).characters[...], style, widthMax: widthMax)
    }

    /// The text in the largest of some sizes in which it fits; in the last of them with an ellipsis if it must be.
    func line(_ text: String, _ styles: [TextStyle], widthMax: Double) -> (text: String, style: TextStyle) {
        let clean = VisibleText(text).text
        if let style = styles.first(where: { measure.width(of: clean, $0) <= widthMax }) { return (clean, style) }
        let style = styles.last ?? .text(16)
        return (line(text, style, widthMax: widthMax), style)
    }

    /// The text on one line or on two of much the same width, broken between words if possible; what does not fit
    /// becomes an ellipsis.
    func lines(_ text: String, _ style: TextStyle, widthMax: Double) -> [String] {
        let characters = VisibleText(text).characters
        let whole = characters.joined()
        guard !whole.isEmpty else { return [] }
        if measure.width(of: whole, style) <= widthMax { return [whole] }
        if let lines = balanced(characters, style, widthMax: widthMax) { return lines }
        // No break makes both lines fit. The first one takes what it can, whole words if there is a break.
        let count = longest(characters[...], style, widthMax: widthMax)
        let breaks = (0..<count).reversed().first { Self.canBreak(characters, after: $0) }
        let firstCount = breaks.map { $0 + 1 } ?? count
        let first = Self.trimmed(characters[..<firstCount])
        return [first, cut(characters[firstCount...], style, widthMax: widthMax)].filter { !$0.isEmpty }
    }

    /// The break that makes the wider line the narrowest; nil when no break makes both fit.
    private func balanced(_ characters: [String], _ style: TextStyle, widthMax: Double) -> [String]? {
        var best: (width: Double, lines: [String])?
        for index in characters.indices where Self.canBreak(characters, after: index) {
            let lines = [Self.trimmed(characters[...index]), Self.trimmed(characters[(index + 1)...])]
            guard lines.allSatisfy({ !$0.isEmpty }) else { continue }
            let width = lines.map { measure.width(of: $0, style) }.max() ?? 0
            if width <= widthMax, width < best?.width ?? .infinity { best = (width, lines) }
        }
        return best?.lines
    }

    private static func canBreak(_ characters: [String], after index: Int) -> Bool {
        guard index + 1 < characters.count else { return false }
        if characters[index] == " " || characters[index] == "-" { return true }
        let sides = [characters[index], characters[index + 1]].compactMap(\.unicodeScalars.first)
        return sides.allSatisfy(\.isWide)
    }

    private static func trimmed(_ characters: ArraySlice<String>) -> String {
        var characters = characters
        if characters.last == " " { characters.removeLast() }
        if characters.first == " " { characters.removeFirst() }
        return characters.joined()
    }

    /// How many characters fit, at least one.
    private func longest(_ characters: ArraySlice<String>, _ style: TextStyle, widthMax: Double, ending: String = "")
        -> Int
    {
        var (fits, tooMany) = (0, characters.count + 1)
        while tooMany - fits > 1 {
            let middle = (fits + tooMany) / 2
            let part = characters.prefix(middle).joined() + ending
            if measure.width(of: part, style) <= widthMax { fits = middle } else { tooMany = middle }
        }
        return min(max(fits, 1), characters.count)
    }

    private func cut(_ characters: ArraySlice<String>, _ style: TextStyle, widthMax: Double) -> String {
        let whole = Self.trimmed(characters)
        if measure.width(of: whole, style) <= widthMax { return whole }
        let count = longest(characters, style, widthMax: widthMax, ending: "…")
        return Self.trimmed(characters.prefix(count)) + "…"
    }
}

/// Widths for SVG, whose fonts are those of whoever looks at it. They are those of wide faces, so that text seldom
/// turns out wider than its place, where it would be clipped.
struct EstimatedWidths: TextMeasure {
    func width(of text: String, _ style: TextStyle) -> Double {
        let ems = text.reduce(0) { $0 + Self.ems($1) }
        // A sign's face is condensed and bold where there is one, else bold.
        return ems * style.sizePixels * (style.face == .sign ? 1.02 : 1)
    }

    private static func ems(_ character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", "’", "·": return 0.3
        case " ", "f", "r", "t", "(", ")", "[", "]", "-", "/", "\\", "\"", "`", "\u{202F}", "\u{A0}": return 0.38
        case "m", "w", "M", "W", "@", "%", "…", "Œ", "Æ", "æ", "œ": return 0.95
        case "0"..."9": return 0.57
        default: break
        }
        if scalar.isWide { return 1.1 }
        if scalar.isMark { return 0.2 }
        if scalar.properties.isUppercase { return 0.7 }
        if scalar.properties.isLowercase { return 0.57 }
        if scalar.isRightToLeft { return 0.6 }
        return scalar.value < 0x250 ? 0.6 : scalar.value < 0x2000 ? 0.75 : 0.9
    }
}
