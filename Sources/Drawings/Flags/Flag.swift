import Crypto
package import Domain

/// The picture of a player without one. The SHA-256 of the id's decimal digits picks one of sixteen divisions and two
/// colours, a dark and a light one, so that a player has the same flag everywhere and for ever.
package enum Flag {
    /// The flag as SVG of 40x40 pixels.
    package static func svg(of player: Player.ID) -> [UInt8] { drawing(of: player).svg() }

    /// The flag as PNG; nil when there is no memory for it.
    /// - Parameter sidePixels: Width and height, brought into 16...512.
    package static func png(of player: Player.ID, sidePixels: Int) -> [UInt8]? {
        drawing(of: player).png(scale: min(max(Double(sidePixels), 16), 512) / side)
    }

    /// The picture beside `Anonymous`, an empty frame, as SVG.
    package static func anonymousSVG() -> [UInt8] { anonymous.svg() }

    /// Width and height of flags in their own units.
    static let side: Double = 40

    static func drawing(of player: Player.ID) -> Drawing {
        let choice = Choice(player)
        var drawing = Drawing(width: side, height: side)
        drawing.background = choice.background
        for shape in divisions[choice.division] { drawing.fill(shape, choice.figure) }
        return drawing
    }

    static var anonymous: Drawing {
        var drawing = Drawing(width: side, height: side)
        drawing.background = HexColor(rgb: 0xdbe3df)
        // Dashes of 4 along a frame from 4 to 36, with corners.
        for dash in stride(from: 4.0, through: 36, by: 8) {
            let (start, length) = dash == 36 ? (33.0, 4.0) : dash == 4 ? (3.0, 5.0) : (dash, 4.0)
            for edge in [3.0, 35.0] {
                drawing.fill(.rectangle(Rectangle(start, edge, length, 2)), HexColor(rgb: 0x75867f))
                drawing.fill(.rectangle(Rectangle(edge, start, 2, length)), HexColor(rgb: 0x75867f))
            }
        }
        return drawing
    }

    /// What the digest of an id picks.
    struct Choice: Equatable {
        let division: Int
        let background: HexColor
        let figure: HexColor

        init(_ player: Player.ID) {
            // The digest's first eight bytes are one number, and each choice is a digit of it in its own base.
            let digest = SHA256.hash(data: Array(String(player.rawValue).utf8))
            var rest = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            func digit(_ base: Int) -> Int {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(base))
                rest = quotient
                return Int(remainder)
            }
            division = digit(divisions.count)
            let dark = darks[digit(darks.count)]
            let light = lights[digit(lights.count)]
            (background, figure) = digit(2) == 0 ? (dark, light) : (light, dark)
        }
    }

    static let darks = [0x0d3b3a, 0xc23a14, 0x1f5fa8, 0x7a5a12, 0x5b3a6e, 0x2f6b2c, 0x8a2f4b, 0x30404a].map {
        HexColor(rgb: $0)
    }
    static let lights = [0xf7f8f2, 0xf2c14a, 0x9fd3c7, 0xf3a27e, 0xc9d6f0, 0xd7e39a, 0xf0c3cf].map { HexColor(rgb: $0) }

    private static func bars(_ bars: [(x: Double, y: Double, width: Double, height: Double)]) -> [Shape] {
        bars.map { .rectangle(Rectangle($0.x, $0.y, $0.width, $0.height)) }
    }

    /// What lies on the background, in the order of the digit that picks it.
    private static let divisions: [[Shape]] = [
        bars([(20, 0, 20, 40)]), bars([(0, 20, 40, 20)]), [.path("M0 40L40 0V40Z")], bars([(13, 0, 14, 40)]),
        bars([(0, 13, 40, 14)]), bars([(0, 0, 20, 20), (20, 20, 20, 20)]), bars([(15, 0, 10, 40), (0, 15, 40, 10)]),
        [.path("M0 0L24 20L0 40Z")], [.path("M20 3L37 20L20 37L3 20Z")], [.circle(x: 20, y: 20, radius: 11)],
        [.path("M0 28L20 10L40 28V40L20 22L0 40Z")], [.path("M0 0H9L40 31V40H31L0 9ZM40 0V9L9 40H0V31L31 0Z")],
        bars([(0, 0, 40, 8), (0, 16, 40, 8), (0, 32, 40, 8)]), [.path("M0 0H40L20 20ZM0 40H40L20 20Z")],
        bars([(0, 0, 40, 10), (0, 30, 40, 10)]) + [.circle(x: 20, y: 20, radius: 6)],
        bars([(0, 0, 40, 8), (0, 32, 40, 8), (0, 8, 8, 24), (32, 8, 8, 24)]),
    ]
}
