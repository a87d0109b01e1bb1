package import Domain
import Postgres
import Statements

/// `report_add.sql`
struct ReportAdd: Query {
    static let sql = SQL.reportAdd
    let player: Player.ID
    let reporter: Player.ID
    let report: Report
    let source: Int64?
    let now: Instant
    var binds: Binds {
        [player, reporter, report.reason.rawValue, report.words?.description, now, Limits.reportWordsKept, source]
    }
    /// Whether it was known before.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

extension Store {
    /// Keeps what one player reports of another, unless that one has reported it before. Of many reports of one player
    /// ``Limits/reportWordsKept`` keep their words, those of different networks first, and all are counted.
    /// - Parameter source: A keyed hash of the reporter's network; nil if it is unknown.
    /// - Returns: Whether it had; nil when there is no such player, or it is hidden or was erased.
    package func add(_ report: Report, of player: Player.ID, by reporter: Player.ID, from source: Int64?, now: Instant)
        async throws(StoreError) -> Bool?
    {
        let add = ReportAdd(player: player, reporter: reporter, report: report, source: source, now: now)
        return try await registering { connection throws(PostgresError) in try await connection.firstRow(add) }
    }
}
