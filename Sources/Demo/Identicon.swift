import Avatars
import CGD
import Domain

/// Pictures for players without one of their own: a mirrored pattern of 5x5 squares in two colours.
enum Identicon {
    /// - Parameter count: At most 16,384, the number of different patterns.
    /// - Returns: PNGs as the server would have stored them.
    static func pictures(_ count: Int, seed: UInt64) throws(AvatarError) -> [[UInt8]] {
        var chance = Chance(seed: seed, subject: 0x9C7)
        let shift = chance.below(1 << 14)
        var pictures: [[UInt8]] = []
        for index in 0..<count {
            // An odd factor visits every pattern once before the first one repeats.
            let bits = (index * 5_741 + shift) & 0x3FFF
            pictures.append(try picture(bits, colour: chance.one(of: colours), background: chance.one(of: backgrounds)))
        }
        return pictures
    }

    /// - Parameter bits: 14 bits for the cells of the left half and the middle column, row by row from the top. The
    ///   cell in the centre has none: it is always drawn, so that no picture is empty.
    private static func picture(_ bits: Int, colour: Int32, background: Int32) throws(AvatarError) -> [UInt8] {
        let cells = 5
        let cell = Int32(avatarSide / cells)
        guard let image = gdImageCreateTrueColor(Int32(avatarSide), Int32(avatarSide)) else { throw .broken }
        defer { gdImageDestroy(image) }
        gdImageFilledRectangle(image, 0, 0, Int32(avatarSide) - 1, Int32(avatarSide) - 1, background)
        var rest = bits
        for row in 0..<Int32(cells) {
            for column in 0..<Int32(3) {
                let isMiddle = row == 2 && column == 2
                let isDrawn = isMiddle || rest & 1 == 1
                if !isMiddle { rest >>= 1 }
                guard isDrawn else { continue }
                for left in [column * cell, (Int32(cells) - 1 - column) * cell] {
                    gdImageFilledRectangle(image, left, row * cell, left + cell - 1, row * cell + cell - 1, colour)
                }
            }
        }
        var size: Int32 = 0
        guard let memory = gdImagePngPtr(image, &size) else { throw .broken }
        defer { gdFree(memory) }
        let drawn = [UInt8](UnsafeRawBufferPointer(start: memory, count: Int(size)))
        return try avatarPNG(from: drawn, limits: AvatarLimits(bytesMax: Limits.avatarBytesMax, sideMax: avatarSide))
    }

    /// Colours are `0xRRGGBB`, opaque.
    private static let colours: [Int32] = [
        0xC0392B, 0xD35400, 0xB7950B, 0x1E8449, 0x117A65, 0x2471A3, 0x1A5276, 0x6C3483, 0x884EA0, 0xAD1457, 0x4E342E,
        0x37474F, 0x00838F, 0x558B2F, 0xE91E63, 0x3949AB,
    ]
    private static let backgrounds: [Int32] = [0xF4F6F7, 0xFEF9E7, 0xEAF2F8, 0xFDEDEC, 0xE8F8F5, 0xF5EEF8]
}
