package import Domain
import Postgres
import Statements

extension Store {
    /// The boards whose season is played, and who is hidden, as a snapshot shows them.
    package func ground(in snapshot: RollupStream.Snapshot) async throws(StoreError) -> (boards: [FollowedBoard], hidden: [Player.ID]) {
        try await general { connection throws(PostgresError) in
            try await connection.reading(snapshot.slot.snapshot) { connection throws(PostgresError) in
                try await connection.pipeline(BoardsFollowed(), PlayersHidden())
            }
        }
    }

    /// Reads what a snapshot shows, on one connection.
    package func reading(
        _ snapshot: RollupStream.Snapshot, _ body: (SnapshotReader) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        do throws(Unread) {
            try await generalPool.withConnection { connection throws(Unread) in
                try await connection.reading(snapshot.slot.snapshot) { connection throws(Unread) in
                    do throws(StoreError) { try await body(SnapshotReader(store: self, connection: connection)) } catch {
                        throw .told(error)
                    }
                }
            }
        } catch {
            switch error {
            case .failed(let error): throw failure(error)
            case .told(let error): throw error
            }
        }
    }

    /// Writes a token into the log, in a commit of its own.
    package func emit(_ token: String) async throws(StoreError) {
        _ = try await general { connection throws(PostgresError) in try await connection.rows(TokenEmit(token: token)) }
    }
}

/// Why a snapshot was not read to its end.
private enum Unread: Error, PostgresErrorConvertible {
    case failed(PostgresError)
    /// By whoever read; it is logged.
    case told(StoreError)

    init(_ error: PostgresError) { self = .failed(error) }
}
