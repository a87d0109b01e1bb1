package import Domain
import Postgres
import Statements

/// Reads whole windows of boards in one state of the database.
package struct SnapshotReader {
    let store: Store
    let connection: Connection

    /// Hands out the rows of a board, the best first: by the key, which is less for the better, then by the time when it was reached, then by the row.
    /// Those of hidden players too.
    /// - Parameter days: Nil for all time of the season.
    package func rows(
        of board: Board.ID, days: ClosedRange<Day>?, _ body: (_ orderKey: Int64, _ reachedAt: Instant, _ row: Int64) -> Void
    ) async throws(StoreError) {
        do throws(PostgresError) {
            _ = try await connection.rows(LinesChoose(board: board, days: days))
            try await connection.copyRows(days == nil ? SQL.seasonCopy : SQL.windowCopy) { row throws(DecodingFailure) in
                try body(row.next(), row.next(), row.next())
            }
        } catch {
            throw store.failure(error)
        }
    }
}
