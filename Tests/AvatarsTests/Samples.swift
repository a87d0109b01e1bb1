import Foundation

@testable import Avatars

enum Samples {
    static let limits = AvatarLimits(bytesMax: 131_072, sideMax: 1024)

    /// A real avatar of 40x40 pixels.
    static func avatar40() throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden"
        )
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
