import CPQ

extension Connection {
    /// Runs `COPY … FROM STDIN` with chunks of any size, until `nextChunk` returns nil. Each chunk is sent before the
    /// next is asked for.
    /// - Parameter nextChunk: nil ends the copy.
    /// - Returns: Rows copied.
    /// - Throws: What `nextChunk` throws; nothing is copied then and the connection stays usable. As `E`, the server's
    ///   error, which shows only after the last chunk; nothing is copied then either.
    @discardableResult
    package func copyIn<E: PostgresErrorConvertible>(
        _ statement: StaticString,
        nextChunk: () async throws(E) -> [UInt8]?
    ) async throws(E) -> Int {
        do { return try await runCopyIn(statement, nextChunk) } catch { throw error.merged }
    }

    /// Does the same for a source that throws any error.
    @discardableResult
    package func copyIn(_ statement: StaticString, nextChunk: () async throws -> [UInt8]?) async throws -> Int {
        do { return try await runCopyIn(statement, nextChunk) } catch { throw error.merged }
    }

    /// Does the same for a sequence of chunks.
    @discardableResult
    package func copyIn<Chunks: AsyncSequence>(
        _ statement: StaticString,
        chunks: Chunks
    ) async throws -> Int where Chunks.Element == [UInt8] {
        var iterator = chunks.makeAsyncIterator()
        return try await copyIn(statement) { try await iterator.next(isolation: #isolation) }
    }

    /// Passes the output of `COPY … TO STDOUT` to `body`, one row at a time: in the text and CSV formats with its line
    /// ending, in the binary format with the header before the first row. The bytes are valid only until `body`
    /// returns.
    /// - Throws: What `body` throws; the statement is cancelled then and the connection stays usable. As `E`, the
    ///   server's error, which may also come after some bytes have been passed on.
    package func copyOut<E: PostgresErrorConvertible>(
        _ statement: StaticString,
        _ body: (UnsafeRawBufferPointer) throws(E) -> Void
    ) async throws(E) {
        do { try await runCopyOut(statement, body) } catch { throw error.merged }
    }

    /// Does the same for a body that throws any error.
    package func copyOut(_ statement: StaticString, _ body: (UnsafeRawBufferPointer) throws -> Void) async throws {
        do { try await runCopyOut(statement, body) } catch { throw error.merged }
    }
}

extension Connection {
    private func runCopyIn<E: Error>(_ sql: StaticString, _ nextChunk: () async throws(E) -> [UInt8]?)
        async throws(LentFailure<E>) -> Int
    {
        let (session, handle) = try await beginCopy(sql, expecting: PGRES_COPY_IN, E.self)
        defer { session.leave() }
        do throws(LentFailure<E>) {
            while true {
                let chunk: [UInt8]?
                do throws(E) { chunk = try await nextChunk() } catch { throw .body(error) }
                guard let chunk else { break }
                do throws(PostgresError) { try await session.put(chunk, to: handle) } catch { throw .postgres(error) }
            }
        } catch {
            await session.abandonCopyIn(handle)
            throw error
        }
        do throws(PostgresError) { return try await session.endCopyIn(handle) } catch { throw .postgres(error) }
    }

    private func runCopyOut<E: Error>(
        _ sql: StaticString,
        _ body: (UnsafeRawBufferPointer) throws(E) -> Void
    ) async throws(LentFailure<E>) {
        let (session, handle) = try await beginCopy(sql, expecting: PGRES_COPY_OUT, E.self)
        defer { session.leave() }
        do throws(LentFailure<E>) { try await session.readCopyOut(handle, body) } catch {
            await session.abandonCopyOut(handle)
            throw error
        }
        let failure: PostgresError?
        do throws(PostgresError) { failure = try await session.drainSimple(handle) } catch { throw .postgres(error) }
        if let failure { throw .postgres(failure) }
    }

    private func beginCopy<E: Error>(
        _ sql: StaticString,
        expecting status: ExecStatusType,
        _: E.Type
    ) async throws(LentFailure<E>) -> (Session, OpaquePointer) {
        do throws(PostgresError) {
            let session = try lent()
            let statement = try Statement(sql)
            let handle = try session.enter()
            do throws(PostgresError) { try await session.beginCopy(handle, statement, expecting: status) } catch {
                session.leave()
                throw error
            }
            return (session, handle)
        } catch { throw .postgres(error) }
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
    package func copyRows(
        _ statement: StaticString,
        _ body: (inout CopyRow) throws(DecodingFailure) -> Void
    ) async throws(PostgresError) {
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
            } catch {
                throw PostgresError(error)
            }
        }
        do { try await runCopyOut(statement) { bytes throws(PostgresError) in try read(bytes) } } catch {
            throw error.merged
        }
    }
}
