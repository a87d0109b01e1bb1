package import Domain
import Postgres
import Statements

/// `board_add.sql`
struct BoardAdd: Query {
    static let sql = SQL.boardAdd
    let board: NewBoard
    let now: Instant
    var binds: Binds {
        [
            board.game, board.slug, board.name, board.policy, board.lowestFirst, board.bounds.lowerBound,
            board.bounds.upperBound, board.zone, board.ties, board.earning.rule, board.earning.fixedPoints,
            board.earnMax, board.earnDay, board.opensAt, board.closesAt, board.display, board.unit, board.trust,
            board.holds.above?.description, board.holds.rate, board.holds.pace, board.holds.judgeMinutes,
            board.holds.settleMinutes, now, board.details,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
}

/// `board_set.sql`
struct BoardSet: Query {
    static let sql = SQL.boardSet
    let game: Slug
    let slug: Slug
    let change: BoardChange
    /// The version that the settings must have; nil for any.
    let version: String?
    var binds: Binds {
        [
            game, slug, change.name, change.policy, change.lowestFirst, change.pointsMin, change.pointsMax, change.zone,
            change.ties, change.earning?.rule, change.earning?.fixedPoints, change.earnMax.isGiven,
            change.earnMax.value, change.earnDay.isGiven, change.earnDay.value, change.opensAt.isGiven,
            change.opensAt.value, change.closesAt.isGiven, change.closesAt.value, change.display, change.unit.isGiven,
            change.unit.value, change.trust, version, change.holds.above.isGiven, change.holds.above.value?.description,
            change.holds.rate.isGiven, change.holds.rate.value, change.holds.pace.isGiven, change.holds.pace.value,
            change.holds.judgeMinutes.isGiven, change.holds.judgeMinutes.value, change.holds.settleMinutes.isGiven,
            change.holds.settleMinutes.value, change.details,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AdminOutcome { try row.next() }
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
