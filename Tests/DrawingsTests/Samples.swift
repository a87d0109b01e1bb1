import CGD
import Domain
import TestDice
import Testing

@testable import Drawings

enum Samples {
    /// Which of the hostile names a test has: for each push some of them, nightly all.
    static let hostileIndices = Array(stride(from: 0, to: hostile.count, by: Dice.isNightly ? 1 : 4))

    /// Names that try to break out of their place, to turn their surroundings around, or to take all the room.
    static let hostile = [
        "</text><script>alert(1)</script>\"'&]]>", "\u{202E}gnp.evil\u{2066}\u{2067}", "\u{2069}\u{2069}out\u{2068}",
        String(repeating: "W", count: 5_000), String(repeating: "wide ", count: 300), String(repeating: "🦋", count: 32),
        String(repeating: "👨‍👩‍👧‍👦", count: 32),
        "Z\u{0300}" + String(repeating: "\u{0301}\u{0316}\u{0489}", count: 500) + "algo",
        "\u{200B}\u{200B}\u{FEFF}\u{3164}\u{2800}", "", " ", "\u{0}\u{1}\u{7F}\u{85}\u{2028}\n\t", "\u{FFFE}\u{FFFF}",
        String(repeating: "שלום عليكم ", count: 20), "مرحبا", "ﷺ﷽𒐫⸻", String(repeating: "꧅", count: 40),
        "한국어 中文 日本語 ไทย हिन्दी", String(repeating: "\u{10FFFD}\u{E000}", count: 20), "A\u{E0041}\u{E007F}B",
        "x" + String(repeating: "\u{20DD}", count: 60), String(repeating: "\u{1F3F4}\u{200D}", count: 400),
    ]

    static func sign(name: String = "Quillhaven Night Kitchen", points: Int128? = 339_176) -> CharitySign {
        CharitySign(
            name: name, total: "339,176", caption: "points donated by 29 players",
            goal: points.map {
                CharitySign.Goal(
                    points: $0, goal: 600_000, percent: "56.5%", none: "0", half: "300,000", all: "600,000")
            })
    }

    static func player(name: String = "WildMoth777", line: String = "Rank 18 of 500 on High scores") -> PlayerCard {
        PlayerCard(
            name: name, portrait: .flag(Player.ID(rawValue: 1_748_309_165)), line: line, total: "703,900",
            caption: "points donated to 5 charities", shares: [630_000, 24_000, 24_000, 20_000, 5_900],
            address: "play.example/players/1748309165")
    }

    static func charity(name: String = "Quillhaven Night Kitchen", points: Int128? = 339_176) -> CharityCard {
        CharityCard(
            name: name, total: "339,176", caption: "points donated by 29 players",
            goal: points.map { CharityCard.Goal(points: $0, goal: 600_000, text: "56.5% of 600,000") },
            address: "play.example/charities/night-kitchen")
    }

    static func board(names: [String] = ["Ada", "WildMoth777", "Grace", "Quiet Otter", "Linus"]) -> BoardCard {
        BoardCard(
            name: "High scores", line: "Maze, all time",
            rows: names.enumerated().map { index, name in
                BoardCard.Row(
                    rank: index + 1, name: name,
                    portrait: index == 3 ? .anonymous : .flag(Player.ID(rawValue: Int64(index) * 7_919 + 11)),
                    points: "\(90 - index),412")
            }, emptyText: "Nobody has played this week.", address: "play.example/games/maze/boards/high-scores")
    }
}

/// The pixels of a PNG, as libgd decodes them.
struct Pixels {
    let width: Int
    let height: Int
    private let values: [Int32]

    /// Nil when the bytes are no PNG.
    init?(png: [UInt8]) {
        var png = png
        guard let image = gdImageCreateFromPngPtr(Int32(png.count), &png) else { return nil }
        defer { gdImageDestroy(image) }
        width = Int(image.pointee.sx)
        height = Int(image.pointee.sy)
        var values: [Int32] = []
        for y in 0..<image.pointee.sy {
            for x in 0..<image.pointee.sx { values.append(gdImageGetTrueColorPixel(image, x, y)) }
        }
        self.values = values
    }

    /// - Throws: When there are no bytes, or when they are no PNG.
    init(of png: [UInt8]?) throws {
        let png = try #require(png)
        self = try #require(Self(png: png))
    }

    /// A pixel as `0xRRGGBB`; higher bits are its transparency, 0 for none.
    subscript(x: Int, y: Int) -> Int32 { values[y * width + x] }
}
