import Synchronization

extension Drawing {
    /// The drawing as PNG.
    /// - Parameter scale: Pixels of the picture for each pixel of the drawing.
    /// - Returns: Nil when there is no memory, or when the drawing has text and the machine has no fonts.
    func png(scale: Double = 1) -> [UInt8]? { Self.png(scale: scale) { _ in self } }

    /// A drawing whose layout depends on the width of its texts, as PNG.
    static func png(scale: Double = 1, _ layout: (TextFitter) -> Drawing) -> [UInt8]? {
        let canvas: Canvas? = FontBook.shared.withLock { fonts in
            guard let library = fonts.library else { return nil }
            let drawing = layout(TextFitter(measure: fonts))
            guard !fonts.isEmpty || !drawing.items.contains(where: \.hasText) else { return nil }
            let hasAlpha = drawing.background == nil || drawing.cornerRadius > 0
            let (width, height) = (drawing.width, drawing.height)
            guard let canvas = Canvas(width: width, height: height, scale: scale, hasAlpha: hasAlpha, library: library)
            else { return nil }
            if let background = drawing.background {
                if hasAlpha {
                    let box = Rectangle(0, 0, width, height)
                    canvas.fill(.rectangle(box, radius: drawing.cornerRadius), background, Transform())
                } else {
                    canvas.fill(background)
                }
            }
            for item in drawing.items { item.paint(on: canvas, Transform(), fonts) }
            return canvas
        }
        return canvas?.png()
    }
}

extension DrawingItem {
    fileprivate var hasText: Bool {
        switch self {
        case .text: true
        case .group(_, _, _, let items): items.contains(where: \.hasText)
        case .fill, .stroke, .picture: false
        }
    }

    fileprivate func paint(on canvas: borrowing Canvas, _ place: Transform, _ fonts: FontBook) {
        switch self {
        case .fill(let shape, let color): canvas.fill(shape, color, place)
        case .stroke(let path, let width, let color): canvas.stroke(path, widthPixels: width, color, place)
        case .text(let line): canvas.text(line, place, fonts)
        case .picture(let picture, let box): canvas.picture(picture, box, place)
        case .group(let x, let y, let scale, let items):
            let place = place.inner(x: x, y: y, scale: scale)
            for item in items { item.paint(on: canvas, place, fonts) }
        }
    }
}
