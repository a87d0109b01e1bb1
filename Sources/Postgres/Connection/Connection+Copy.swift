import CPQ

extension Connection {
    /// Runs `COPY … FROM STDIN` with chunks of any size, until `nextChunk` returns nil. Each chunk is sent before the
    /// next is asked for.
    /// - Parameter nextChunk: nil ends the copy.
    /// - Returns: Rows copied.
    /// - Throws: What `nextChunk` throws; nothing is copied then and the connection stays usable. A `PostgresError` of
    ///   the server shows only after the last chunk; nothing is copied then either.
    @discardableResult package func copyIn(_ statement: StaticString, nextChunk: () async throws -> [UInt8]?)
        async throws -> Int
    {
        let (session, handle) = try await beginCopy(statement, expecting: PGRES_COPY_IN)
        defer { session.leave() }
        do { while let chunk = try await nextChunk() { try await session.put(chunk, to: handle) } } catch {
            await session.abandonCopyIn(handle)
            throw error
        }
        return try await session.endCopyIn(handle)
    }

    private func beginCopy(_ sql: StaticString, expecting status: ExecStatusType) async throws(PostgresError) -> (
        Session, OpaquePointer
    ) {
        let session = try lent()
        let statement = try Statement(sql)
        let handle = try session.enter()
        do throws(PostgresError) { try await session.beginCopy(handle, statement, expecting: status) } catch {
            session.leave()
            throw error
        }
        return (session, handle)
    }
}

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
    /// - Throws: When there is none, or `V` cannot hold its value. COPY does not state the types of its columns, so the
    ///   type is assumed to be `V`'s own.
    package mutating func next<V: PostgresValue>(_: V.Type = V.self) throws(DecodingFailure) -> V {
        guard columnsLeft > 0 else {
            throw DecodingFailure(.pastTheEnd, V.self, from: V.oid).at(column: column, named: nil)
        }
        columnsLeft -= 1
        defer { column += 1 }
        let length = try bytes.integer(Int32.self)
        guard length >= 0 else { throw DecodingFailure(.isNull, V.self, from: V.oid).at(column: column, named: nil) }
        do { return try V(decoding: try bytes.block(Int(length)), from: V.oid) } catch {
            throw error.at(column: column, named: nil)
        }
    }
}

extension Connection {
    /// Passes the rows of `COPY … TO STDOUT (FORMAT binary)` to `body`. It costs the least per row when there are very
    /// many.
    /// - Throws: The server's error, and PX001 with what `body` throws; the statement is cancelled then and the
    ///   connection stays usable.
    package func copyRows(_ statement: StaticString, _ body: (inout CopyRow) throws(DecodingFailure) -> Void)
        async throws(PostgresError)
    {
        var hasBegun = false
        func read(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
            do throws(DecodingFailure) {
                var reader = MessageReader(bytes)
                if !hasBegun {
                    // The signature and the flags come with the first row (PostgreSQL's manual, COPY, "Binary Format").
                    _ = try reader.block(15)
                    _ = try reader.block(Int(reader.integer(Int32.self)))
                    hasBegun = true
                    if reader.isAtEnd { return }
                }
                let columns = try reader.integer(Int16.self)
                guard columns >= 0 else { return }  // -1 is the trailer
                var row = CopyRow(reader, columns: columns)
                try body(&row)
            } catch { throw PostgresError(error) }
        }
        let (session, handle) = try await beginCopy(statement, expecting: PGRES_COPY_OUT)
        defer { session.leave() }
        do throws(PostgresError) {
            try await session.readCopyOut(handle) { bytes throws(PostgresError) in try read(bytes) }
        } catch {
            await session.abandonCopyOut(handle)
            throw error
        }
        if let failure = try await session.drainSimple(handle) { throw failure }
    }
}
