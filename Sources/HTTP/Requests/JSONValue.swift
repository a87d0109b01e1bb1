import Domain

/// A well-formed JSON value in the bytes that were sent; it is decoded on demand.
struct JSONValue {
    enum Kind { case string, number, `true`, `false`, null, array, object }

    let kind: Kind
    /// The value's bytes, quotes and brackets included.
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

    /// Reads a text that is one value, perhaps with white space around it.
    init(_ text: String) throws(JSONError) {
        var scanner = JSONScanner(Array(text.utf8))
        self = try scanner.value(depth: 0)
        try scanner.finish()
    }

    /// The text of a string; nil for other kinds.
    var text: String? { kind == .string ? String(decoding: decodedString, as: UTF8.self) : nil }

    /// The texts of an array of strings; nil for other kinds, for other values in it, and for more than `countMax`.
    func texts(countMax: Int) -> [String]? { elements(countMax: countMax, \.text) }

    /// The elements of an array, as `read` takes them; nil for other kinds, for an element of which it makes nothing,
    /// and for more than `countMax`.
    func elements<Element>(countMax: Int, _ read: (JSONValue) -> Element?) -> [Element]? {
        guard kind == .array else { return nil }
        var scanner = JSONScanner(Array(bytes))
        var elements: [Element] = []
        scanner.offset = 1
        scanner.skipSpace()
        if scanner.next == UInt8(ascii: "]") { return elements }
        do throws(JSONError) {
            repeat {
                guard elements.count < countMax, let element = read(try scanner.value(depth: 0)) else { return nil }
                elements.append(element)
            } while try scanner.continues(until: UInt8(ascii: "]"))
            return elements
        } catch { return nil }
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

    /// The UTF-8 of a string without its quotes, escapes decoded.
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

    /// The scalar that a `\u` escape stands for: reads its four digits, and the second escape of a surrogate pair.
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

extension JSONValue {
    /// The exact value of a whole number, however it is written: `10`, `10.0`, `1e1`, `100e-1`. It is nil for a number
    /// with a fraction or beyond 64 bits, and for other kinds.
    var whole: Int64? {
        guard kind == .number else { return nil }
        let parts = bytes.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard let mantissa = parts.first else { return nil }
        let exponent = parts.count > 1 ? Self.exponent(parts[1]) : 0
        let places = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa.endIndex - $0 - 1 } ?? 0
        let digits = mantissa.filter((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        let significant = digits[...last].drop { $0 == UInt8(ascii: "0") }
        let zeros = digits.count - 1 - last - places + exponent
        // 19 digits always fit: 10^19 - 1 is below 2^64.
        guard zeros >= 0, significant.count + zeros <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for digit in significant { magnitude = magnitude * 10 + UInt64(digit - UInt8(ascii: "0")) }
        for _ in 0..<zeros { magnitude *= 10 }
        return Int64(exactly: bytes.first == UInt8(ascii: "-") ? -Int128(magnitude) : Int128(magnitude))
    }

    /// The exponent, clamped far beyond what the digits of any body could make up for, so that nothing overflows.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in text where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000_000_000)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }
}
