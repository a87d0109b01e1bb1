import Testing

@testable import Avatars

@Suite struct RefusedPictureTests {
    @Test(
        "what is no picture is refused",
        arguments: [[], [0], Array("GIF89a".utf8), Array("<svg/>".utf8), [0xFF], [0xFF, 0xD8]] as [[UInt8]])
    func notPicture(_ bytes: [UInt8]) { #expect(Samples.error(bytes) == .notPicture) }

    @Test("one pixel too wide or too high is refused by the header") func tooLarge() {
        let wide = PNGMaker.png(1025, 1, .grey) { _, _ in [0] }
        #expect(Samples.error(wide) == .tooManyPixels(width: 1025, height: 1, max: 1024))
        let high = JPEGMaker.jpeg(8, 1025) { _, _ in 0 }
        #expect(Samples.error(high) == .tooManyPixels(width: 8, height: 1025, max: 1024))
    }

    @Test("a file of too many bytes is refused before it is looked at") func tooManyBytes() {
        let limits = AvatarLimits(bytesMax: 100, sideMax: 1024)
        #expect(Samples.error([UInt8](repeating: 0, count: 101), limits: limits) == .tooManyBytes(101, max: 100))
        #expect(Samples.error([UInt8](repeating: 0, count: 100), limits: limits) == .notPicture)
    }

    @Test("a bomb is refused by what it claims") func bomb() {
        for side in [5_000, 65_535, Int(Int32.max), Int(UInt32.max)] {
            let bomb = PNGMaker.signature + PNGMaker.header(side, side, .rgba)
            #expect(Samples.error(bomb) == .tooManyPixels(width: side, height: side, max: 1024))
        }
        #expect(Samples.error(PNGMaker.signature + PNGMaker.header(0, 5, .rgba)) == .broken)
    }

    @Test("a JPEG with more scans than any camera makes is refused") func scans() throws {
        let jpeg = JPEGMaker.jpeg(16, 16, isProgressive: true) { _, _ in 0x808080 }
        let start = try #require(jpeg.indices.last { jpeg[$0...].starts(with: [0xFF, 0xDA]) })
        let scan = jpeg[start..<(jpeg.count - 2)]
        #expect(Samples.error(jpeg) == nil)
        #expect(Samples.error(jpeg.dropLast(2) + (0..<40).flatMap { _ in scan } + [0xFF, 0xD9]) == .broken)
    }

    @Test("a PNG as Xcode packs it into an app has a reason of its own") func ofXcode() {
        let plain = PNGMaker.png(8, 8, .rgba) { _, _ in [1, 2, 3, 255] }
        let packed =
            PNGMaker.signature + PNGMaker.chunk("CgBI", [0x50, 0, 0x20, 2]) + plain.dropFirst(PNGMaker.signature.count)
        #expect(Samples.error(packed) == .ofXcode)
        #expect(AvatarError.ofXcode.description.contains("CgBI"))
    }

    @Test("a PNG whose EXIF is cut, or names no orientation, is taken as it is") func oddEXIF() {
        for exif in [[], [0x4D], Array("MM\0*".utf8), Array("Exif\0\0".utf8), [UInt8](repeating: 0xFF, count: 64)] {
            let png = PNGMaker.png(8, 8, .rgb, chunks: [("eXIf", exif)]) { _, _ in [1, 2, 3] }
            #expect(Samples.error(png) == nil, "\(exif)")
        }
    }

    @Test("the reason is a sentence") func sentences() {
        #expect(AvatarError.notPicture.description == "The image is no PNG or JPEG.")
        #expect(
            AvatarError.tooManyPixels(width: 5000, height: 4000, max: 1024).description
                == "The image is 5000x4000, at most 1024x1024.")
        #expect(
            AvatarError.tooManyBytes(200_000, max: 131_072).description == "The image is 200000 bytes, at most 131072.")
        #expect(AvatarError.broken.description == "The image is broken or incomplete.")
    }
}
