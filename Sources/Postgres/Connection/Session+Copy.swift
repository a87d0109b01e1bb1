import CPQ

extension Session {
    /// The most bytes passed to libpq at once, so that its buffer stays small for chunks of any size.
    private static var pieceBytesMax: Int { 1 << 18 }

    /// Sends one chunk of a COPY and waits until libpq has written all of it to the socket.
    func put(_ chunk: [UInt8], to handle: OpaquePointer) async throws(PostgresError) {
        var offset = 0
        while offset < chunk.count {
            guard open != nil else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
            guard PQstatus(handle) == CONNECTION_OK else { throw lost(handle) }
            if heedsCancellation, Task.isCancelled { throw PostgresError(.queryCancelled, safeToRetry: true) }
            let count = min(chunk.count - offset, Self.pieceBytesMax)
            let queued = chunk.withUnsafeBytes { bytes in
                PQputCopyData(
                    handle, bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }, Int32(count))
            }
            switch queued {
            case 1: offset += count
            case 0: try await progress(handle, forWriting: true)
            default: throw lost(handle)
            }
            try await flush(handle)
        }
    }

    /// Ends a COPY that has not failed so far. Returns the rows copied.
    func endCopyIn(_ handle: OpaquePointer) async throws(PostgresError) -> Int {
        guard open != nil else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        guard PQputCopyEnd(handle, nil) >= 0 else { throw lost(handle) }
        var rowsAffected = 0
        var failure: PostgresError?
        if let result = try await nextResult(handle) {
            switch result.status {
            case PGRES_COMMAND_OK: rowsAffected = result.rowsAffected
            default: failure = serverError(result, mayHaveCommitted: true)
            }
        }
        let later = try await drainSimple(handle)
        if let failure = failure ?? later { throw failure }
        return rowsAffected
    }

    /// Ends a COPY so that nothing is copied.
    func abandonCopyIn(_ handle: OpaquePointer) async {
        guard open != nil else { return }
        guard PQputCopyEnd(handle, "given up") >= 0 else { return close() }
        do throws(PostgresError) { _ = try await drainSimple(handle) } catch { close() }
    }

    /// Cancels a COPY and discards the rest of its output.
    func abandonCopyOut(_ handle: OpaquePointer) async {
        guard open != nil else { return }
        cancel(handle)
        do throws(PostgresError) {
            try await skipCopyOut(handle)
            _ = try await drainSimple(handle)
        } catch { close() }
    }
}

/// Owns one chunk that libpq allocated.
struct CopyChunk: ~Copyable {
    private let start: UnsafeMutablePointer<CChar>
    private let countBytes: Int

    init(_ start: UnsafeMutablePointer<CChar>, countBytes: Int) {
        self.start = start
        self.countBytes = countBytes
    }

    deinit { PQfreemem(start) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: countBytes) }
}
