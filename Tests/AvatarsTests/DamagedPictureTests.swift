import TestDice
import Testing

@testable import Avatars

/// A damaged file gives an avatar or an error, and never a crash.
@Suite struct DamagedPictureTests {
    @Test("a file that ends early is refused, wherever it ends") func truncated() throws {
        for picture in try Samples.everyKind() {
            for length in stride(from: 0, to: picture.count, by: 64) + [picture.count - 1] {
                #expect(Samples.error(Array(picture.prefix(length))) != nil, "\(length) of \(picture.count)")
            }
        }
    }

    @Test("a JPEG with damage inside, which no checksum tells, becomes an avatar that shows it") func damagedInside() {
        let jpeg = JPEGMaker.jpeg(200, 200) { Int32($0 &* 7919 &* $1 & 0xFFFFFF) }
        #expect(Samples.error(jpeg.prefix(jpeg.count / 2) + [0xFF, 0xD9]) == nil)
    }

    @Test("a PNG with damage inside is refused by its checksums") func checksum() {
        var png = PNGMaker.png(64, 64, .rgb) { [UInt8($0), UInt8($1), 0] }
        png[png.count / 2] ^= 1
        #expect(Samples.error(png) == .broken)
    }

    @Test(
        "2,000 files with random bytes changed, removed or doubled are avatars or errors", arguments: Dice.seeds(2009))
    func mutated(seed: UInt64) throws {
        let pictures = try Samples.everyKind()
        var random = Dice(seed: seed)
        for round in 0..<2_000 {
            var bytes = pictures[round % pictures.count]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(place + Int.random(in: 1...16, using: &random), bytes.count)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(place..<end)
                case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                if bytes.isEmpty { break }
            }
            if let avatar = try? avatarPNG(from: bytes, limits: Samples.limits) {
                let pixels = Pixels(png: avatar)
                #expect(pixels?.width == 40 && pixels?.height == 40)
            }
        }
    }

    @Test("an EXIF segment of random bytes does no harm", arguments: Dice.seeds(1)) func exif(seed: UInt64) {
        var random = Dice(seed: seed)
        for _ in 0..<2_000 {
            let noise = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let start = Array("Exif\0\0".utf8) + (Bool.random(using: &random) ? [0x4D, 0x4D] : [0x49, 0x49])
            _ = Orientation(exif: (start + noise)[...])
        }
        #expect(Orientation(exif: []) == nil)
    }
}

private func + (one: StrideTo<Int>, other: [Int]) -> [Int] { Array(one) + other }
