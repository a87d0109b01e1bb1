import CGD
import Testing

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

    /// - Throws: When there are no bytes, or when they are no PNG.
    init(of png: [UInt8]?) throws {
        let png = try #require(png)
        self = try #require(Self(png: png))
    }

    /// A pixel as `0xRRGGBB`; higher bits are its transparency, 0 for none.
    subscript(x: Int, y: Int) -> Int32 { values[y * width + x] }
}
