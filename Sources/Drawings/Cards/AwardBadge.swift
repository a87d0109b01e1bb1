import Crypto
package import Domain

/// The badge of an award: a medal on a ribbon, above the award's name. The SHA-256 of its slug picks the ribbon, the
/// colours and the points of the star, so that an award has the same badge everywhere and for ever.
package struct AwardBadge: Sendable, Equatable {
    private let name: String
    private let slug: String

    package init(name: String, slug: Slug) { (self.name, self.slug) = (name, slug.description) }

    package func svg() -> [UInt8] { drawing(TextFitter(measure: EstimatedWidths())).svg() }

    /// - Returns: Nil when this machine has no fonts; see ``DrawingFonts``.
    package func png(_ ratio: PixelRatio = .one) -> [UInt8]? { Drawing.png(scale: Double(ratio.rawValue), drawing) }

    private static let width = 160.0
    private static let height = 176.0

    private func drawing(_ fitter: TextFitter) -> Drawing {
        let choice = Choice(slug)
        var drawing = Drawing(width: Self.width, height: Self.height)
        drawing.background = .board
        drawing.cornerRadius = 8
        drawing.title = name
        drawing.fill(.path("M52 8H76L92 60H68Z"), choice.ribbon)
        drawing.fill(.path("M108 8H84L68 60H92Z"), choice.stripe)
        drawing.fill(.circle(x: 80, y: 84, radius: 46), .shadow)
        drawing.fill(.circle(x: 80, y: 82, radius: 46), choice.metal)
        drawing.fill(.circle(x: 80, y: 82, radius: 38), choice.metal.mixed(with: .ink, part: 0.18))
        drawing.fill(.path(choice.star), choice.metal.mixed(with: .plate, part: 0.55))
        let style = TextStyle.sign(20)
        let line = fitter.line(name, style, widthMax: Self.width - 16)
        drawing.items.append(
            .text(TextLine(line, style, .chalk, left: 8, width: Self.width - 16, baseline: 160, anchor: .middle)))
        return drawing
    }

    /// What the digest of a slug picks.
    private struct Choice {
        let ribbon: HexColor
        let stripe: HexColor
        let metal: HexColor
        let star: PathData

        init(_ slug: String) {
            let digest = Array(SHA256.hash(data: Array(slug.utf8)))
            func pick<Element>(_ index: Int, _ elements: [Element]) -> Element {
                elements[Int(digest[index]) % elements.count]
            }
            ribbon = pick(0, Flag.darks.filter { $0.contrast(with: .board) > 1.25 })
            stripe = pick(1, Flag.lights)
            metal = pick(2, AwardBadge.metals)
            star = pick(3, AwardBadge.stars)
        }
    }

    private static let metals = [HexColor(rgb: 0xe8b93e), HexColor(rgb: 0xc6ced2), HexColor(rgb: 0xd08a4e)]

    /// Stars around (80, 82) with four, five, six and eight points.
    private static let stars: [PathData] = [
        "M80 50L88 74L112 82L88 90L80 114L72 90L48 82L72 74Z",
        "M80 50L87.1 72.3L110.4 72.1L91.4 85.7L98.8 107.9L80 94L61.2 107.9L68.6 85.7L49.6 72.1L72.9 72.3Z",
        "M80 50L88 68.1L107.7 66L96 82L107.7 98L88 95.9L80 114L72 95.9L52.3 98L64 82L52.3 66L72 68.1Z",
        """
        M80 50L86.1 67.2L102.6 59.4L94.8 75.9L112 82L94.8 88.1L102.6 104.6L86.1 96.8L80 114L73.9 96.8L57.4 104.6L65.2 \
        88.1L48 82L65.2 75.9L57.4 59.4L73.9 67.2Z
        """,
    ]
}
