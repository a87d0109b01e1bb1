import CGD

/// A picture in libgd's memory, 32 bits a pixel; this value is its only owner.
struct Picture: ~Copyable {
    private let image: gdImagePtr

    deinit { gdImageDestroy(image) }

    init(_ file: PNGFile) throws(AvatarError) {
        _ = Self.silenced
        let (bytes, width, height) = (file.essentials, Int32(file.width), Int32(file.height))
        try self.init(owning: causeboard_gd_png(bytes, bytes.count, width, height))
    }

    init(_ file: JPEGFile) throws(AvatarError) {
        // The compressed data of a JPEG has no checksum, so damage inside it shows in the picture, as it does in
        // browsers.
        _ = Self.silenced
        guard let size = Int32(exactly: file.bytes.count) else { throw .broken }
        let image = file.bytes.withUnsafeBytes { bytes in
            // libgd takes a mutable pointer but only reads.
            gdImageCreateFromJpegPtr(size, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
        try self.init(owning: image)
    }

    /// An empty square to draw on.
    private init(side: Int32) throws(AvatarError) { try self.init(owning: gdImageCreateTrueColor(side, side)) }

    private init(owning image: gdImagePtr?) throws(AvatarError) {
        guard let image else { throw .broken }
        self.image = image
        gdImageAlphaBlending(image, 0)  // drawing replaces pixels, including their transparency
    }

    /// The central square, scaled to 40x40 and turned upright.
    consuming func avatar(orientation: Orientation) throws(AvatarError) -> Picture {
        let side = Int32(avatarSide)
        let (width, height) = (image.pointee.sx, image.pointee.sy)
        let square = min(width, height)
        let scaled = try Picture(side: side)
        let (left, top) = ((width - square) / 2, (height - square) / 2)
        if square == side {
            gdImageCopy(scaled.image, image, 0, 0, left, top, side, side)
        } else {
            gdImageCopyResampled(scaled.image, image, 0, 0, left, top, side, side, square, square)
        }
        guard orientation != .upright else { return scaled }
        let turned = try Picture(side: side)
        for y in 0..<side {
            for x in 0..<side {
                let source = orientation.source(x: x, y: y, side: side)
                gdImageSetPixel(turned.image, x, y, gdImageGetTrueColorPixel(scaled.image, source.x, source.y))
            }
        }
        return turned
    }

    /// The picture as a PNG without metadata. It has an alpha channel only if some pixel needs one.
    consuming func png() throws(AvatarError) -> [UInt8] {
        gdImageSaveAlpha(image, isOpaque ? 0 : 1)
        var size: Int32 = 0
        guard let memory = gdImagePngPtrEx(image, &size, 9) else { throw .broken }
        defer { gdFree(memory) }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: memory, count: Int(size)))
        guard let essentials = PNGFile.essentials(of: ByteView(bytes[...])) else { throw .broken }
        return essentials
    }

    private var isOpaque: Bool {
        for y in 0..<image.pointee.sy {
            for x in 0..<image.pointee.sx where gdImageGetTrueColorPixel(image, x, y) & alphaMask != 0 { return false }
        }
        return true
    }

    private static let silenced: Void = causeboard_gd_silence()
}

/// libgd's pixels are `0xAARRGGBB` with 7 bits of alpha, of which 0 is opaque.
private let alphaMask: Int32 = 0x7F00_0000
