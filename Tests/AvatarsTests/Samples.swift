import CGD
import Foundation

@testable import Avatars

enum Samples {
    static let limits = AvatarLimits(bytesMax: 131_072, sideMax: 1024)

    /// A real avatar of 40x40 pixels.
    static func avatar40() throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden")
        return [UInt8](try Data(contentsOf: folder.appending(path: "avatar40.png")))
    }

    /// One valid picture of each kind.
    static func everyKind() throws -> [[UInt8]] {
        let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255]
        return [
            try avatar40(), PNGMaker.png(90, 50, .rgba) { [UInt8($0), UInt8($1), 9, UInt8($0)] },
            PNGMaker.png(64, 64, .palette, chunks: [("PLTE", palette), ("tRNS", [255, 0])]) { x, _ in [UInt8(x % 3)] },
            PNGMaker.png(50, 64, .greyAlpha) { [UInt8($0), UInt8($1)] },
            JPEGMaker.jpeg(120, 80) { Int32($0 << 16 | $1) },
            JPEGMaker.jpeg(80, 120, isProgressive: true) { Int32($0 << 16 | $1) },
        ]
    }

    static func error(_ bytes: [UInt8], limits: AvatarLimits = limits) -> AvatarError? {
        do throws(AvatarError) {
            _ = try avatarPNG(from: bytes, limits: limits)
            return nil
        } catch { return error }
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

    subscript(x: Int, y: Int) -> (red: Int, green: Int, blue: Int, alpha: Int) {
        let value = Int(values[y * width + x])
        return (value >> 16 & 255, value >> 8 & 255, value & 255, value >> 24 & 127)
    }

    /// Whether a pixel is near a colour, `0xRRGGBB`. JPEG never keeps colours exactly.
    func isNear(_ x: Int, _ y: Int, _ color: Int) -> Bool {
        let pixel = self[x, y]
        return zip([pixel.red, pixel.green, pixel.blue], [color >> 16 & 255, color >> 8 & 255, color & 255]).allSatisfy
        { abs($0 - $1) <= 24 }
    }
}
