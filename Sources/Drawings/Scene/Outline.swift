import CFreeType

/// Where a group of items lies: scaled, then moved.
struct Transform {
    var x: Double = 0
    var y: Double = 0
    var scale: Double = 1

    /// This place on a canvas whose pixels are smaller.
    func scaled(_ scale: Double) -> Transform { Transform(x: x * scale, y: y * scale, scale: self.scale * scale) }

    /// A place within this one.
    func inner(x: Double, y: Double, scale: Double) -> Transform {
        Transform(x: self.x + x * self.scale, y: self.y + y * self.scale, scale: self.scale * scale)
    }

    func box(_ box: Rectangle) -> Rectangle {
        Rectangle(x + box.x * scale, y + box.y * scale, box.width * scale, box.height * scale)
    }
}

/// Contours in FreeType's memory, in 64ths of a pixel with y upwards; this value is their only owner.
struct Outline: ~Copyable {
    var raw: FT_Outline
    private let library: FT_Library

    deinit {
        var raw = raw
        FT_Outline_Done(library, &raw)
    }

    /// Nil when there is nothing to draw, or no memory.
    init?(_ contours: Contours, _ place: Transform, _ library: FT_Library) {
        var points: [(point: Contours.Point, isOnCurve: Bool)] = []
        var ends: [Int] = []
        for contour in contours.list where !contour.segments.isEmpty {
            points.append((contour.start, true))
            for segment in contour.segments {
                switch segment {
                case .line(let end): points.append((end, true))
                case .curve(let one, let two, let end): points += [(one, false), (two, false), (end, true)]
                }
            }
            ends.append(points.count - 1)
        }
        guard !ends.isEmpty, let raw = Self.allocate(points: points.count, contours: ends.count, library) else {
            return nil
        }
        self.raw = raw
        self.library = library
        for (index, (point, isOnCurve)) in points.enumerated() {
            raw.points[index].x = Self.position(place.x + point.x * place.scale)
            raw.points[index].y = -Self.position(place.y + point.y * place.scale)
            raw.tags[index] = .init(truncatingIfNeeded: isOnCurve ? Self.onCurve : Self.cubicControl)
        }
        for (index, end) in ends.enumerated() { raw.contours[index] = .init(truncatingIfNeeded: end) }
    }

    private init(owning raw: FT_Outline, _ library: FT_Library) {
        self.raw = raw
        self.library = library
    }

    /// The area that a pen of some width covers along the contours.
    mutating func stroked(widthPixels: Double, _ library: FT_Library) -> Outline? {
        var stroker: FT_Stroker?
        guard FT_Stroker_New(library, &stroker) == 0, let stroker else { return nil }
        defer { FT_Stroker_Done(stroker) }
        FT_Stroker_Set(stroker, Self.position(widthPixels / 2), FT_STROKER_LINECAP_BUTT, FT_STROKER_LINEJOIN_ROUND, 0)
        var (points, contours): (FT_UInt, FT_UInt) = (0, 0)
        guard FT_Stroker_ParseOutline(stroker, &raw, 1) == 0, FT_Stroker_GetCounts(stroker, &points, &contours) == 0,
            var area = Self.allocate(points: Int(points), contours: Int(contours), library)
        else { return nil }
        area.n_points = 0
        area.n_contours = 0
        FT_Stroker_Export(stroker, &area)
        return Outline(owning: area, library)
    }

    private static func allocate(points: Int, contours: Int, _ library: FT_Library) -> FT_Outline? {
        var raw = FT_Outline()
        // FreeType counts in 16 bits.
        guard (1...Int(Int16.max)).contains(points), (1...points).contains(contours),
            FT_Outline_New(library, FT_UInt(points), .init(contours), &raw) == 0
        else { return nil }
        return raw
    }

    private static func position(_ pixels: Double) -> FT_Pos { FT_Pos((pixels.clamped(-8_192, 8_192) * 64).rounded()) }

    // The header's macros are none that Swift reads (ftimage.h).
    private static let onCurve = 1
    private static let cubicControl = 2
}
