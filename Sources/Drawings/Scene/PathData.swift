/// A path as SVG writes it: M, L, H, V, Q, A and Z in absolute coordinates, with each letter written. It is made of
/// literals and of our own numbers, never of what clients send.
struct PathData: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: PathInterpolation) { text = stringInterpolation.text }

    /// Takes numbers only, so that no text can get into a path.
    struct PathInterpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ number: Double) { text += number.svgText }
    }
}

extension Double {
    /// The number as SVG has it, with at most two decimals.
    var svgText: String {
        let hundredths = Int((clamped(-1_000_000, 1_000_000) * 100).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return (hundredths < 0 ? "-" : "") + String(whole) + decimals
    }
}

/// A shape as straight lines and cubic curves.
struct Contours {
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    enum Segment {
        case line(Point)
        case curve(Point, Point, Point)
    }

    struct Contour {
        var start: Point
        var segments: [Segment] = []
    }

    private(set) var list: [Contour] = []

    init(_ shape: Shape) {
        switch shape {
        case .rectangle(let box, let radius):
            let (left, top, right, bottom) = (box.x, box.y, box.x + box.width, box.y + box.height)
            guard radius > 0 else {
                move(left, top)
                line(right, top)
                line(right, bottom)
                line(left, bottom)
                return
            }
            let radius = min(radius, box.width / 2, box.height / 2)
            move(left + radius, top)
            line(right - radius, top)
            arc(radius, radius, isLarge: false, sweeps: true, to: right, top + radius)
            line(right, bottom - radius)
            arc(radius, radius, isLarge: false, sweeps: true, to: right - radius, bottom)
            line(left + radius, bottom)
            arc(radius, radius, isLarge: false, sweeps: true, to: left, bottom - radius)
            line(left, top + radius)
            arc(radius, radius, isLarge: false, sweeps: true, to: left + radius, top)
        case .circle(let x, let y, let radius):
            move(x - radius, y)
            arc(radius, radius, isLarge: false, sweeps: true, to: x + radius, y)
            arc(radius, radius, isLarge: false, sweeps: true, to: x - radius, y)
        case .path(let path): read(path)
        }
    }

    /// Reads a path; what cannot be read ends it.
    private mutating func read(_ path: PathData) {
        var reader = PathReader(path.text)
        while let command = reader.command() {
            guard let numbers = reader.numbers(PathReader.counts[command] ?? 0) else { return }
            let (x, y) = (numbers.dropLast().last ?? 0, numbers.last ?? 0)
            switch command {
            case UInt8(ascii: "M"): move(x, y)
            case UInt8(ascii: "L"): line(x, y)
            case UInt8(ascii: "H"): line(y, here.y)
            case UInt8(ascii: "V"): line(here.x, y)
            case UInt8(ascii: "Q"): bend(by: Point(x: numbers[0], y: numbers[1]), to: Point(x: x, y: y))
            case UInt8(ascii: "A"):
                arc(numbers[0], numbers[1], isLarge: numbers[3] != 0, sweeps: numbers[4] != 0, to: x, y)
            case UInt8(ascii: "Z"): close()
            default: return
            }
        }
    }

    private var here: Point {
        guard let contour = list.last else { return Point(x: 0, y: 0) }
        return switch contour.segments.last {
        case .line(let end), .curve(_, _, let end): end
        case nil: contour.start
        }
    }

    private mutating func append(_ segment: Segment) {
        guard !list.isEmpty else { return }
        list[list.count - 1].segments.append(segment)
    }

    private mutating func move(_ x: Double, _ y: Double) { list.append(Contour(start: Point(x: x, y: y))) }

    private mutating func line(_ x: Double, _ y: Double) { append(.line(Point(x: x, y: y))) }

    private mutating func close() {
        guard let start = list.last?.start, start != here else { return }
        append(.line(start))
    }

    /// A quadratic curve, as the cubic one that it is.
    private mutating func bend(by control: Point, to end: Point) {
        let start = here
        append(
            .curve(
                Point(x: start.x + (control.x - start.x) * 2 / 3, y: start.y + (control.y - start.y) * 2 / 3),
                Point(x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3), end))
    }

    /// An arc of an upright ellipse (SVG 1.1, appendix F.6), as cubic curves of a quarter at most.
    private mutating func arc(
        _ radiusX: Double, _ radiusY: Double, isLarge: Bool, sweeps: Bool, to endX: Double, _ endY: Double
    ) {
        let start = here
        guard radiusX > 0, radiusY > 0, start != Point(x: endX, y: endY) else { return line(endX, endY) }
        // In units of the radii the ellipse is a circle of radius 1, unless it is too small and must grow.
        let (halfX, halfY) = ((endX - start.x) / 2 / radiusX, (endY - start.y) / 2 / radiusY)
        let squared = halfX * halfX + halfY * halfY
        let grown = max(1, squared.squareRoot())
        let (radiusX, radiusY) = (radiusX * grown, radiusY * grown)
        let distance = max(0, grown * grown / squared - 1).squareRoot() * (isLarge == sweeps ? -1 : 1)
        let center = Point(
            x: (start.x + endX) / 2 - halfY / grown * distance * radiusX,
            y: (start.y + endY) / 2 + halfX / grown * distance * radiusY)
        var from = Point(x: (start.x - center.x) / radiusX, y: (start.y - center.y) / radiusY)
        let last = Point(x: (endX - center.x) / radiusX, y: (endY - center.y) / radiusY)
        let turn: Double = sweeps ? 1 : -1
        for _ in 0..<4 {
            let ahead = Point(x: -from.y * turn, y: from.x * turn)  // a quarter further on
            let cosine = from.x * last.x + from.y * last.y
            let sine = ahead.x * last.x + ahead.y * last.y
            let isLast = cosine >= -1e-9 && sine >= -1e-9
            let to = isLast ? last : ahead
            // Half the angle's tangent makes the control points: 4/3 tan(angle/4).
            let half = (max(0, 1 + (isLast ? min(1, cosine) : 0)) / 2).squareRoot()  // the cosine of half the angle
            let quarterTangent = ((1 - half) / (1 + half)).squareRoot()
            let reach = quarterTangent * 4 / 3
            let tangent = Point(x: -to.y * turn, y: to.x * turn)
            func placed(_ x: Double, _ y: Double) -> Point {
                Point(x: center.x + x * radiusX, y: center.y + y * radiusY)
            }
            append(
                .curve(
                    placed(from.x + ahead.x * reach, from.y + ahead.y * reach),
                    placed(to.x - tangent.x * reach, to.y - tangent.y * reach),
                    isLast ? Point(x: endX, y: endY) : placed(to.x, to.y)))
            if isLast { return }
            from = to
        }
    }
}

private struct PathReader {
    /// How many numbers follow a command.
    static let counts: [UInt8: Int] = [
        UInt8(ascii: "M"): 2, UInt8(ascii: "L"): 2, UInt8(ascii: "H"): 1, UInt8(ascii: "V"): 1, UInt8(ascii: "Q"): 4,
        UInt8(ascii: "A"): 7, UInt8(ascii: "Z"): 0,
    ]

    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func command() -> UInt8? { rest.popFirst()?.asciiValue }

    mutating func numbers(_ count: Int) -> [Double]? {
        var numbers: [Double] = []
        while numbers.count < count {
            rest = rest.drop { $0 == " " }
            let digits = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
            guard let number = Double(digits) else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(digits.count)
        }
        return numbers
    }
}
