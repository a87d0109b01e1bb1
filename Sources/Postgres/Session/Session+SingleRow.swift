import CPQ

extension Session {
    /// Reads the preparation, if there is one, and turns to single rows, which libpq wants told once the statement itself is next.
    func beginSingleRows(_ handle: OpaquePointer) async throws(PostgresError) {
        while stepsDone < steps.count, steps[stepsDone].isPreparation { try await readPreparation(handle) }
        guard PQsetSingleRowMode(handle) == 1 else { throw lost(handle) }
    }

    /// The next row; nil after the last.
    /// - Throws: 57014 when the task is cancelled, also while rows are at hand.
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
        default:
            throw stepFailure(result)
        }
    }

    /// Cancels what a body no longer wants to read, without waiting for it; `finish` does.
    func cancelRest(_ handle: OpaquePointer) {
        guard open != nil, isBusy, stepsDone < steps.count else { return }
        cancel(handle)
    }
}
