/// Which span of which trace something belongs to, as W3C Trace Context writes it in `traceparent`.
struct TraceParent: Sendable, Equatable {
    struct TraceID: Sendable, Equatable {
        let high: UInt64
        let low: UInt64
    }

    let trace: TraceID
    let span: UInt64
    let isSampled: Bool

    init(trace: TraceID, span: UInt64, isSampled: Bool) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// Reads `00-<32 hex digits>-<16 hex digits>-<2 hex digits>`. A later version may have more after it (section
    /// 3.2.2).
    /// - Returns: Nil for anything else, and for ids of nothing but zeros.
    init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.bytesMax + 1))
        guard bytes.count >= 55, bytes.count <= Self.bytesMax, let version = Self.number(bytes[0..<2]), version != 255,
            version > 0 || bytes.count == 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
            bytes[2] == UInt8(ascii: "-"), bytes[35] == UInt8(ascii: "-"), bytes[52] == UInt8(ascii: "-"),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]), high != 0 || low != 0,
            let span = Self.number(bytes[36..<52]), span != 0, let flags = Self.number(bytes[53..<55])
        else { return nil }
        self.init(trace: TraceID(high: high, low: low), span: span, isSampled: flags & 1 == 1)
    }

    private static let bytesMax = 256

    var text: String { "00-\(trace.text)-\(Self.text(span))-\(isSampled ? "01" : "00")" }

    /// - Parameter digits: At most 16 lower-case hex digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension TraceParent.TraceID { var text: String { TraceParent.text(high) + TraceParent.text(low) } }
