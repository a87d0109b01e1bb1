import Domain

/// A well-formed JSON value, kept as it was sent; it is decoded when somebody asks.
struct JSONValue {
    enum Kind { case string, number, `true`, `false`, null, array, object }

    let kind: Kind
    /// From the first byte to the last one, quotes and brackets included.
    let bytes: ArraySlice<UInt8>

    /// - Parameter bytes: What a ``JSONScanner`` has passed as one value.
    init(scanned bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        kind =
            switch bytes.first {
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "{"): .object
            case UInt8(ascii: "["): .array
            case UInt8(ascii: "t"): .true
            case UInt8(ascii: "f"): .false
            case UInt8(ascii: "n"): .null
            default: .number
            }
    }

    /// A text that is one value, with white space around it or not.
    init(_ text: String) throws(JSONError) {
        var scanner = JSONScanner(Array(text.utf8))
        self = try scanner.value(depth: 0)
        try scanner.finish()
    }

    /// The text of a string; nil for all else.
    var text: String? {
        kind == .string ? String(decoding: decodedString, as: UTF8.self) : nil
    }

    /// The value without insignificant white space.
    var minified: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                if JSONScanner.isSpace(byte) { continue }
                isInString = byte == UInt8(ascii: "\"")
            }
            out.append(byte)
        }
        return out
    }

    /// The UTF-8 of a string between its quotes, escapes decoded.
    var decodedString: ArraySlice<UInt8> {
        var rest = bytes.dropFirst().dropLast()
        guard rest.contains(UInt8(ascii: "\\")) else { return rest }
        var out: [UInt8] = []
        out.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                out.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"): out += UTF8.encode(Self.scalar(&rest)).map(Array.init) ?? []
            default: out.append(escape)
            }
        }
        return out[...]
    }

    /// What `\u` stands for, of which the digits come next, and for a pair its other half.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        func unit() -> UInt32 {
            var unit: UInt32 = 0
            for _ in 0..<4 { unit = unit << 4 | UInt32(rest.popFirst().flatMap(Hex.value) ?? 0) }
            return unit
        }
        var value = unit()
        if (0xD800...0xDBFF).contains(value) {
            rest = rest.dropFirst(2)
            value = 0x10000 + (value & 0x3FF) << 10 + (unit() & 0x3FF)
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
