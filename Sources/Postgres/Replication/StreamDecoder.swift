/// Decodes the messages of `pgoutput` (PostgreSQL's manual, "Logical Replication Message Formats", protocol version 1).
struct StreamDecoder {
    private var relations: [UInt32: StreamRelation] = [:]

    /// - Parameter bytes: A whole message and nothing else.
    /// - Returns: Nil for messages that callers do not need, such as the description of a table, which is remembered
    ///   here. Decodes one message.
    mutating func event(_ bytes: UnsafeRawBufferPointer) throws(DecodingFailure) -> StreamEvent? {
        var reader = MessageReader(bytes)
        switch try reader.integer(UInt8.self) {
        case UInt8(ascii: "B"): return .begin(try reader.position())
        case UInt8(ascii: "C"):
            _ = try reader.block(1 + 8 + 8)
            return .commit(at: try reader.time())
        case UInt8(ascii: "R"):
            try keepRelation(&reader)
            return nil
        case UInt8(ascii: "I"):
            let relation = try relation(&reader)
            _ = try reader.integer(UInt8.self)
            return .insert(relation, try StreamTuple(reader, relation.columns))
        case UInt8(ascii: "U"): return try update(&reader)
        case UInt8(ascii: "D"):
            let relation = try relation(&reader)
            _ = try reader.integer(UInt8.self)
            return .delete(relation, try StreamTuple(reader, relation.columns))
        case UInt8(ascii: "T"):
            let count = try reader.integer(Int32.self)
            _ = try reader.integer(UInt8.self)
            var truncated: [StreamRelation] = []
            for _ in 0..<max(count, 0) { truncated.append(try relation(&reader)) }
            return .truncate(truncated)
        case UInt8(ascii: "M"):
            _ = try reader.block(1 + 8)
            let prefix = try reader.string()
            let content = try reader.block(Int(reader.integer(Int32.self)))
            return .message(prefix: prefix, content: String(decoding: content, as: UTF8.self))
        default: return nil
        }
    }

    private func update(_ reader: inout MessageReader) throws(DecodingFailure) -> StreamEvent {
        let relation = try relation(&reader)
        guard try reader.integer(UInt8.self) != UInt8(ascii: "N") else {
            return .update(relation, old: nil, new: try StreamTuple(reader, relation.columns))
        }
        let before = reader
        reader = try StreamTuple(before, relation.columns).rest()
        _ = try reader.integer(UInt8.self)
        return .update(
            relation, old: try StreamTuple(before, relation.columns), new: try StreamTuple(reader, relation.columns))
    }

    private mutating func keepRelation(_ reader: inout MessageReader) throws(DecodingFailure) {
        let id = try reader.integer(UInt32.self)
        let (schema, name) = (try reader.string(), try reader.string())
        _ = try reader.integer(UInt8.self)
        var columns: [StreamRelation.Column] = []
        for _ in 0..<max(try reader.integer(Int16.self), 0) {
            _ = try reader.integer(UInt8.self)
            columns.append(.init(name: try reader.string(), type: OID(rawValue: try reader.integer(UInt32.self))))
            _ = try reader.integer(Int32.self)
        }
        relations[id] = StreamRelation(schema: schema, name: name, columns: columns)
    }

    private func relation(_ reader: inout MessageReader) throws(DecodingFailure) -> StreamRelation {
        guard let relation = relations[try reader.integer(UInt32.self)] else {
            throw DecodingFailure(.pastTheEnd, StreamRelation.self, from: .unspecified)
        }
        return relation
    }
}

/// Reads a message of the stream piece by piece. It never reads beyond the message's end, whatever the content.
struct MessageReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func integer<I: FixedWidthInteger>(_: I.Type) throws(DecodingFailure) -> I {
        guard let value = bytes.bigEndian(I.self, at: offset) else {
            throw DecodingFailure(.wrongLength, I.self, from: .unspecified)
        }
        offset += MemoryLayout<I>.size
        return value
    }

    mutating func position() throws(DecodingFailure) -> LogPosition { LogPosition(rawValue: try integer(UInt64.self)) }

    /// Reads a time, which PostgreSQL sends as microseconds since 2000.
    mutating func time() throws(DecodingFailure) -> Timestamp {
        try Timestamp(decoding: try block(8), from: .timestamptz)
    }

    mutating func block(_ count: Int) throws(DecodingFailure) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - offset else {
            throw DecodingFailure(.wrongLength, [UInt8].self, from: .unspecified)
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Reads a string that ends with a NUL.
    mutating func string() throws(DecodingFailure) -> String {
        guard let end = bytes[offset...].firstIndex(of: 0) else {
            throw DecodingFailure(.malformed, String.self, from: .unspecified)
        }
        let text = String(decoding: bytes[offset..<end], as: UTF8.self)
        offset = end + 1
        return text
    }
}
