package import Domain
import Postgres
import Statements

/// `report_add.sql`
struct ReportAdd: Query {
    static let sql = SQL.reportAdd
    let player: Player.ID
    let reporter: Player.ID
    let report: Report
    let now: Instant
    var binds: Binds {
        [player, reporter, report.reason.rawValue, report.words?.description, now, Limits.reportWordsKept]
    }
    /// Whether it was known before.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

extension Store {
    /// Keeps what one player reports of another, unless that one has reported it before. Of many reports of one player
    /// the newest ``Limits/reportWordsKept`` keep their words, and all are counted.
    /// - Returns: Whether it had; nil when there is no such player, or it is hidden or was erased.
    package func add(_ report: Report, of player: Player.ID, by reporter: Player.ID, now: Instant)
        async throws(StoreError) -> Bool?
    {
        try await registering { connection throws(PostgresError) in
            try await connection.firstRow(ReportAdd(player: player, reporter: reporter, report: report, now: now))
        }
    }
}
