/// A charity's name, a tube filled as far as its goal was reached, and the total. Without a goal the total hangs there
/// on a plate. What was donated beyond the goal is gold, and the goal is the seam.
package struct Thermometer: Sendable {
    package var sign: CharitySign

    package init(_ sign: CharitySign) { self.sign = sign }

    package func svg() -> [UInt8] { drawing(TextFitter(measure: EstimatedWidths())).svg() }

    /// - Returns: Nil when this machine has no fonts; see ``DrawingFonts``.
    package func png(_ ratio: PixelRatio = .one) -> [UInt8]? { Drawing.png(scale: Double(ratio.rawValue), drawing) }

    private func drawing(_ fitter: TextFitter) -> Drawing {
        let layout = Layout(sign.size)
        var drawing = Drawing(width: layout.width, height: sign.goal == nil ? layout.plateHeight : layout.height)
        drawing.background = sign.colors.background
        drawing.cornerRadius = 6
        drawing.title = [sign.name, "\(sign.total) \(sign.caption)", sign.goal?.percent].compactMap(\.self).joined(
            separator: ", ")
        name(on: &drawing, layout, fitter)
        if let goal = sign.goal {
            tube(goal, on: &drawing, layout)
            scale(goal, on: &drawing, layout, fitter)
            let top = caption(on: &drawing, layout, fitter)
            total(on: &drawing, layout, fitter, baseline: top)
        } else {
            plate(on: &drawing, layout, fitter)
            _ = caption(on: &drawing, layout, fitter)
        }
        return drawing
    }

    private func name(on drawing: inout Drawing, _ layout: Layout, _ fitter: TextFitter) {
        let style = TextStyle.sign(layout.nameSize)
        let lines = fitter.lines(sign.name, style, widthMax: layout.innerWidth)
        let step = (layout.nameSize * 1.18).rounded()
        // One line stands in the middle of the two that there is room for.
        let first = layout.unit * 30 + (lines.count == 1 ? step / 2 : 0)
        for (index, line) in lines.enumerated() {
            drawing.items.append(layout.centered(line, style, sign.colors.text, first + Double(index) * step))
        }
    }

    private func tube(_ goal: CharitySign.Goal, on drawing: inout Drawing, _ layout: Layout) {
        let (tube, progress) = (layout.tube, goal.progress)
        let (left, right, bottom) = (tube.x, tube.x + tube.width, tube.y + tube.height)
        drawing.fill(.rectangle(tube, radius: 4), sign.colors.tube)
        // The liquid's surface hangs through in the middle, and its ground is as round as the tube's.
        let bend = tube.width * 0.16
        func liquid(_ share: Double, _ color: HexColor) {
            guard share > 0 else { return }
            let surface = min(bottom - share * layout.scaleHeight - layout.scaleInset, bottom - 6)
            let shape: PathData = """
                M\(left) \(surface)Q\(left + tube.width / 2) \(surface + bend) \(right) \(surface)V\(bottom - 4)\
                A4 4 0 0 1 \(right - 4) \(bottom)H\(left + 4)A4 4 0 0 1 \(left) \(bottom - 4)Z
                """
            drawing.fill(.path(shape), color)
        }
        if let seam = progress.seam {
            drawing.fill(.rectangle(tube, radius: 4), .gold)
            // The seam is a gap through which the tube shows, which stays where the goal was tiny.
            let gap = 2 / layout.scaleHeight
            liquid(min(seam + gap, 1), sign.colors.tube)
            liquid(seam, sign.colors.filling)
        } else {
            liquid(progress.filled, sign.colors.filling)
        }
        for x in [left + 7, right - 7] { drawing.fill(.circle(x: x, y: tube.y + 6, radius: 2), sign.colors.background) }
    }

    private func scale(_ goal: CharitySign.Goal, on drawing: inout Drawing, _ layout: Layout, _ fitter: TextFitter) {
        let (tube, progress, colors) = (layout.tube, goal.progress, sign.colors)
        func height(_ share: Double) -> Double { tube.y + tube.height - layout.scaleInset - share * layout.scaleHeight }
        let right = tube.x + tube.width + 6
        let top = progress.seam ?? 1
        for (step, length) in [(0, 14.0), (0.25, 8), (0.5, 14), (0.75, 8), (1, 14)] {
            // Ticks that would touch are left out, but those of nothing and of the goal.
            guard step == 0 || step == 1 || top * layout.scaleHeight > 60 else { continue }
            drawing.fill(.rectangle(Rectangle(right, height(step * top) - 1, length, 2)), colors.dim)
        }
        let style = TextStyle.text(layout.scaleSize)
        let labelLeft = right + 20
        let labelWidth = layout.width - labelLeft - 4
        for (share, text) in [(1, goal.all), (0.5, goal.half), (0, goal.none)] where layout.hasScale {
            let room = top * layout.scaleHeight * (share == 0.5 ? 0.5 : 1)
            guard share == 1 || room > layout.scaleSize * 1.4 else { continue }
            let (label, fitted) = fitter.line(text, [style, .text(layout.scaleSize * 0.85)], widthMax: labelWidth)
            drawing.items.append(
                .text(
                    TextLine(
                        label, fitted, colors.dim, left: labelLeft, width: labelWidth,
                        baseline: height(share * top) + fitted.sizePixels * 0.36)))
        }
        let signStyle = TextStyle.sign(layout.percentSize)
        let level = height(progress.seam == nil ? progress.filled : 1)
        let percentWidth = tube.x - 8 - 4
        let (percent, fitted) = fitter.line(
            goal.percent, [signStyle, .sign(layout.percentSize * 0.8), .sign(layout.percentSize * 0.65)],
            widthMax: percentWidth)
        drawing.items.append(
            .text(
                TextLine(
                    percent, fitted, colors.text, left: 4, width: percentWidth,
                    baseline: min(level, tube.y + tube.height - 6) + fitted.sizePixels * 0.34, anchor: .end)))
    }

    private func total(on drawing: inout Drawing, _ layout: Layout, _ fitter: TextFitter, baseline: Double) {
        let sizes = [1, 0.85, 0.7, 0.55].map { TextStyle.sign((layout.totalSize * $0).rounded()) }
        let (text, style) = fitter.line(sign.total, sizes, widthMax: layout.innerWidth)
        drawing.items.append(layout.centered(text, style, sign.colors.text, baseline))
    }

    private func plate(on drawing: inout Drawing, _ layout: Layout, _ fitter: TextFitter) {
        let sizes = [1.5, 1.25, 1, 0.8, 0.6].map { TextStyle.sign((layout.totalSize * $0).rounded()) }
        let pad = layout.unit * 16
        let (text, style) = fitter.line(sign.total, sizes, widthMax: layout.innerWidth - 2 * pad)
        let width = max(fitter.width(of: text, style) + 2 * pad, layout.unit * 64).clamped(0, layout.innerWidth)
        let box = Rectangle((layout.width - width) / 2, layout.unit * 68, width, layout.unit * 68)
        drawing.fill(.rectangle(box, radius: 4), sign.colors.plate)
        for x in [box.x + layout.unit * 11, box.x + box.width - layout.unit * 11] {
            drawing.fill(.circle(x: x, y: box.y + layout.unit * 10, radius: layout.unit * 3), sign.colors.background)
        }
        let baseline = box.y + box.height * 0.6 + style.sizePixels * 0.34
        drawing.items.append(
            .text(
                TextLine(
                    text, style, sign.colors.onPlate, left: box.x, width: width, baseline: baseline, anchor: .middle)))
    }

    /// - Returns: The baseline of what stands above.
    private func caption(on drawing: inout Drawing, _ layout: Layout, _ fitter: TextFitter) -> Double {
        let style = TextStyle.text(layout.captionSize)
        let lines = fitter.lines(sign.caption, style, widthMax: layout.innerWidth)
        let step = (layout.captionSize * 1.25).rounded()
        let isShort = lines.count < 2
        let first = drawing.height - layout.unit * (isShort ? 20 : 11) - (isShort ? 0 : step)
        for (index, line) in lines.enumerated() {
            drawing.items.append(layout.centered(line, style, sign.colors.dim, first + Double(index) * step))
        }
        return first - layout.unit * 22
    }
}

/// The measures of a size, in pixels.
private struct Layout {
    let width: Double
    let height: Double
    /// The height of a sign without a goal.
    let plateHeight: Double
    let tube: Rectangle
    let nameSize: Double
    let percentSize: Double
    let scaleSize: Double
    let totalSize: Double
    let captionSize: Double
    /// Whether numbers stand beside the scale's ticks; the small size has no room for them.
    let hasScale: Bool
    /// A pixel of the medium size.
    let unit: Double

    init(_ size: SignSize) {
        switch size {
        case .small:
            unit = 0.8
            (width, height, plateHeight) = (144, 272, 160)
            tube = Rectangle(68, 58, 26, 146)
            (nameSize, percentSize, scaleSize, totalSize, captionSize) = (14, 17, 0, 25, 11.5)
            hasScale = false
        case .medium:
            unit = 1
            (width, height, plateHeight) = (200, 360, 186)
            tube = Rectangle(74, 74, 32, 204)
            (nameSize, percentSize, scaleSize, totalSize, captionSize) = (17, 19, 14, 30, 13)
            hasScale = true
        case .large:
            unit = 1.5
            (width, height, plateHeight) = (300, 540, 279)
            tube = Rectangle(112, 110, 48, 308)
            (nameSize, percentSize, scaleSize, totalSize, captionSize) = (25, 28, 19, 45, 18)
            hasScale = true
        }
    }

    var innerWidth: Double { width - 16 * unit }
    /// The distances of the scale's ends from the tube's.
    var scaleInset: Double { 10 }
    var scaleHeight: Double { tube.height - 2 * scaleInset }

    func centered(_ text: String, _ style: TextStyle, _ color: HexColor, _ baseline: Double) -> DrawingItem {
        .text(
            TextLine(
                text, style, color, left: (width - innerWidth) / 2, width: innerWidth, baseline: baseline,
                anchor: .middle))
    }
}
