import CGD

/// Writes PNGs of any kind without libgd and without compression, so that tests do not check a codec with itself.
enum PNGMaker {
    enum ColorType: UInt8 {
        case grey = 0, rgb = 2, palette = 3, greyAlpha = 4, rgba = 6

        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameters:
    ///   - depth: Bits of a sample.
    ///   - chunks: The chunks before the pixels, such as `PLTE` and `tRNS`.
    ///   - pixel: The samples of a pixel, one byte each, or two if they have 16 bits.
    static func png(
        _ width: Int, _ height: Int, _ type: ColorType, depth: Int = 8, isInterlaced: Bool = false,
        chunks: [(String, [UInt8])] = [], pixel: (_ x: Int, _ y: Int) -> [UInt8]
    ) -> [UInt8] {
        var rows: [UInt8] = []
        let passes: [Pass] = isInterlaced ? adam7 : [(0, 0, 1, 1)]
        for pass in passes where pass.x < width {
            for y in stride(from: pass.y, to: height, by: pass.yStep) {
                let samples = stride(from: pass.x, to: width, by: pass.xStep).flatMap { x in
                    pixel(x, y).prefix(type.samples * (depth == 16 ? 2 : 1))
                }
                rows += [0] + packed(samples, depth)
            }
        }
        var file = signature + header(width, height, type, depth: depth, isInterlaced: isInterlaced)
        for (name, data) in chunks { file += chunk(name, data) }
        return file + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
    }

    static func header(_ width: Int, _ height: Int, _ type: ColorType, depth: Int = 8, isInterlaced: Bool = false)
        -> [UInt8]
    {
        let size = bigEndian(width) + bigEndian(height)
        return chunk("IHDR", size + [UInt8(depth), type.rawValue, 0, 0, isInterlaced ? 1 : 0])
    }

    /// Where the pixels of a pass begin, and how far they are apart.
    private typealias Pass = (x: Int, y: Int, xStep: Int, yStep: Int)

    /// The passes of an interlaced PNG (PNG, third edition, section 8.2).
    private static let adam7: [Pass] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    /// Several samples in each byte, if they have fewer than 8 bits.
    private static func packed(_ samples: [UInt8], _ depth: Int) -> [UInt8] {
        guard depth < 8 else { return samples }
        var bytes = [UInt8](repeating: 0, count: (samples.count * depth + 7) / 8)
        for (index, sample) in samples.enumerated() {
            bytes[index * depth / 8] |= sample << UInt8(8 - depth - index * depth % 8)
        }
        return bytes
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
    }

    /// A zlib stream (RFC 1950) of stored blocks.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let length = end - start
            out += [
                end == bytes.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255),
                UInt8(~length >> 8 & 255),
            ]
            out += bytes[start..<end]
            start = end
        } while start < bytes.count
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return out + bigEndian(b << 16 | a)
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}

/// Makes JPEGs with libgd, and adds EXIF segments to them.
enum JPEGMaker {
    /// - Parameter pixel: `0xRRGGBB`.
    static func jpeg(
        _ width: Int, _ height: Int, quality: Int32 = 90, isProgressive: Bool = false,
        pixel: (_ x: Int, _ y: Int) -> Int32
    ) -> [UInt8] {
        guard let image = gdImageCreateTrueColor(Int32(width), Int32(height)) else { return [] }
        defer { gdImageDestroy(image) }
        for y in 0..<height { for x in 0..<width { gdImageSetPixel(image, Int32(x), Int32(y), pixel(x, y)) } }
        gdImageInterlace(image, isProgressive ? 1 : 0)
        var size: Int32 = 0
        guard let memory = gdImageJpegPtr(image, &size, quality) else { return [] }
        defer { gdFree(memory) }
        return [UInt8](UnsafeRawBufferPointer(start: memory, count: Int(size)))
    }

    /// The JPEG with an EXIF segment that names an orientation, 1...8, as its first segment.
    static func oriented(_ jpeg: [UInt8], _ orientation: UInt8, isBigEndian: Bool) -> [UInt8] {
        let data = exif(orientation, isBigEndian: isBigEndian)
        return jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(data.count + 2)] + data + jpeg.dropFirst(2)
    }

    /// EXIF with the mark that begins it in a JPEG.
    static func exif(_ orientation: UInt8, isBigEndian: Bool) -> [UInt8] {
        let tiff: [UInt8] =
            isBigEndian
            ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
            : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        return Array("Exif\0\0".utf8) + tiff
    }
}
