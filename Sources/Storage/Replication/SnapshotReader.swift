package import Domain
import Postgres
import Statements

/// Reads whole windows of boards in one state of the database.
package struct SnapshotReader {
    let store: Store
    let connection: Connection

    /// Hands out the rows of a board, the best first: by the key, which is less for the better, then by the time when
    /// it was reached, then by the row. Those of hidden players too.
    /// - Parameter days: Nil for all time of the season.
    package func rows(
        of board: Board.ID,
        days: ClosedRange<Day>?,
        _ body: (_ orderKey: Int64, _ reachedAt: Instant, _ row: Int64) -> Void
    ) async throws(StoreError) {
        do throws(PostgresError) {
            _ = try await connection.rows(SnapshotParameters(board: board, days: days))
            try await connection.copyRows(days == nil ? SQL.seasonCopy : SQL.windowCopy) {
                row throws(DecodingFailure) in
                try body(row.next(), row.next(), row.next())
            }
        } catch {
            throw store.failure(error)
        }
    }
}

extension Store {
    /// The boards whose season is played, and who is hidden, as a snapshot shows them.
    package func snapshotHeader(in snapshot: RollupStream.Snapshot) async throws(StoreError) -> (
        boards: [FollowedBoard], hidden: [Player.ID]
    ) {
        try await general { connection throws(PostgresError) in
            try await connection.reading(snapshot.slot.snapshot) { connection throws(PostgresError) in
                try await connection.pipeline(BoardsFollowed(), PlayersHidden())
            }
        }
    }

    /// Reads what a snapshot shows, on one connection.
    package func reading(
        _ snapshot: RollupStream.Snapshot,
        _ body: (SnapshotReader) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        do throws(Unread) {
            try await generalPool.withConnection { connection throws(Unread) in
                try await connection.reading(snapshot.slot.snapshot) { connection throws(Unread) in
                    do throws(StoreError) { try await body(SnapshotReader(store: self, connection: connection)) } catch
                    {
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
    package func emit(_ marker: String) async throws(StoreError) {
        _ = try await general { connection throws(PostgresError) in
            try await connection.rows(MarkerEmit(marker: marker))
        }
    }
}

/// Why a snapshot was not read to its end.
private enum Unread: Error, PostgresErrorConvertible {
    case failed(PostgresError)
    /// By whoever read; it is logged.
    case told(StoreError)

    init(_ error: PostgresError) { self = .failed(error) }
}
