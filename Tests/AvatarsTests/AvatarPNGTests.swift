import Testing

@testable import Avatars

@Suite struct AvatarPNGTests {
    @Test("a picture of every kind becomes a 40x40 PNG with pixels and nothing else, the same each time")
    func everyKind() throws {
        for picture in try Samples.everyKind() {
            let avatar = try avatarPNG(from: picture, limits: Samples.limits)
            let pixels = try #require(Pixels(png: avatar))
            #expect((pixels.width, pixels.height) == (40, 40))
            #expect(try avatarPNG(from: picture, limits: Samples.limits) == avatar)
            #expect(try avatarPNG(from: avatar, limits: Samples.limits) == avatar, "an avatar stays what it is")
            #expect(avatar.count < 8_192)
        }
    }

    @Test("a picture of 40x40 keeps its pixels exactly") func exact() throws {
        let before = try #require(Pixels(png: try Samples.avatar40()))
        let after = try #require(Pixels(png: try avatarPNG(from: try Samples.avatar40(), limits: Samples.limits)))
        for y in 0..<40 { for x in 0..<40 { #expect(before[x, y] == after[x, y]) } }
    }

    @Test(
        "pictures of any size up to the limit are taken",
        arguments: [(1, 1), (1, 1024), (1024, 1), (39, 41), (41, 1000)]) func sizes(_ width: Int, _ height: Int) throws
    {
        let png = PNGMaker.png(width, height, .grey) { _, _ in [128] }
        let pixels = try #require(Pixels(png: try avatarPNG(from: png, limits: Samples.limits)))
        #expect(pixels[0, 0] == (128, 128, 128, 0))
        #expect(pixels[39, 39] == (128, 128, 128, 0))
    }

    @Test("the largest JPEG is taken") func largest() throws {
        let jpeg = JPEGMaker.jpeg(1024, 1024, quality: 30) { x, _ in x < 512 ? 0xFF0000 : 0x0000FF }
        let pixels = try #require(Pixels(png: try avatarPNG(from: jpeg, limits: Samples.limits)))
        #expect(pixels.isNear(5, 20, 0xFF0000))
        #expect(pixels.isNear(35, 20, 0x0000FF))
    }

    @Test("what is not square loses its ends, not its middle") func crop() throws {
        let wide = PNGMaker.png(120, 40, .rgb) { x, _ in (40..<80).contains(x) ? [1, 2, 3] : [200, 200, 200] }
        let tall = PNGMaker.png(80, 240, .rgb) { _, y in (80..<160).contains(y) ? [1, 2, 3] : [200, 200, 200] }
        for picture in [wide, tall] {
            let pixels = try #require(Pixels(png: try avatarPNG(from: picture, limits: Samples.limits)))
            for corner in [pixels[0, 0], pixels[39, 0], pixels[0, 39], pixels[39, 39]] {
                #expect(corner == (1, 2, 3, 0))
            }
        }
    }

    @Test("transparency survives, whether it is a channel, a palette's or one colour's", arguments: [40, 80])
    func alpha(_ side: Int) throws {
        let half = side / 2
        let channel = PNGMaker.png(side, side, .rgba) { x, _ in [10, 20, 30, x < half ? 0 : 255] }
        let palette = PNGMaker.png(side, side, .palette, chunks: [("PLTE", [9, 9, 9, 10, 20, 30]), ("tRNS", [0])]) {
            x, _ in x < half ? [0] : [1]
        }
        let key = PNGMaker.png(side, side, .rgb, chunks: [("tRNS", [0, 1, 0, 2, 0, 3])]) { x, _ in
            x < half ? [1, 2, 3] : [10, 20, 30]
        }
        let grey = PNGMaker.png(side, side, .greyAlpha) { x, _ in [10, x < half ? 0 : 255] }
        for (name, picture) in [("channel", channel), ("palette", palette), ("key", key), ("grey", grey)] {
            let pixels = try #require(Pixels(png: try avatarPNG(from: picture, limits: Samples.limits)))
            #expect(pixels[5, 20].alpha == 127, "\(name)")
            #expect(pixels[35, 20].alpha == 0, "\(name)")
            #expect(pixels[35, 20].red == 10, "\(name)")
        }
    }

    @Test("a picture without transparency has no alpha channel") func opaque() throws {
        let avatar = try avatarPNG(
            from: PNGMaker.png(64, 64, .rgba) { _, _ in [1, 2, 3, 255] }, limits: Samples.limits)
        #expect(avatar[25] == PNGMaker.ColorType.rgb.rawValue)
    }

    @Test(
        "a photograph stands upright, whichever way the phone was held", arguments: 1...8 as ClosedRange<UInt8>,
        [true, false]) func orientation(_ orientation: UInt8, isBigEndian: Bool) throws
    {
        // The corners of the stored picture, clockwise from top left. EXIF says where the upright picture's top left
        // is.
        let colors: [Int32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
        let jpeg = JPEGMaker.jpeg(80, 80) { x, y in
            y < 40 ? (x < 40 ? colors[0] : colors[1]) : (x < 40 ? colors[3] : colors[2])
        }
        // A PNG has the same EXIF in a chunk of its own, without the mark, or with it where a writer copied a JPEG's.
        let exif = JPEGMaker.exif(orientation, isBigEndian: isBigEndian)
        func png(_ exif: [UInt8]) -> [UInt8] {
            PNGMaker.png(80, 80, .rgb, chunks: [("eXIf", exif)]) { x, y in
                let color = y < 40 ? (x < 40 ? colors[0] : colors[1]) : (x < 40 ? colors[3] : colors[2])
                return [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
            }
        }
        for turned in [
            JPEGMaker.oriented(jpeg, orientation, isBigEndian: isBigEndian), png(Array(exif.dropFirst(6))), png(exif),
        ] { try expectUpright(turned, orientation, colors) }
    }

    private func expectUpright(_ turned: [UInt8], _ orientation: UInt8, _ colors: [Int32]) throws {
        let pixels = try #require(Pixels(png: try avatarPNG(from: turned, limits: Samples.limits)))
        // EXIF 2.3, tag 0x0112: the sides of the upright picture where row 0 and column 0 of the stored picture are.
        let upright: [[Int]] = [
            [0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0], [0, 3, 2, 1], [3, 0, 1, 2], [2, 1, 0, 3],
            [1, 2, 3, 0],
        ]
        for (corner, (x, y)) in [(5, 5), (35, 5), (35, 35), (5, 35)].enumerated() {
            #expect(pixels.isNear(x, y, Int(colors[upright[Int(orientation) - 1][corner]])), "corner \(corner)")
        }
    }

    @Test("metadata stays behind") func metadata() throws {
        let secret = Array("48.2082 N, 16.3738 E".utf8)
        let png = PNGMaker.png(64, 64, .rgb, chunks: [("tEXt", Array("Comment\0".utf8) + secret), ("iCCP", secret)]) {
            _, _ in [1, 2, 3]
        }
        let avatar = try avatarPNG(from: png, limits: Samples.limits)
        #expect(
            avatar == (try avatarPNG(from: PNGMaker.png(64, 64, .rgb) { _, _ in [1, 2, 3] }, limits: Samples.limits)))
    }

    @Test("pictures made side by side are those made one by one") func concurrent() async throws {
        let pictures = try Samples.everyKind()
        let expected = try pictures.map { try avatarPNG(from: $0, limits: Samples.limits) }
        await withTaskGroup(of: Bool.self) { group in
            for round in 0..<60 {
                group.addTask {
                    let kind = round % pictures.count
                    return (try? avatarPNG(from: pictures[kind], limits: Samples.limits)) == expected[kind]
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
