/// A JPEG whose segments have been walked; nothing is decoded (ITU-T T.81, annex B).
struct JPEGFile {
    /// The file from its start to its end marker, without trailing bytes.
    let bytes: ArraySlice<UInt8>
    let orientation: Orientation

    static func hasSignature(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

    /// - Throws: `.tooManyPixels` when the frame header exceeds `sideMax`; `.broken` when there is no frame, no scan or
    ///   no end, more than one frame, or more scans than a camera makes.
    init(_ file: [UInt8], sideMax: Int) throws(AvatarError) {
        let view = ByteView(file[...])
        var orientation = Orientation.upright
        var frames = 0
        var scans = 0
        var offset = 2
        while let marker = Self.nextMarker(in: view, &offset) {
            switch marker {
            case 0xD9:  // end of image
                guard frames == 1, scans > 0 else { throw .broken }
                self.bytes = file[..<offset]
                self.orientation = orientation
                return
            case 0x01, 0xD0...0xD7: continue  // these markers have no segment
            default: break
            }
            guard let length = view.number(offset, lengthBytes: 2), length >= 2,
                let segment = view.part(offset + 2, lengthBytes: length - 2)
            else { throw .broken }
            offset += length
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:  // start of frame
                frames += 1
                try Self.checkFrame(ByteView(segment), sideMax: sideMax)
            case 0xDA:  // start of scan
                scans += 1
                guard scans <= scansMax else { throw .broken }
            case 0xE1: orientation = Orientation(segment: segment) ?? orientation
            default: break
            }
        }
        throw .broken
    }

    private static func checkFrame(_ frame: ByteView, sideMax: Int) throws(AvatarError) {
        guard let height = frame.number(1, lengthBytes: 2), let width = frame.number(3, lengthBytes: 2), width > 0,
            height > 0
        else { throw .broken }
        guard width <= sideMax, height <= sideMax else {
            throw .tooManyPixels(width: width, height: height, max: sideMax)
        }
    }

    /// Moves `offset` behind the next marker. What lies before it is compressed data, in which FF is always followed by
    /// 0 or a restart marker.
    private static func nextMarker(in view: ByteView, _ offset: inout Int) -> UInt8? {
        while let byte = view.byte(offset) {
            offset += 1
            guard byte == 0xFF, let marker = view.byte(offset), marker != 0xFF else { continue }
            offset += 1
            if marker != 0 { return marker }
        }
        return nil
    }
}

/// Scans of a JPEG at most. A progressive JPEG costs the decoder one pass over all pixels for each scan, and a scan can
/// be a few bytes long. Encoders make about ten.
private let scansMax = 32

/// How a picture must be turned to stand upright; raw values as in EXIF 2.3, tag 0x0112.
enum Orientation: Int, Sendable {
    case upright = 1, mirrored, halfTurn, flipped, transposed, quarterTurnRight, transversed, quarterTurnLeft

    /// Reads the contents of a JPEG's APP1 segment; nil when they are no EXIF or name no orientation.
    init?(segment: ArraySlice<UInt8>) {
        guard segment.starts(with: Self.marker) else { return nil }
        self.init(exif: segment)
    }

    /// Reads EXIF, with or without the mark that begins it in a JPEG; nil when it names no orientation.
    init?(exif: ArraySlice<UInt8>) {
        let tiff = ByteView(exif.starts(with: Self.marker) ? exif.dropFirst(Self.marker.count) : exif)
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

    private static let marker = Array("Exif\0\0".utf8)

    /// The place in the stored picture of the pixel at `x`, `y` of the upright one; both are squares of `side` pixels.
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
