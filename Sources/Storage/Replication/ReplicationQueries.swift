import Domain
import Postgres
import Statements

/// `snapshot_parameters.sql`
struct SnapshotParameters: Query {
    static let sql = SQL.snapshotParameters
    let board: Board.ID
    /// The days of the window; nil when a whole season is copied.
    let days: ClosedRange<Day>?
    var binds: Binds {
        let days = days ?? Day(daysSince1970: 0)...Day(daysSince1970: 0)
        return [board, days.lowerBound, days.upperBound]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {
        for _ in 0..<5 { let _: String = try row.next() }
    }
}

extension Store {
    /// Which changes the stream reports beside those of rollups: those that concern callers, friends, held scores,
    /// teams, flags and campaigns.
    package func publishedChanges() async throws(StoreError) -> (
        callers: Bool, ties: Bool, holds: Bool, teams: Bool, flags: Bool, campaigns: Bool
    ) { try await general { connection throws(PostgresError) in try await connection.row(ChangesPublished()) } }
}
