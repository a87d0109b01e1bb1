import TestDice
import Testing

@testable import Avatars

/// Every kind of PNG that there is, beside libgd's own reader, and what warnings about them leave behind.
@Suite struct PNGKindTests {
    /// A colour type with one of the depths that it may have.
    struct Kind: Sendable, CustomStringConvertible {
        let type: PNGMaker.ColorType
        let depth: Int

        var description: String { "\(type) of \(depth) bits" }

        static let all =
            [1, 2, 4, 8, 16].map { Kind(type: .grey, depth: $0) }
            + [1, 2, 4, 8].map { Kind(type: .palette, depth: $0) }
            + [.rgb, .greyAlpha, .rgba].flatMap { type in [8, 16].map { Kind(type: type, depth: $0) } }

        /// A picture with samples of all values.
        func png(_ width: Int, _ height: Int, isInterlaced: Bool = false) -> [UInt8] {
            let colors = 1 << min(depth, 8)
            let palette: [(String, [UInt8])] = [
                ("PLTE", (0..<colors * 3).map { UInt8($0 * 37 % 256) }),
                ("tRNS", (0..<colors).map { [255, 0, 128, 7][$0 % 4] }),
            ]
            return PNGMaker.png(
                width, height, type, depth: depth, isInterlaced: isInterlaced, chunks: type == .palette ? palette : []
            ) { x, y in (0..<8).map { UInt8((x * 7 + y * 13 + $0 * 91) % colors) } }
        }
    }

    @Test("a PNG of every kind has the pixels that libgd reads", arguments: Kind.all) func pixels(_ kind: Kind) throws {
        let png = kind.png(40, 40)
        let expected = try #require(Pixels(png: png))
        let found = try #require(Pixels(png: try avatarPNG(from: png, limits: Samples.limits)))
        for y in 0..<40 {
            for x in 0..<40 {
                #expect(found[x, y].alpha == expected[x, y].alpha, "\(x) \(y)")
                #expect(found[x, y] == expected[x, y] || expected[x, y].alpha == 127, "\(x) \(y)")
            }
        }
    }

    @Test("an interlaced PNG becomes the avatar of the plain one", arguments: Kind.all, [(1, 1), (40, 40), (57, 90)])
    func interlaced(_ kind: Kind, _ size: (width: Int, height: Int)) throws {
        let interlaced = kind.png(size.width, size.height, isInterlaced: true)
        #expect(
            try avatarPNG(from: interlaced, limits: Samples.limits)
                == avatarPNG(from: kind.png(size.width, size.height), limits: Samples.limits))
    }

    @Test("of 16 bits only the very colour that is named is transparent") func key() throws {
        let png = PNGMaker.png(40, 40, .grey, depth: 16, chunks: [("tRNS", [9, 1])]) { x, _ in [9, x < 20 ? 1 : 2] }
        let pixels = try #require(Pixels(png: try avatarPNG(from: png, limits: Samples.limits)))
        #expect(pixels[5, 5].alpha == 127)
        #expect(pixels[35, 5] == (9, 9, 9, 0))
    }

    @Test("a file whose pixels end early is refused") func short() {
        let png = PNGMaker.png(8, 8, .rgb) { _, _ in [1, 2, 3] }
        let higher = PNGMaker.signature + PNGMaker.header(8, 9, .rgb) + png.dropFirst(headEnd)
        #expect(Samples.error(higher) == .broken)
    }

    @Test("many compressed bytes after the pixels are refused, and few are not") func long() {
        func picture(rows: Int) -> [UInt8] {
            let png = PNGMaker.png(100, rows, .rgb) { _, _ in [0, 0, 0] }
            return PNGMaker.signature + PNGMaker.header(1, 1, .rgb) + png.dropFirst(headEnd)
        }
        #expect(Samples.error(picture(rows: 20)) == nil)
        #expect(Samples.error(picture(rows: 200)) == .broken)
    }

    @Test("no picture leaves a line on standard error, whatever is wrong with it", .timeLimit(.minutes(5)))
    func silence() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for picture in try Odd.pictures() { _ = try? avatarPNG(from: picture, limits: Samples.limits) }
        }
        let printed = try #require(result).standardErrorContent
        #expect(String(decoding: printed, as: UTF8.self).isEmpty)
    }

    @Test("a picture that libpng only warns about is taken") func warnings() {
        for picture in Odd.warned { #expect(Samples.error(picture) == nil) }
    }

    /// Pictures that decoders have something to say about.
    private enum Odd {
        static let warned = [
            // More rows than its header says.
            PNGMaker.signature + PNGMaker.header(8, 8, .rgb)
                + PNGMaker.png(8, 12, .rgb) { _, _ in [1, 2, 3] }.dropFirst(headEnd),
            // Colours beyond the palette.
            PNGMaker.png(8, 8, .palette, chunks: [("PLTE", [1, 2, 3])]) { x, _ in [UInt8(x)] },
            // Transparency for more colours than there are, and for a picture with an alpha channel.
            PNGMaker.png(8, 8, .palette, chunks: [("PLTE", [1, 2, 3]), ("tRNS", [0, 1, 2])]) { _, _ in [0] },
            PNGMaker.png(8, 8, .rgba, chunks: [("tRNS", [0, 1])]) { _, _ in [1, 2, 3, 4] },
            // A palette that nothing needs.
            PNGMaker.png(8, 8, .rgb, chunks: [("PLTE", [1, 2, 3])]) { _, _ in [1, 2, 3] },
        ]

        static func pictures() throws -> [[UInt8]] {
            let whole =
                try Samples.everyKind() + warned + Kind.all.map { $0.png(9, 9, isInterlaced: true) } + [
                    JPEGMaker.jpeg(200, 200) { Int32($0 &* 7919 &* $1 & 0xFFFFFF) }
                ]
            var random = Dice(seed: 2009)
            return whole
                + (0..<2_000).map { round in
                    var bytes = whole[round % whole.count]
                    for _ in 0..<Int.random(in: 1...8, using: &random) {
                        let place = Int.random(in: 0..<bytes.count, using: &random)
                        bytes[place] = UInt8.random(in: 0...255, using: &random)
                    }
                    return bytes
                } + whole.map { $0.prefix($0.count / 2) + [0xFF, 0xD9] }
        }
    }
}

/// The bytes of a PNG up to the end of its header.
private let headEnd = PNGMaker.signature.count + PNGMaker.header(1, 1, .rgb).count
