/// Reads a message of the stream; whatever is in it, it never reads beyond its end.
struct MessageReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func integer<I: FixedWidthInteger>(_: I.Type) throws(DecodingFailure) -> I {
        guard let value = bytes.bigEndian(I.self, at: offset) else { throw DecodingFailure(.wrongLength, I.self, from: .unspecified) }
        offset += MemoryLayout<I>.size
        return value
    }

    mutating func position() throws(DecodingFailure) -> LogPosition { LogPosition(rawValue: try integer(UInt64.self)) }

    /// Microseconds since 2000, as PostgreSQL counts.
    mutating func time() throws(DecodingFailure) -> Timestamp {
        try Timestamp(decoding: try block(8), from: .timestamptz)
    }

    mutating func block(_ count: Int) throws(DecodingFailure) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - offset else { throw DecodingFailure(.wrongLength, [UInt8].self, from: .unspecified) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Up to a NUL.
    mutating func string() throws(DecodingFailure) -> String {
        guard let end = bytes[offset...].firstIndex(of: 0) else { throw DecodingFailure(.malformed, String.self, from: .unspecified) }
        let text = String(decoding: bytes[offset..<end], as: UTF8.self)
        offset = end + 1
        return text
    }
}
