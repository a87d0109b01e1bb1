import Credentials
import Domain

extension Secret {
    /// Seals a cursor for a URL, so that clients can neither read nor forge it.
    func cursor(_ bytes: [UInt8]) -> String? { sealed(bytes, for: .cursor) }

    /// Opens a sealed cursor.
    /// - Throws: 400 for a text that this server's secret has not sealed.
    func cursorBytes(_ text: String, field: String) throws(Problem) -> [UInt8] {
        guard let bytes = opened(text, for: .cursor) else { throw Problem.badCursor(field) }
        return bytes
    }
}

/// Reads big-endian integers and short texts from bytes; every read beyond the end is nil.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer? {
        let width = Integer.bitWidth / 8
        guard rest.count >= width else { return nil }
        let value = rest.prefix(width).reduce(Integer.zero) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
        rest = rest.dropFirst(width)
        return value
    }

    /// A text that follows its length in one byte.
    mutating func text() -> String? {
        guard let count = integer(UInt8.self).map(Int.init), rest.count >= count else { return nil }
        let text = String(validating: rest.prefix(count), as: UTF8.self)
        rest = rest.dropFirst(count)
        return text
    }
}

extension [UInt8] {
    /// Appends an integer, most significant byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends a text's length in one byte and then the text, which is cut after 255 bytes.
    mutating func append(short text: String) {
        let bytes = text.utf8.prefix(255)
        append(UInt8(clamping: bytes.count))
        append(contentsOf: bytes)
    }
}
