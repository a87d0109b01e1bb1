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
        try await generalPool.withConnection { connection throws(StoreError) in
            try await connection.reading(snapshot.slot.snapshot) { connection throws(StoreError) in
                try await body(SnapshotReader(store: self, connection: connection))
            }
        }
    }

    /// Writes a token into the log, in a commit of its own.
    package func emit(_ token: String) async throws(StoreError) {
        _ = try await general { connection throws(PostgresError) in try await connection.rows(TokenEmit(token: token)) }
    }
}
