import CPQ

extension Session {
    /// Reads everything that is left of a simple query. It ends a COPY that is still open, and settles a pending
    /// cancellation.
    /// - Returns: The first error of the server.
    /// - Throws: When the connection is lost; the session is closed then.
    func drainSimple(_ handle: OpaquePointer) async throws(PostgresError) -> PostgresError? {
        var failure: PostgresError?
        while let result = try await nextResult(handle) {
            switch result.status {
            case PGRES_COPY_IN: guard PQputCopyEnd(handle, "not fed") >= 0 else { throw lost(handle) }
            case PGRES_COPY_OUT: try await skipCopyOut(handle)
            case PGRES_COPY_BOTH: throw lost(handle)
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY, PGRES_SINGLE_TUPLE: break
            default:
                let error = serverError(result, mayHaveCommitted: true)
                failure = failure ?? error
            }
        }
        if cancellation != nil {
            guard PQenterPipelineMode(handle) == 1 else { throw lost(handle) }
            try await settle(handle)
            guard PQexitPipelineMode(handle) == 1 else { throw lost(handle) }
        }
        return outcome(failure)
    }

    /// Begins a COPY.
    /// - Throws: The server's error; nothing is left to read then. PX000 when the statement is not such a COPY.
    func beginCopy(_ handle: OpaquePointer, _ statement: Statement, expecting status: ExecStatusType)
        async throws(PostgresError)
    {
        guard PQsendQuery(handle, statement.text) == 1 else { throw lost(handle, nothingSent: true) }
        var failure: PostgresError?
        if let result = try await nextResult(handle) {
            if result.status == status { return }
            switch result.status {
            case PGRES_FATAL_ERROR: failure = serverError(result, mayHaveCommitted: true)
            case PGRES_COPY_IN: _ = PQputCopyEnd(handle, "not fed")
            case PGRES_COPY_OUT: try await skipCopyOut(handle)
            default: break
            }
        }
        let later = try await drainSimple(handle)
        throw failure ?? later ?? PostgresError(.misuse, safeToRetry: false, message: "this statement is no such COPY")
    }

    /// Reads and discards the rest of a COPY.
    func skipCopyOut(_ handle: OpaquePointer) async throws(PostgresError) { try await readCopyOut(handle) { _ in } }

    /// Passes the chunks of a COPY to `body`, which are rows in the text and CSV formats. It returns after the last
    /// one, or when the COPY has failed; `drainSimple` returns that error.
    func readCopyOut(_ handle: OpaquePointer, _ body: (UnsafeRawBufferPointer) throws(PostgresError) -> Void)
        async throws(PostgresError)
    {
        while true {
            switch try takeCopyOut(handle, body) {
            case .ended: return
            // Lets other tasks use this thread, too.
            case .goesOn: await Task.yield()
            case .waits: try await progress(handle, forWriting: PQflush(handle) == 1)
            }
        }
    }

    private enum CopyOut { case ended, goesOn, waits }

    /// How often the socket is read before other tasks may run. Each read yields some hundred rows.
    private static var readsAtOnce: Int { 16 }

    /// Passes on the chunks that have arrived and those that arrive meanwhile, without waiting.
    private func takeCopyOut(_ handle: OpaquePointer, _ body: (UnsafeRawBufferPointer) throws(PostgresError) -> Void)
        throws(PostgresError) -> CopyOut
    {
        guard open != nil else { throw PostgresError(.connectionNotOpen, safeToRetry: false) }
        if heedsCancellation, cancellation == nil, Task.isCancelled { cancel(handle) }
        for _ in 0..<Self.readsAtOnce {
            var isEmpty = true
            while true {
                var start: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(handle, &start, 1)
                if count < 0 { return .ended }
                guard count > 0, let start else { break }
                isEmpty = false
                let chunk = CopyChunk(start, countBytes: Int(count))
                try body(chunk.bytes)
            }
            // This reads without waiting; a lost connection shows at the next wait.
            if isEmpty || PQconsumeInput(handle) == 0 { return .waits }
        }
        return .goesOn
    }
}

extension Session {
    /// Reads the results of the preparation, if there is one, and switches to single-row mode. libpq accepts that only
    /// once the statement itself is next.
    func beginSingleRows(_ handle: OpaquePointer) async throws(PostgresError) {
        while stepsDone < steps.count, steps[stepsDone].isPreparation { try await readPreparation(handle) }
        guard PQsetSingleRowMode(handle) == 1 else { throw lost(handle) }
    }

    /// The next row; nil after the last.
    /// - Throws: 57014 when the task is cancelled, even while rows are buffered.
    func nextRow<Q: Query>(_: Q.Type, _ handle: OpaquePointer) async throws(PostgresError) -> Q.Row? {
        if heedsCancellation, Task.isCancelled { throw PostgresError(.queryCancelled, safeToRetry: false) }
        guard open != nil else { throw PostgresError(.connectionNotOpen, safeToRetry: false) }
        guard let result = try await nextResult(handle) else {
            stepsDone += 1
            return nil
        }
        switch result.status {
        case PGRES_SINGLE_TUPLE:
            var reader = RowReader(result.pointer, row: 0)
            do { return try Q.decode(&reader) } catch { throw PostgresError(error) }
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            if try await nextResult(handle) != nil { throw lost(handle) }
            stepsDone += 1
            return nil
        default: throw stepFailure(result)
        }
    }

    /// Cancels a statement whose remaining rows nobody reads. `finish` waits for its end.
    func cancelRest(_ handle: OpaquePointer) {
        guard open != nil, isBusy, stepsDone < steps.count else { return }
        cancel(handle)
    }
}
