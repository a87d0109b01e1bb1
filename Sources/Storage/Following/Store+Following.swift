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

    /// Every row of the seasons that are played, as a snapshot shows them, in any order; those of hidden players too.
    package func standings(
        in snapshot: RollupStream.Snapshot, _ body: (Board.ID, _ row: Int64, LineChange.Line) -> Void
    ) async throws(StoreError) {
        try await copying(Board.ID(rawValue: 0), nil, SQL.standingsCopy, in: snapshot) { row throws(DecodingFailure) in
            let board = try Board.ID(rawValue: row.next())
            let (player, line) = try Self.line(&row)
            body(board, player, line)
        }
    }

    /// The rows of one board, as a snapshot shows them, in any order; those of hidden players too.
    /// - Parameter days: Nil for all time of the season.
    package func lines(
        of board: Board.ID, days: ClosedRange<Day>?, in snapshot: RollupStream.Snapshot, _ body: (_ row: Int64, LineChange.Line) -> Void
    ) async throws(StoreError) {
        let copy = days == nil ? SQL.seasonCopy : SQL.windowCopy
        try await copying(board, days, copy, in: snapshot) { row throws(DecodingFailure) in
            let (player, line) = try Self.line(&row)
            body(player, line)
        }
    }

    private func copying(
        _ board: Board.ID, _ days: ClosedRange<Day>?, _ copy: StaticString, in snapshot: RollupStream.Snapshot,
        _ body: (inout CopyRow) throws(DecodingFailure) -> Void
    ) async throws(StoreError) {
        try await general { connection throws(PostgresError) in
            try await connection.reading(snapshot.slot.snapshot) { connection throws(PostgresError) in
                _ = try await connection.rows(LinesChoose(board: board, days: days))
                try await connection.copyRows(copy, body)
            }
        }
    }

    private static func line(_ row: inout CopyRow) throws(DecodingFailure) -> (row: Int64, LineChange.Line) {
        try (row.next(), LineChange.Line(points: row.next(), reachedAt: row.next()))
    }

    /// Writes a token into the log, in a commit of its own.
    package func emit(_ token: String) async throws(StoreError) {
        _ = try await general { connection throws(PostgresError) in try await connection.rows(TokenEmit(token: token)) }
    }
}
