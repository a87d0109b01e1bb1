import CPQ

extension Session {
    /// Returns the next result, or nil at the end of a statement's results. It reads while it flushes what is still to
    /// be sent, so that a full buffer on each side cannot deadlock.
    /// - Throws: 08006 when the connection is lost or silent for too long, 57014 when a cancelled statement did not end
    ///   in time. The session is closed then.
    func nextResult(_ handle: OpaquePointer) async throws(PostgresError) -> ResultHandle? {
        while true {
            let flushed = PQflush(handle)
            if PQisBusy(handle) == 0 { return PQgetResult(handle).map { ResultHandle($0) } }
            try await progress(handle, forWriting: flushed == 1)
        }
    }

    /// Sends everything that is still in libpq's buffer.
    func flush(_ handle: OpaquePointer) async throws(PostgresError) {
        while true {
            let flushed = PQflush(handle)
            if flushed == 0 { return }
            guard flushed == 1 else { throw lost(handle) }
            try await progress(handle, forWriting: true)
        }
    }

    /// Waits until there is something to read (or room to write) and reads it.
    func progress(_ handle: OpaquePointer, forWriting: Bool) async throws(PostgresError) {
        // After a failure libpq has closed its socket, and the descriptor's number may be another session's by now.
        guard PQstatus(handle) == CONNECTION_OK else { throw lost(handle) }
        switch await waitForSocket(handle, forWriting: forWriting) {
        case .ready:
            // The server's last error may be in what has already been read.
            if PQconsumeInput(handle) == 0, PQisBusy(handle) != 0 { throw lost(handle) }
        case .cancelled: cancel(handle)
        case .deadline where cancellation != nil: try cancelAgain(handle)
        case .deadline:
            if isFormer { throw abandoned() }
            close()
            throw PostgresError(.connectionLost, safeToRetry: false, message: "the server was silent for too long")
        }
    }

    /// Reads the results of one statement of the pipeline, and of its preparation.
    /// - Returns: Rows affected.
    /// - Throws: The server's error. What `body` throws comes as PX001, once all results of the statement are read.
    @discardableResult func readStatement(
        _ handle: OpaquePointer, _ body: (borrowing ResultHandle) throws(DecodingFailure) -> Void
    ) async throws(PostgresError) -> Int {
        var failure: PostgresError?
        var rowsAffected = 0
        while stepsDone < steps.count {
            let step = steps[stepsDone]
            while let result = try await nextResult(handle) {
                switch result.status {
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_SINGLE_TUPLE:
                    rowsAffected = result.rowsAffected
                    if step.isPreparation { continue }
                    do { try body(result) } catch { failure = failure ?? PostgresError(error) }
                default:
                    let error = failed(step, result)
                    failure = failure ?? error
                }
            }
            stepsDone += 1
            if let failure { throw failure }
            if step.isPreparation { continue }
            break
        }
        return rowsAffected
    }

    /// Reads the results of a statement's preparation, which is the next step.
    func readPreparation(_ handle: OpaquePointer) async throws(PostgresError) {
        var failure: PostgresError?
        while let result = try await nextResult(handle) {
            if result.status != PGRES_COMMAND_OK { failure = stepFailure(result) }
        }
        stepsDone += 1
        if let failure { throw failure }
    }

    /// Reads a statement's results and ignores its rows.
    func skipStatement(_ handle: OpaquePointer) async throws(PostgresError) {
        _ = try await readStatement(handle) { _ in }
    }

    /// Ends an operation that has not failed so far.
    /// - Throws: Also when the server turned out to be a former primary meanwhile. What it has committed may be lost
    ///   and what it has read may be out of date, so nobody is told of it.
    func complete(_ handle: OpaquePointer) async throws(PostgresError) {
        if let error = await finish(handle) { throw error }
        if isFormer { throw abandoned() }
    }

    /// Closes the session of a former primary.
    func abandoned() -> PostgresError {
        close()
        return PostgresError(.connectionLost, safeToRetry: false, message: "the server is a former primary")
    }

    /// Reads everything up to the Sync and ends the operation, unless it has ended. It never fails: if it cannot read
    /// on, it closes the session.
    /// - Returns: The first error that it read, such as that of a constraint that is checked at commit.
    @discardableResult func finish(_ handle: OpaquePointer) async -> PostgresError? {
        guard isBusy else { return nil }
        defer { leave() }
        guard open != nil else { return nil }
        var failure: PostgresError?
        do throws(PostgresError) {
            while true {
                guard let result = try await nextResult(handle) else {
                    stepsDone += 1
                    // When it expects nothing more, libpq returns nil for ever.
                    if stepsDone > steps.count + 1 { throw lost(handle) }
                    continue
                }
                switch result.status {
                case PGRES_PIPELINE_SYNC:
                    if cancellation != nil { try await settle(handle) }
                    if PQexitPipelineMode(handle) != 1 { throw lost(handle) }
                    return outcome(failure)
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_SINGLE_TUPLE: break
                default:
                    let error = failed(stepsDone < steps.count ? steps[stepsDone] : nil, result)
                    failure = failure ?? error
                }
            }
        } catch { return failure ?? error }
    }

    /// What became of an operation whose answers have all been read.
    /// - Parameter failure: The first error of the server.
    /// - Returns: 40003 for a success while a commit did not wait for its standby, because a fail-over may lose it.
    func outcome(_ failure: PostgresError?) -> PostgresError? {
        guard notices.isCommitInDoubt else { return failure }
        return failure?.with(safeToRetry: false)
            ?? PostgresError(
                .completionUnknown, safeToRetry: false, message: "the wait for a synchronous standby was cancelled")
    }
}

/// Owns one `PGresult`.
struct ResultHandle: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var rowsCount: Int32 { PQntuples(pointer) }

    /// Rows that the statement affected; 0 for statements that do not count any.
    var rowsAffected: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }
}
