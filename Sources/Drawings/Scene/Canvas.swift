import CFreeType
import CGD

/// Pixels in libgd's memory, 32 bits each; this value is their only owner. Outlines and letters become pixels through
/// FreeType, which smooths their edges.
struct Canvas: ~Copyable {
    private let image: gdImagePtr
    private let library: FT_Library
    /// Pixels of the picture for each pixel of the drawing.
    private let scale: Double

    private let hasAlpha: Bool

    /// Nil when there is no memory, or when the picture would be larger than ``sideMax`` pixels.
    /// - Parameter hasAlpha: Whether some pixels stay transparent.
    init?(width: Double, height: Double, scale: Double, hasAlpha: Bool, library: FT_Library) {
        let (width, height) = ((width * scale).rounded(), (height * scale).rounded())
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height),
            let image = gdImageCreateTrueColor(Int32(width), Int32(height))
        else { return nil }
        causeboard_gd_silence()
        self.image = image
        self.library = library
        self.scale = scale
        self.hasAlpha = hasAlpha
        gdImageAlphaBlending(image, 0)
        gdImageFilledRectangle(image, 0, 0, Int32(width) - 1, Int32(height) - 1, Self.clear)
        gdImageAlphaBlending(image, 1)
    }

    deinit { gdImageDestroy(image) }

    /// The pixels as a PNG without metadata.
    consuming func png() -> [UInt8]? {
        gdImageSaveAlpha(image, hasAlpha ? 1 : 0)
        var size: Int32 = 0
        guard let memory = gdImagePngPtrEx(image, &size, 6) else { return nil }
        defer { gdFree(memory) }
        return [UInt8](UnsafeRawBufferPointer(start: memory, count: Int(size)))
    }

    /// Covers everything.
    func fill(_ color: HexColor) {
        gdImageFilledRectangle(
            image, 0, 0, image.pointee.sx - 1, image.pointee.sy - 1, Self.pixel(color, coverage: 255))
    }

    func fill(_ shape: Shape, _ color: HexColor, _ place: Transform) {
        guard var outline = Outline(Contours(shape), place.scaled(scale), library) else { return }
        paint(&outline.raw, color)
    }

    func stroke(_ path: PathData, widthPixels: Double, _ color: HexColor, _ place: Transform) {
        let place = place.scaled(scale)
        guard var line = Outline(Contours(.path(path)), place, library),
            var area = line.stroked(widthPixels: widthPixels * place.scale, library)
        else { return }
        paint(&area.raw, color)
    }

    func text(_ line: TextLine, _ place: Transform, _ fonts: FontBook) {
        let place = place.scaled(scale)
        clip(place.box(line.clip))
        defer { gdImageSetClip(image, 0, 0, image.pointee.sx - 1, image.pointee.sy - 1) }
        let style = TextStyle(face: line.style.face, sizePixels: line.style.sizePixels * place.scale)
        let shaped = ShapedText(line.text, style, fonts)
        let anchor = place.x + line.x * place.scale
        let baseline = (place.y + line.baseline * place.scale).rounded()
        let start =
            switch line.anchor {
            case .start: anchor
            case .middle: anchor - shaped.width / 2
            case .end: anchor - shaped.width
            }
        for (mark, x) in shaped.marks {
            switch mark {
            case .box:
                let color = line.color
                for side in ShapedText.box(style, x: start + x, baseline: baseline) {
                    guard var outline = Outline(Contours(side), Transform(), library) else { continue }
                    paint(&outline.raw, color)
                }
            case .glyph(let face, let id): draw(face, id, style, fonts, x: start + x, baseline: baseline, line.color)
            }
        }
    }

    /// Draws a picture into a square, with pixels as sharp as they are.
    func picture(_ picture: SmallPicture, _ box: Rectangle, _ place: Transform) {
        let box = place.scaled(scale).box(box)
        guard let bytes = Int32(exactly: picture.png.count) else { return }
        // libgd takes a mutable pointer but only reads.
        let decoded = picture.png.withUnsafeBytes {
            gdImageCreateFromPngPtr(bytes, UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
        guard let decoded else { return }
        defer { gdImageDestroy(decoded) }
        gdImageCopyResized(
            image, decoded, Self.pixel(box.x), Self.pixel(box.y), 0, 0, Self.pixel(box.width), Self.pixel(box.height),
            decoded.pointee.sx, decoded.pointee.sy)
    }

    private func clip(_ box: Rectangle) {
        gdImageSetClip(
            image, Self.pixel(box.x), Self.pixel(box.y), Self.pixel(box.x + box.width) - 1,
            Self.pixel(box.y + box.height) - 1)
    }

    private func draw(
        _ face: FT_Face, _ id: FT_UInt, _ style: TextStyle, _ fonts: FontBook, x: Double, baseline: Double,
        _ color: HexColor
    ) {
        guard FT_Load_Glyph(face, id, causeboard_ft_load_flags) == 0, let slot = face.pointee.glyph else { return }
        let whole = x.clamped(-Self.sideMax, 2 * Self.sideMax).rounded(.down)
        FT_Outline_Translate(&slot.pointee.outline, FT_Pos((x - whole).clamped(0, 1) * 64), 0)
        guard FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return }
        let left = Int32(whole) &+ slot.pointee.bitmap_left
        let top = Self.pixel(baseline) &- slot.pointee.bitmap_top
        paint(slot.pointee.bitmap, left: left, top: top, color)
    }

    private func paint(_ outline: inout FT_Outline, _ color: HexColor) {
        var box = FT_BBox()
        FT_Outline_Get_CBox(&outline, &box)
        // Whole pixels around the outline, within the canvas; FreeType's y grows upwards.
        let left = max(box.xMin >> 6, 0)
        let right = min((box.xMax + 63) >> 6, FT_Pos(image.pointee.sx))
        let bottom = max(box.yMin >> 6, -FT_Pos(image.pointee.sy))
        let top = min((box.yMax + 63) >> 6, 0)
        guard left < right, bottom < top else { return }
        FT_Outline_Translate(&outline, -left * 64, -bottom * 64)
        let (width, height) = (Int(right - left), Int(top - bottom))
        var coverage = [UInt8](repeating: 0, count: width * height)
        coverage.withUnsafeMutableBufferPointer { pixels in
            var bitmap = FT_Bitmap()
            bitmap.rows = UInt32(height)
            bitmap.width = UInt32(width)
            bitmap.pitch = Int32(width)
            bitmap.buffer = pixels.baseAddress
            bitmap.num_grays = 256
            bitmap.pixel_mode = .init(truncatingIfNeeded: FT_PIXEL_MODE_GRAY.rawValue)
            guard FT_Outline_Get_Bitmap(library, &outline, &bitmap) == 0 else { return }
            paint(bitmap, left: Int32(left), top: Int32(-top), color)
        }
    }

    /// Paints a colour as far as each pixel is covered. libgd leaves out what is outside of the clip.
    private func paint(_ bitmap: FT_Bitmap, left: Int32, top: Int32, _ color: HexColor) {
        guard let buffer = bitmap.buffer, bitmap.pitch > 0, UInt32(bitmap.pixel_mode) == FT_PIXEL_MODE_GRAY.rawValue
        else { return }
        for row in 0..<Int(bitmap.rows) {
            for column in 0..<Int(bitmap.width) {
                let coverage = buffer[row * Int(bitmap.pitch) + column]
                guard coverage > 0 else { continue }
                gdImageSetPixel(
                    image, left &+ Int32(truncatingIfNeeded: column), top &+ Int32(truncatingIfNeeded: row),
                    Self.pixel(color, coverage: coverage))
            }
        }
    }

    /// libgd's pixels are `0xAARRGGBB` with 7 bits of alpha: 0 is opaque and 127 is transparent.
    private static func pixel(_ color: HexColor, coverage: UInt8) -> Int32 {
        let alpha = 127 - (Int32(coverage) * 127 + 127) / 255
        return alpha << 24 | Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue)
    }

    private static func pixel(_ length: Double) -> Int32 { Int32(length.clamped(-sideMax, 2 * sideMax).rounded()) }

    private static let clear: Int32 = 0x7F00_0000
    /// Pixels of a side at most: 2,400 x 2,400 take 23 MB.
    private static let sideMax: Double = 2_400
}
