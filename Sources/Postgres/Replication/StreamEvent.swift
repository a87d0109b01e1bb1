/// One message of the replication stream. The rows in it are valid only until the body that receives it returns.
package enum StreamEvent: ~Copyable {
    /// Begins a transaction that was committed at this position of the WAL. Transactions arrive whole, in the order of
    /// their commits.
    case begin(LogPosition)
    /// The transaction is complete.
    case commit(at: Timestamp)
    case insert(StreamRelation, StreamTuple)
    /// `old` is the whole row if the table's replica identity is full, only the key if that has changed, else nil.
    case update(StreamRelation, old: StreamTuple?, new: StreamTuple)
    /// The row is the whole old row if the table's replica identity is full, else its key.
    case delete(StreamRelation, StreamTuple)
    case truncate([StreamRelation])
    /// A message that a session wrote into the WAL by `pg_logical_emit_message`.
    case message(prefix: String, content: String)
}

/// A table as the stream describes it before the first change that has this form.
package struct StreamRelation: Sendable {
    package struct Column: Sendable {
        package let name: String
        package let type: OID
    }

    package let schema: String
    package let name: String
    /// The published columns only.
    package let columns: [Column]
}

/// A row in the stream, column by column, straight from libpq's memory. It must not outlive its event.
package struct StreamTuple: ~Copyable {
    private var bytes: MessageReader
    private let columns: [StreamRelation.Column]
    private var column = 0
    /// The number of columns that the message announces.
    package let columnsCount: Int

    init(_ bytes: MessageReader, _ columns: [StreamRelation.Column]) throws(DecodingFailure) {
        var bytes = bytes
        let count = try bytes.integer(Int16.self)
        guard count >= 0 else { throw DecodingFailure(.malformed, Int16.self, from: .unspecified) }
        self.bytes = bytes
        self.columns = columns
        columnsCount = Int(count)
    }

    /// The next column; nil for NULL, for a large value that did not change, and for a column that is not part of the
    /// row's identity.
    /// - Throws: When there is none, or when `V` does not take its type or its value.
    package mutating func next<V: PostgresValue>(_: V.Type = V.self) throws(DecodingFailure) -> V? {
        let index = column
        guard let value = try nextBytes() else { return nil }
        guard index < columns.count else {
            throw DecodingFailure(.pastTheEnd, V.self, from: .unspecified).at(column: index, named: nil)
        }
        do { return try V(decoding: value, from: columns[index].type) } catch {
            throw error.at(column: index, named: columns[index].name)
        }
    }

    /// Skips the next column.
    package mutating func skip() throws(DecodingFailure) { _ = try nextBytes() }

    private mutating func nextBytes() throws(DecodingFailure) -> UnsafeRawBufferPointer? {
        guard column < columnsCount else {
            throw DecodingFailure(.pastTheEnd, UInt8.self, from: .unspecified).at(column: column, named: nil)
        }
        column += 1
        switch try bytes.integer(UInt8.self) {
        case UInt8(ascii: "n"), UInt8(ascii: "u"): return nil
        case UInt8(ascii: "b"): return try bytes.block(Int(bytes.integer(Int32.self)))
        default: throw DecodingFailure(.malformed, UInt8.self, from: .unspecified).at(column: column - 1, named: nil)
        }
    }

    /// A reader of what follows the row in the message.
    consuming func rest() throws(DecodingFailure) -> MessageReader {
        while column < columnsCount { try skip() }
        return bytes
    }
}
