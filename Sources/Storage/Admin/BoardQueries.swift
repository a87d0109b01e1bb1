package import Domain
import Postgres
import Statements

extension BoardAdd {
    init(_ board: NewBoard, now: Instant) {
        let (columns, values) = BoardChange.settings.stored(board.asChange)
        self.init(game: board.game, slug: board.slug, columns: columns, values: values, now: now)
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

/// The settings of a new score board.
package struct NewBoard: Sendable {
    package var game: Slug
    package var slug: Slug
    package var name: DisplayName
    package var policy: Board.Policy
    package var lowestFirst: Bool
    package var bounds: ClosedRange<Int64>
    package var zone: String
    package var ties: Board.Ties
    package var earning: Earning
    package var earnMax: Int64?
    package var earnDay: Int64?
    package var opensAt: Instant?
    package var closesAt: Instant?
    package var display = PointsDisplay.Form.number
    package var unit: PointsUnit?
    package var trust = Board.Trust.open
    package var holds = HoldSettings()
    package var details = Board.Details.private

    package init(
        game: Slug, slug: Slug, name: DisplayName, policy: Board.Policy, lowestFirst: Bool, bounds: ClosedRange<Int64>,
        zone: String, ties: Board.Ties, earning: Earning, earnMax: Int64?, earnDay: Int64?, opensAt: Instant?,
        closesAt: Instant?, display: PointsDisplay.Form = .number, unit: PointsUnit? = nil, trust: Board.Trust = .open,
        holds: HoldSettings = HoldSettings(), details: Board.Details = .private
    ) {
        self.game = game
        self.slug = slug
        self.name = name
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.bounds = bounds
        self.zone = zone
        self.ties = ties
        self.earning = earning
        self.earnMax = earnMax
        self.earnDay = earnDay
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.display = display
        self.unit = unit
        self.trust = trust
        self.holds = holds
        self.details = details
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
