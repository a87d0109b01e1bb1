/// Reads fixed-width numbers, most significant byte first, and short texts from bytes; nil beyond their end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer? {
        let width = Integer.bitWidth / 8
        guard rest.count >= width else { return nil }
        let value = rest.prefix(width).reduce(Integer.zero) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
        rest = rest.dropFirst(width)
        return value
    }

    /// A text after its length in one byte.
    mutating func text() -> String? {
        guard let count = integer(UInt8.self).map(Int.init), rest.count >= count else { return nil }
        let text = String(validating: rest.prefix(count), as: UTF8.self)
        rest = rest.dropFirst(count)
        return text
    }
}

extension [UInt8] {
    /// Most significant byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// The text's first 255 bytes at most, after their number.
    mutating func append(short text: String) {
        let bytes = text.utf8.prefix(255)
        append(UInt8(clamping: bytes.count))
        append(contentsOf: bytes)
    }
}
