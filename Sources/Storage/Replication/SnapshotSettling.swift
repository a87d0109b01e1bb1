import Postgres
import Statements

// When a snapshot of the stream may be read.
//
// A new slot exports a snapshot in which whatever it has read the commit record of is finished. The server itself takes
// a transaction for finished a moment later, once its backend has marked it so; on a busy machine that takes
// milliseconds. Who reads a row in between takes the transaction for aborted, because it is neither under way for the
// snapshot nor marked as committed, and leaves that as a hint on the row (HeapTupleSatisfiesMVCC): the row that was
// written is gone for everybody from then on, and the one before it is back. So nothing is read with such a snapshot
// before all that it takes for finished is.

extension RollupStream {
    /// Takes the state at the start of the stream, and waits until it may be read: until the server has finished every
    /// transaction that is in it.
    /// - Parameters:
    ///   - store: Asks the server.
    ///   - limit: How long it waits. A commit that waits for a synchronous standby is not finished.
    /// - Throws: `busy` after the limit.
    package func snapshot(settledBy store: Store, within limit: Duration = .seconds(30)) async throws(FollowError)
        -> Snapshot
    {
        let snapshot = try await exported()
        let isSettled: Bool
        do throws(StoreError) {
            // This transaction reads no table.
            let shown = try await store.general { connection throws(PostgresError) in
                try await connection.reading(snapshot.slot.snapshot) { connection throws(PostgresError) in
                    try await connection.row(SnapshotShown())
                }
            }
            isSettled = try await store.finishes(snapshot: shown, within: limit)
        } catch { throw FollowError(error) }
        guard isSettled else { throw .busy }
        return snapshot
    }
}

extension Store {
    /// Waits until the server has finished every transaction that a snapshot takes for finished.
    /// - Parameter shown: The snapshot as `snapshot_shown.sql` shows it.
    /// - Returns: False when it has not after `limit`.
    func finishes(snapshot shown: String, within limit: Duration) async throws(StoreError) -> Bool {
        let end = ContinuousClock.now + limit
        var pause = Duration.milliseconds(1)
        while try await general({ connection throws(PostgresError) in
            try await connection.row(SnapshotCommitsOpen(snapshot: shown))
        }) {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
        return true
    }
}
