package import Domain
import Postgres
import Statements

extension BoardAdd {
    init(_ slug: Slug, in game: Slug, _ settings: BoardChange, now: Instant) {
        let (columns, values) = BoardChange.settings.stored(settings)
        self.init(game: game, slug: slug, columns: columns, values: values, now: now)
    }
}

extension Connection {
    /// Waits for posts that are under way and lets none begin until the transaction ends. Posts wait behind it, so it
    /// gives up (55P03) when a moderation action that takes long is under way.
    func lockTallies() async throws(PostgresError) {
        _ = try await row(LockPatience())
        try await run(TalliesLock())
    }
}

extension BoardListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try BoardListing(
            kind: row.next(), game: row.next(), slug: row.next(), season: row.next(), name: row.next(),
            policy: row.next(), lowestFirst: row.next(), pointsMin: row.next(), pointsMax: row.next(), zone: row.next(),
            ties: row.next(), earns: row.next(), earnsFixed: row.next(), earnMax: row.next(), earnDay: row.next(),
            opensAt: row.next(), closesAt: row.next(), display: PointsDisplay(row.next(), unit: row.next()),
            trust: row.next(),
            holds: HoldSettings(
                above: (row.next() as String?).flatMap { HoldFactor($0) }, rate: row.next(), pace: row.next(),
                judgeMinutes: row.next(), settleMinutes: row.next()), details: row.next(), version: row.next())
    }
}

/// A change of a score board's settings; nil and `.keep` leave a setting as it is.
package struct BoardChange: Sendable {
    package var name: DisplayName?
    package var policy: Board.Policy?
    package var lowestFirst: Bool?
    package var pointsMin: Int64?
    package var pointsMax: Int64?
    package var zone: String?
    package var ties: Board.Ties?
    package var earning: Earning?
    package var earnMax = Patch<Int64>.keep
    package var earnDay = Patch<Int64>.keep
    package var opensAt = Patch<Instant>.keep
    package var closesAt = Patch<Instant>.keep
    package var display: PointsDisplay.Form?
    package var unit = Patch<PointsUnit>.keep
    package var trust: Board.Trust?
    package var holds = HoldChange()
    package var details: Board.Details?

    package init() {}
}
