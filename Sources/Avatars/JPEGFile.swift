/// A JPEG whose segments were walked, nothing decoded (ITU-T T.81, annex B).
struct JPEGFile {
    /// From the start of the image to its end marker, without what follows.
    let bytes: ArraySlice<UInt8>
    let orientation: Orientation

    static func hasSignature(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xD8, 0xFF])
    }

    /// - Throws: `.tooManyPixels` by the frame header; `.broken` when there is no frame, no scan or no end, or more scans than a camera makes.
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
            case 0x01, 0xD0...0xD7: continue  // these stand alone
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
            case 0xE1:
                orientation = Orientation(exif: segment) ?? orientation
            default: break
            }
        }
        throw .broken
    }

    private static func checkFrame(_ frame: ByteView, sideMax: Int) throws(AvatarError) {
        guard let height = frame.number(1, lengthBytes: 2), let width = frame.number(3, lengthBytes: 2), width > 0, height > 0 else {
            throw .broken
        }
        guard width <= sideMax, height <= sideMax else { throw .tooManyPixels(width: width, height: height, max: sideMax) }
    }

    /// Steps behind the next marker; what lies before it is compressed data, in which FF is always followed by 0 or a restart marker.
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

/// A progressive JPEG costs the decoder one pass over all pixels for each scan, and a scan can be a few bytes long. Encoders make about ten.
private let scansMax = 32
