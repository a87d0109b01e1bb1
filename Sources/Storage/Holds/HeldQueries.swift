package import Domain
package import FoundationEssentials
import Postgres
import Statements

// The statements of scores that wait for a verdict.

extension HeldFound: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try HeldFound(
            row: LedgerRowID(owner: row.next(), id: row.next()), state: row.next(), why: row.next(),
            judgeUntil: row.next(), verdict: row.next())
    }
}

/// A score that was held.
struct HeldFound: Sendable {
    let row: LedgerRowID
    let state: LedgerState
    let why: [String]
    /// Until when its game may judge it; nil when it does not wait for that.
    let judgeUntil: Instant?
    /// What its game has said.
    let verdict: Verdict?
}

/// `held_judge.sql`
struct HeldJudge: Query {
    typealias Row = Void
    static let sql = SQL.heldJudge
    let row: LedgerRowID
    let verdict: Verdict
    let key: TokenHash
    let now: Instant
    var binds: Binds { [row.owner, row.id, verdict, Bytes(key.bytes), now] }
}

/// `results_count.sql`
struct ResultsCount: Query {
    typealias Row = Void
    static let sql = SQL.resultsCount
    let player: Player.ID
    let rows: [LedgerRowID]
    var binds: Binds { [player, rows.map { $0.owner }, rows.map { $0.id }] }
}

/// `held_page.sql`
struct HeldPage: Query {
    static let sql = SQL.heldPage
    let game: Slug
    let after: HeldScore.Key
    let limitRows: Int32
    let now: Instant
    var binds: Binds { [game, now, after.judgeUntil, after.item, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> HeldScore {
        try HeldScore(
            item: row.next(), board: row.next(), player: row.next(), score: row.next(), points: row.next(),
            playedAt: row.next(), detail: row.next(), reachedAt: row.next(), judgeUntil: row.next())
    }
}

/// `held_overdue.sql`
struct HeldOverdue: Query {
    static let sql = SQL.heldOverdue
    let now: Instant
    let after: HeldScore.Key
    let limitRows: Int32
    var binds: Binds { [now, after.judgeUntil, after.item, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (row: LedgerRowID, key: HeldScore.Key) {
        let id = try LedgerRowID(owner: row.next(), id: row.next())
        return (id, try HeldScore.Key(judgeUntil: row.next(), item: row.next()))
    }
}

/// `held_let.sql`
struct HeldLet: Query {
    static let sql = SQL.heldLet
    let rows: [LedgerRowID]
    let now: Instant
    var binds: Binds { [rows.map { $0.owner }, rows.map { $0.id }, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LedgerRowID {
        try LedgerRowID(owner: row.next(), id: row.next())
    }
}

/// What a game says of a score.
package enum Verdict: String, Sendable, CaseIterable, PostgresValue {
    /// It counts, as far as nothing else holds it.
    case clear
    case void
}

/// A score that waits for the verdict of its game.
package struct HeldScore: Sendable {
    /// What the list is ordered by.
    package struct Key: Sendable {
        package let judgeUntil: Instant
        package let item: UUID

        package init(judgeUntil: Instant, item: UUID) { (self.judgeUntil, self.item) = (judgeUntil, item) }

        /// The key before the first score.
        static let beginning = Key(judgeUntil: QueueItem.Key.beginning.at, item: QueueItem.Key.beginning.item)
    }

    package let item: UUID
    package let board: String
    package let player: Player.ID
    package let score: UUID
    package let points: Int64
    package let playedAt: Instant?
    package let detail: String?
    package let reachedAt: Instant
    /// Until when it waits; without a verdict it counts.
    package let judgeUntil: Instant

    package var key: Key { Key(judgeUntil: judgeUntil, item: item) }
}
