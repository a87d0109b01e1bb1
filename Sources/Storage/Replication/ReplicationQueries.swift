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
    /// Whether the stream reports changes of ties and merges.
    package func publishesTies() async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in try await connection.row(TiesPublished()) }
    }

    /// Whether the stream says when a team or its members have changed.
    package func publishesTeams() async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in try await connection.row(TeamsPublished()) }
    }

    /// Whether the stream says which flags players show.
    package func publishesFlags() async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in try await connection.row(FlagsPublished()) }
    }

    /// Whether the stream says when a device, a key or a game has changed.
    package func publishesCallers() async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in try await connection.row(CallersPublished()) }
    }
}
