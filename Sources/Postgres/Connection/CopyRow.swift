/// A row of a binary COPY, column by column, straight from libpq's memory. It must not outlive the call that lends it.
package struct CopyRow: ~Copyable {
    private var bytes: MessageReader
    private var columnsLeft: Int16
    private var column = 0

    init(_ bytes: MessageReader, columns: Int16) {
        self.bytes = bytes
        columnsLeft = columns
    }

    /// The next column, which must not be NULL.
    /// - Throws: When there is none, or `V` does not take it. COPY does not say which types its columns have: it is taken to be `V`'s own.
    package mutating func next<V: PostgresValue>(_: V.Type = V.self) throws(DecodingFailure) -> V {
        guard columnsLeft > 0 else { throw DecodingFailure(.pastTheEnd, V.self, from: V.oid).at(column: column, named: nil) }
        columnsLeft -= 1
        defer { column += 1 }
        let length = try bytes.integer(Int32.self)
        guard length >= 0 else { throw DecodingFailure(.isNull, V.self, from: V.oid).at(column: column, named: nil) }
        do { return try V(decoding: try bytes.block(Int(length)), from: V.oid) } catch { throw error.at(column: column, named: nil) }
    }
}

extension Connection {
    /// Hands out the rows of `COPY … TO STDOUT (FORMAT binary)`: for very many rows, at the least cost for each.
    /// - Throws: The server's error, and PX001 with what `body` throws; the statement is cancelled then and the connection stays usable.
    package func copyRows(
        _ statement: StaticString, _ body: (inout CopyRow) throws(DecodingFailure) -> Void
    ) async throws(PostgresError) {
        var hasBegun = false
        func read(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
            do throws(DecodingFailure) {
                var reader = MessageReader(bytes)
                if !hasBegun {
                    // The signature and its flags, which come with the first row: PostgreSQL's manual, COPY, "Binary Format".
                    _ = try reader.block(15)
                    _ = try reader.block(Int(reader.integer(Int32.self)))
                    hasBegun = true
                    if reader.isAtEnd { return }
                }
                let columns = try reader.integer(Int16.self)
                guard columns >= 0 else { return }  // the end
                var row = CopyRow(reader, columns: columns)
                try body(&row)
            } catch {
                throw PostgresError(error)
            }
        }
        do { try await drink(statement) { bytes throws(PostgresError) in try read(bytes) } } catch { throw error.merged }
    }
}
