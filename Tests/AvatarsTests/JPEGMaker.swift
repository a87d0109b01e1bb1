import CGD

/// Makes JPEGs with libgd, and adds EXIF segments to them.
enum JPEGMaker {
    /// - Parameter pixel: `0xRRGGBB`.
    static func jpeg(
        _ width: Int,
        _ height: Int,
        quality: Int32 = 90,
        isProgressive: Bool = false,
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
