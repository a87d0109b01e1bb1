import CGD

/// A picture in libgd's memory, 32 bits a pixel; this value is its only owner.
struct Picture: ~Copyable {
    private let image: gdImagePtr

    deinit {
        gdImageDestroy(image)
    }

    init(_ file: PNGFile) throws(AvatarError) {
        try self.init(owning: Self.decode(file.essentials, gdImageCreateFromPngPtr))
    }

    init(_ file: JPEGFile) throws(AvatarError) {
        // The compressed data of a JPEG has no checksum, so damage inside it shows in the picture, as it does in
        // browsers.
        try self.init(owning: Self.decode(Array(file.bytes), gdImageCreateFromJpegPtr))
    }

    /// An empty square to draw on.
    private init(side: Int32) throws(AvatarError) {
        try self.init(owning: gdImageCreateTrueColor(side, side))
    }

    private init(owning image: gdImagePtr?) throws(AvatarError) {
        guard let image else { throw .broken }
        self.image = image
        gdImageAlphaBlending(image, 0)  // drawing replaces pixels, including their transparency
        gdImagePaletteToTrueColor(image)
        clearColorKey()
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

    /// Makes the pixels of the transparent colour transparent. A PNG without an alpha channel may name one such colour;
    /// libgd keeps it apart from the pixels, where scaling ignores it.
    private func clearColorKey() {
        let key = image.pointee.transparent
        guard key >= 0 else { return }
        gdImageColorTransparent(image, -1)
        for y in 0..<image.pointee.sy {
            for x in 0..<image.pointee.sx where gdImageGetTrueColorPixel(image, x, y) == key {
                gdImageSetPixel(image, x, y, clear)
            }
        }
    }

    private static func decode(
        _ bytes: [UInt8],
        _ decoder: (_ size: Int32, _ data: UnsafeMutableRawPointer?) -> gdImagePtr?
    ) -> gdImagePtr? {
        _ = silenced
        guard let size = Int32(exactly: bytes.count) else { return nil }
        // libgd takes a mutable pointer but only reads.
        return bytes.withUnsafeBytes { decoder(size, UnsafeMutableRawPointer(mutating: $0.baseAddress)) }
    }

    private static let silenced: Void = causeboard_gd_silence()
}

/// libgd's pixels are `0xAARRGGBB` with 7 bits of alpha: 0 is opaque and 127 is transparent.
private let alphaMask: Int32 = 0x7F00_0000
private let clear: Int32 = 0x7F00_0000
