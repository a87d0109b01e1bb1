/// How a picture must be turned to stand upright; raw values as in EXIF 2.3, tag 0x0112.
enum Orientation: Int, Sendable {
    case upright = 1, mirrored, halfTurn, flipped, transposed, quarterTurnRight, transversed, quarterTurnLeft

    /// From the contents of a JPEG's APP1 segment; nil when it is no EXIF or does not say.
    init?(exif segment: ArraySlice<UInt8>) {
        guard segment.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        let tiff = ByteView(segment.dropFirst(6))
        let isBigEndian: Bool
        switch tiff.number(0, lengthBytes: 2) {
        case 0x4D4D: isBigEndian = true
        case 0x4949: isBigEndian = false
        default: return nil
        }
        guard let directory = tiff.number(4, lengthBytes: 4, isBigEndian: isBigEndian),
            let entries = tiff.number(directory, lengthBytes: 2, isBigEndian: isBigEndian)
        else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + index * 12
            guard let tag = tiff.number(entry, lengthBytes: 2, isBigEndian: isBigEndian) else { return nil }
            guard tag == 0x0112 else { continue }
            guard let value = tiff.number(entry + 8, lengthBytes: 2, isBigEndian: isBigEndian) else { return nil }
            self.init(rawValue: value)
            return
        }
        return nil
    }

    /// Where the pixel at `x`, `y` of the upright picture lies in the stored one; both are squares of `side` pixels.
    func source(x: Int32, y: Int32, side: Int32) -> (x: Int32, y: Int32) {
        let last = side - 1
        return switch self {
        case .upright: (x, y)
        case .mirrored: (last - x, y)
        case .halfTurn: (last - x, last - y)
        case .flipped: (x, last - y)
        case .transposed: (y, x)
        case .quarterTurnRight: (y, last - x)
        case .transversed: (last - y, last - x)
        case .quarterTurnLeft: (last - y, x)
        }
    }
}
