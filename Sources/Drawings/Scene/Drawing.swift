/// A drawing as a list of what lies on it, from the bottom up. It is written as SVG or painted as PNG; both show the
/// same. Lengths are CSS pixels, y grows downwards.
struct Drawing: Sendable {
    /// What covers everything, with round corners if `cornerRadius` is more than 0.
    var background: HexColor?
    var cornerRadius: Double = 0
    let width: Double
    let height: Double
    /// What a screen reader says; empty for pictures that stand beside their text.
    var title = ""
    var items: [DrawingItem] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    mutating func fill(_ shape: Shape, _ color: HexColor) { items.append(.fill(shape, color)) }
}

enum DrawingItem: Sendable {
    case fill(Shape, HexColor)
    /// A line along a path, with round joins and straight ends.
    case stroke(PathData, widthPixels: Double, HexColor)
    case text(TextLine)
    /// A PNG of at most 40x40 pixels, enlarged in a square without smoothing.
    case picture(SmallPicture, Rectangle)
    /// Other items, moved and scaled.
    indirect case group(x: Double, y: Double, scale: Double, [DrawingItem])
}

enum Shape: Sendable {
    case rectangle(Rectangle, radius: Double = 0)
    case circle(x: Double, y: Double, radius: Double)
    case path(PathData)
}

struct Rectangle: Equatable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// One line of text that was fitted to its place; see ``TextFitter``.
struct TextLine: Sendable {
    enum Anchor: Sendable { case start, middle, end }

    let text: String
    let style: TextStyle
    let color: HexColor
    let anchor: Anchor
    /// Where the text begins, has its middle or ends.
    let x: Double
    let baseline: Double
    /// The text's place. Whatever a font or a browser makes of the text, nothing of it is drawn outside.
    let clip: Rectangle

    /// How far the first and the last letter may lean out of the place.
    private static let overhangEms = 0.05

    /// - Parameters:
    ///   - left: The left side of the text's place.
    ///   - width: The width of the place.
    init(
        _ text: String, _ style: TextStyle, _ color: HexColor, left: Double, width: Double, baseline: Double,
        anchor: Anchor = .start
    ) {
        self.text = text
        self.style = style
        self.color = color
        self.anchor = anchor
        self.baseline = baseline
        x =
            switch anchor {
            case .start: left
            case .middle: left + width / 2
            case .end: left + width
            }
        let (em, overhang) = (style.sizePixels, style.sizePixels * Self.overhangEms)
        clip = Rectangle(left - overhang, baseline - em * 1.05, width + 2 * overhang, em * 1.4)
    }
}

struct TextStyle: Hashable, Sendable {
    enum Typeface: Hashable, Sendable, CaseIterable {
        /// The face of sentences.
        case text
        /// The condensed, bold face of headings, plates and totals.
        case sign
    }

    var face: Typeface
    /// Pixels of an em.
    var sizePixels: Double

    static func text(_ sizePixels: Double) -> TextStyle { TextStyle(face: .text, sizePixels: sizePixels) }
    static func sign(_ sizePixels: Double) -> TextStyle { TextStyle(face: .sign, sizePixels: sizePixels) }
}

/// A PNG of at most 40x40 pixels by its own header, as the server stores pictures of players.
package struct SmallPicture: Sendable {
    let png: [UInt8]

    /// Nil unless the bytes begin as such a PNG does. Whether they can be decoded shows when they are drawn; what
    /// cannot leaves an empty place.
    package init?(png: [UInt8]) {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        guard png.count <= Self.bytesMax, png.count >= start.count + 8, png.starts(with: start),
            [16, 20].allSatisfy({ at in
                png[at..<at + 3].allSatisfy { $0 == 0 } && (1...Self.sideMax).contains(png[at + 3])
            })
        else { return nil }
        self.png = png
    }

    private static let sideMax: UInt8 = 40
    /// Bytes of the file; 40x40 pixels of 32 bits take 6,440 without compression.
    private static let bytesMax = 16 * 1_024
}
