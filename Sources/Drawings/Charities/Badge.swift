/// A charity's total in one line: the house's plate, a label and the number on vermilion, or on gold past the goal.
package struct Badge: Sendable {
    package var sign: CharitySign
    /// What the number counts, such as `points given`.
    package var label: String

    package init(_ sign: CharitySign, label: String) {
        self.sign = sign
        self.label = label
    }

    package func svg() -> [UInt8] { drawing(TextFitter(measure: EstimatedWidths())).svg() }

    /// - Returns: Nil when this machine has no fonts; see ``DrawingFonts``.
    package func png(_ ratio: PixelRatio = .one) -> [UInt8]? { Drawing.png(scale: Double(ratio.rawValue), drawing) }

    private func drawing(_ fitter: TextFitter) -> Drawing {
        let unit: Double =
            switch sign.size {
            case .small: 20 / 28
            case .medium: 1
            case .large: 40 / 28
            }
        let colors = sign.colors
        let labelStyle = TextStyle.text(13 * unit)
        let numberStyle = TextStyle.sign(16 * unit)
        let label = fitter.line(self.label, labelStyle, widthMax: 200 * unit)
        let number = fitter.line(sign.total, numberStyle, widthMax: 220 * unit)
        let labelWidth = fitter.width(of: label, labelStyle).rounded(.up)
        let numberWidth = fitter.width(of: number, numberStyle).rounded(.up)
        let height = (28 * unit).rounded()
        let labelLeft = 34 * unit
        let seam = (labelLeft + labelWidth + 8 * unit).rounded()
        let width = (seam + numberWidth + 20 * unit).rounded()

        var drawing = Drawing(width: width, height: height)
        drawing.background = colors.background
        drawing.cornerRadius = 4
        drawing.title = "\(sign.name): \(sign.total) \(self.label)"
        let isPast = sign.goal?.progress.seam != nil
        let accent = isPast ? HexColor.gold : colors.accent ?? .vermilion
        drawing.fill(
            .path(
                """
                M\(seam) 0H\(width - 4)A4 4 0 0 1 \(width) 4V\(height - 4)A4 4 0 0 1 \(width - 4) \(height)H\(seam)Z
                """), accent)
        drawing.items.append(
            .group(x: 4 * unit, y: 2 * unit, scale: unit, HouseMarks.plate(colors.plate, holes: colors.background)))
        drawing.items.append(
            .text(
                TextLine(label, labelStyle, colors.text, left: labelLeft, width: labelWidth + 2, baseline: 18.5 * unit))
        )
        let white = HexColor(rgb: 0xffffff)
        let onAccent = white.contrast(with: accent) >= HexColor.ink.contrast(with: accent) ? white : .ink
        drawing.items.append(
            .text(
                TextLine(
                    number, numberStyle, onAccent, left: seam, width: width - seam, baseline: 19.5 * unit,
                    anchor: .middle)))
        return drawing
    }
}
