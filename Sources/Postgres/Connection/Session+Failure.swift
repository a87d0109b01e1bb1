import CPQ

extension Session {
    /// The error of the step whose results are being read.
    func stepFailure(_ result: borrowing ResultHandle) -> PostgresError {
        failed(stepsDone < steps.count ? steps[stepsDone] : nil, result)
            ?? PostgresError(.misuse, safeToRetry: false, message: "skipped after an error that was never told")
    }

    /// Returns the error of a failed step, or nil when the step was only skipped after an earlier failure. It also
    /// forgets prepared statements that the server does not have or can no longer use.
    /// - Parameter step: Nil for the Sync, at which an implicit transaction commits.
    func failed(_ step: Step?, _ result: borrowing ResultHandle) -> PostgresError? {
        let state = SQLState(field: CPQ_DIAG_SQLSTATE, of: result.pointer)
        var commits = true
        var isStale = false
        switch step {
        case .prepare(let key, let name):
            statements.forget(key, named: name)
            commits = false
        case .execute(_, _, let wasPrepared, let isCommit):
            commits = isCommit
            isStale = wasPrepared && isStalePlan(state, result)
        case .deallocate:
            commits = false
            isStale = state == .unknownStatement
        case .describe: commits = false
        case nil: break
        }
        if result.status == PGRES_PIPELINE_ABORTED { return nil }
        guard isStale else { return serverError(result, mayHaveCommitted: commits) }
        if state == .unknownStatement { statements.forgetAll() } else { statements.outdate() }
        return PostgresError(result: result.pointer, mayHaveCommitted: commits).with(safeToRetry: true)
    }

    /// Returns the error in a result. Its origin is the client when the client's own cancel request caused it. After a
    /// refused write the session is not used again, because another server may take writes by now.
    func serverError(_ result: borrowing ResultHandle, mayHaveCommitted: Bool) -> PostgresError {
        let error = PostgresError(result: result.pointer, mayHaveCommitted: mayHaveCommitted)
        if error.state == .readOnlyTransaction { hasRefusedWrite = true }
        return error.state == .queryCancelled && cancellation != nil ? error.asOurs : error
    }

    /// Whether the error says that a prepared statement is missing or outdated. 0A000 has many causes; "cached plan
    /// must not change result type" is the one that comes from `RevalidateCachedQuery` in the server's `plancache.c`.
    private func isStalePlan(_ state: SQLState?, _ result: borrowing ResultHandle) -> Bool {
        if state == .unknownStatement { return true }
        guard state == .featureNotSupported, let source = PQresultErrorField(result.pointer, CPQ_DIAG_SOURCE_FUNCTION)
        else { return false }
        return String(cString: source) == "RevalidateCachedQuery"
    }
}

extension PostgresError {
    /// Makes PX001 from a row that could not be decoded. The statement itself was carried out.
    init(_ failure: DecodingFailure) { self.init(.undecodable, safeToRetry: false, message: failure.description) }
}
