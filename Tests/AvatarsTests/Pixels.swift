import CGD

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
