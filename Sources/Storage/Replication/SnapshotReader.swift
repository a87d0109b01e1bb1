package import Domain
import Postgres
import Statements

/// Reads whole windows of boards from one snapshot.
package struct SnapshotReader {
    let store: Store
    let connection: Connection

    /// Passes the rows of a board to `body`, best first: by order key (a smaller key is better), then by the time when
    /// it was reached, then by row id. Rows of hidden players are included.
    /// - Parameter days: The days of the window; nil for the whole season.
    package func rows(
        of board: Board.ID, days: ClosedRange<Day>?,
        _ body: (_ orderKey: Int64, _ reachedAt: Instant, _ row: Int64) -> Void
    ) async throws(StoreError) {
        do throws(PostgresError) {
            _ = try await connection.rows(SnapshotParameters(board: board, days: days))
            try await connection.copyRows(days == nil ? SQL.seasonCopy : SQL.windowCopy) {
                row throws(DecodingFailure) in try body(row.next(), row.next(), row.next())
            }
        } catch { throw store.failure(error) }
    }
}

extension Store {
    /// Reads the boards with a current season, the hidden players, those who are one with others, those who were
    /// erased, who was in which team, and the flags that players chose, as of a snapshot.
    package func snapshotHeader(in snapshot: RollupStream.Snapshot) async throws(StoreError) -> (
        boards: [FollowedBoard], hidden: [Player.ID], merged: [(player: Player.ID, survivor: Player.ID)],
        erased: [Player.ID], members: [(player: Player.ID, firstDay: Day, team: Team.ID)],
        flags: [(player: Player.ID, flag: CountryFlag)]
    ) {
        try await general { connection throws(PostgresError) in
            try await connection.reading(snapshot.slot.snapshot) { connection throws(PostgresError) in
                try await connection.pipeline(
                    BoardsFollowed(), PlayersHidden(), PlayersMerged(), PlayersErased(), MembersFollowed(),
                    PlayersFlagged())
            }
        }
    }

    /// Runs `body` with a reader of a snapshot, on one connection.
    package func reading(_ snapshot: RollupStream.Snapshot, _ body: (SnapshotReader) async throws(StoreError) -> Void)
        async throws(StoreError)
    {
        do throws(Unread) {
            try await generalPool.withConnection { connection throws(Unread) in
                try await connection.reading(snapshot.slot.snapshot) { connection throws(Unread) in
                    do throws(StoreError) { try await body(SnapshotReader(store: self, connection: connection)) } catch
                    { throw .logged(error) }
                }
            }
        } catch {
            switch error {
            case .failed(let error): throw failure(error)
            case .logged(let error): throw error
            }
        }
    }

    /// Writes a commit marker into the WAL, in a commit of its own, over a connection of those that write.
    package func emit(_ marker: String) async throws(StoreError) {
        _ = try await ledger { connection throws(PostgresError) in try await connection.rows(MarkerEmit(marker: marker))
        }
    }
}

/// Why reading a snapshot failed.
private enum Unread: Error, PostgresErrorConvertible {
    case failed(PostgresError)
    /// The body threw it, and it is already logged.
    case logged(StoreError)

    init(_ error: PostgresError) { self = .failed(error) }
}
