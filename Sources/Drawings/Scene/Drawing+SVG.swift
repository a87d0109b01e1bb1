import Feeds

extension Drawing {
    /// The drawing as SVG. Its text is text, in the faces that the style sheet names; each line of it has a viewport
    /// of its own, which clips what is wider than it was estimated.
    func svg() -> [UInt8] {
        var writer = ByteWriter(capacityBytes: 4_096)
        writer.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        writer.append(width)
        writer.append(" ")
        writer.append(height)
        writer.append("\"")
        writer.append(" width=\"", width, "\"")
        writer.append(" height=\"", height, "\"")
        if !title.isEmpty {
            writer.append(" role=\"img\" aria-label=\"")
            writer.append(isolated: title, in: .attribute)
            writer.append("\" font-family=\"")
            writer.append(textFaces)
            writer.append("\"><title>")
            writer.append(isolated: title, in: .element)
            writer.append("</title")
        }
        writer.append(">")
        if let background {
            writer.append(.rectangle(Rectangle(0, 0, width, height), radius: cornerRadius))
            writer.append(background)
        }
        for item in items { writer.append(item) }
        writer.append("</svg>\n")
        return writer.bytes
    }
}

/// The families of the style sheet's `--text` and `--sign`.
private let textFaces: StaticString = "'Segoe UI',-apple-system,Roboto,'Noto Sans',Arial,sans-serif"
private let signFaces: StaticString = """
    'Avenir Next Condensed',Bahnschrift,'Roboto Condensed','Liberation Sans Narrow','Arial Narrow','Noto Sans',\
    sans-serif
    """

extension ByteWriter {
    fileprivate mutating func append(_ number: Double) { append(ascii: number.svgText) }

    /// Appends ASCII that is safe everywhere.
    private mutating func append(ascii text: String) { append(text, in: .attribute) }

    fileprivate mutating func append(_ before: StaticString, _ number: Double, _ after: StaticString) {
        append(before)
        append(number)
        append(after)
    }

    /// Appends text that has no effect on the direction of what stands around it (UAX #9, FSI and PDI).
    fileprivate mutating func append(isolated text: String, in context: TextContext) {
        let clean = VisibleText(text).text
        let needsIsolation = clean.unicodeScalars.contains { $0.isRightToLeft }
        if needsIsolation { append("\u{2068}") }
        append(clean, in: context)
        if needsIsolation { append("\u{2069}") }
    }

    fileprivate mutating func append(_ item: DrawingItem) {
        switch item {
        case .fill(let shape, let color):
            append(shape)
            append(color)
        case .stroke(let path, let width, let color):
            append("<path d=\"")
            append(ascii: path.text)
            append("\" fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"", width, "\" stroke=\"#")
            append(ascii: color.description)
            append("\"/>")
        case .text(let line): append(line)
        case .picture: break  // cards alone have pictures, and they are PNGs
        case .group(let x, let y, let scale, let items):
            append("<g transform=\"translate(", x, " ")
            append(y)
            append(") scale(", scale, ")\">")
            for item in items { append(item) }
            append("</g>")
        }
    }

    /// Appends the shape's element up to its colour.
    fileprivate mutating func append(_ shape: Shape) {
        switch shape {
        case .rectangle(let box, let radius):
            append("<rect")
            append(box)
            if radius > 0 { append(" rx=\"", radius, "\"") }
        case .circle(let x, let y, let radius):
            append("<circle cx=\"", x, "\"")
            append(" cy=\"", y, "\"")
            append(" r=\"", radius, "\"")
        case .path(let path):
            append("<path d=\"")
            append(ascii: path.text)
            append("\"")
        }
    }

    /// Appends the colour of a shape and ends its element.
    fileprivate mutating func append(_ color: HexColor) {
        append(" fill=\"#")
        append(ascii: color.description)
        append("\"/>")
    }

    private mutating func append(_ box: Rectangle) {
        append(" x=\"", box.x, "\"")
        append(" y=\"", box.y, "\"")
        append(" width=\"", box.width, "\"")
        append(" height=\"", box.height, "\"")
    }

    private mutating func append(_ line: TextLine) {
        guard !line.text.isEmpty else { return }
        append("<svg")
        append(line.clip)
        append("><text x=\"", line.x - line.clip.x, "\"")
        append(" y=\"", line.baseline - line.clip.y, "\"")
        append(" font-size=\"", line.style.sizePixels, "\"")
        switch line.anchor {
        case .start: break
        case .middle: append(" text-anchor=\"middle\"")
        case .end: append(" text-anchor=\"end\"")
        }
        if line.style.face == .sign {
            append(" font-weight=\"700\" font-family=\"")
            append(signFaces)
            append("\"")
        }
        append(" fill=\"#")
        append(ascii: line.color.description)
        append("\">")
        append(isolated: line.text, in: .element)
        append("</text></svg>")
    }
}
