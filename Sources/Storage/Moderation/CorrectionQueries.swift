package import Domain
package import FoundationEssentials
import Postgres
import Statements

// The statements that correct what is a player's. Whoever runs them has locked the wallet.

/// A row of a ledger: under whom it was recorded, who may be one with another player by now, and its id.
package struct LedgerRowID: Sendable {
    package let owner: Player.ID
    package let id: UUID
}

/// `player_found.sql`
struct PlayerFound: Query {
    static let sql = SQL.playerFound
    let player: Player.ID
    var binds: Binds { [player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        game: Slug, name: String, ownName: String, avatar: AvatarHash?, isHidden: Bool, waiting: WaitingName
    ) {
        (
            game: try row.next(), name: try row.next(), ownName: try row.next(), avatar: try row.next(),
            isHidden: try row.next(),
            waiting: try WaitingName(name: row.next(), since: row.next(), nextWaits: row.next())
        )
    }
}

/// `scores_restate.sql`
struct ScoresRestate: Query {
    static let sql = SQL.scoresRestate
    let player: Player.ID
    /// Nil for all.
    let scores: [LedgerRowID]?
    /// Nil for scores in any other state.
    let from: LedgerState?
    let to: LedgerState
    /// Nil when the game or time decided.
    let action: UUID?
    let now: Instant
    var binds: Binds { [player, (scores ?? []).map { $0.owner }, scores?.map { $0.id }, from, to, action, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (scores: Int64, earned: Int64) {
        (scores: try row.next(), earned: try row.next())
    }
}

/// `score_found.sql`
struct ScoreFound: Query {
    static let sql = SQL.scoreFound
    let player: Player.ID
    let score: UUID
    var binds: Binds { [player, score] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        owner: Player.ID, points: Int64, earned: Int64, state: LedgerState, bounds: ClosedRange<Int64>,
        secretUntil: Instant?
    ) {
        let owner: Player.ID = try row.next()
        let (points, earned): (Int64, Int64) = (try row.next(), try row.next())
        let state: LedgerState = try row.next()
        let (least, most): (Int64, Int64) = (try row.next(), try row.next())
        return (
            owner: owner, points: points, earned: earned, state: state, bounds: least...max(least, most),
            secretUntil: try row.next()
        )
    }
}

/// `score_replace.sql`
struct ScoreReplace: Query {
    typealias Row = Void
    static let sql = SQL.scoreReplace
    let player: Player.ID
    let replaced: LedgerRowID
    let score: UUID
    let points: Int64
    let earned: Int64
    let now: Instant
    var binds: Binds { [player, replaced.owner, replaced.id, score, points, earned, now] }
}

/// `donation_reverse.sql`
struct DonationReverse: Query {
    typealias Row = Void
    static let sql = SQL.donationReverse
    let player: Player.ID
    let donation: LedgerRowID
    let isReversed: Bool
    let forfeited: Int64
    let restored: Int64
    /// Nil when the player does it.
    let action: UUID?
    let now: Instant
    var binds: Binds { [player, donation.owner, donation.id, isReversed, forfeited, restored, action, now] }
}

extension DonationReverse {
    /// A player takes a donation back, all of whose points can be donated again.
    init(takingBack donation: LedgerRowID, of player: Player.ID, now: Instant) {
        self.init(
            player: player, donation: donation, isReversed: true, forfeited: 0, restored: 0, action: nil, now: now)
    }
}

/// `player_rename.sql`
struct PlayerRename: Query {
    typealias Row = Void
    static let sql = SQL.playerRename
    let player: Player.ID
    let name: String
    let waiting: WaitingName
    var binds: Binds { [player, name, waiting.nextWaits, waiting.name, waiting.since] }
}

/// `score_note_remove.sql`
struct ScoreNoteRemove: Query {
    typealias Row = Void
    static let sql = SQL.scoreNoteRemove
    let score: LedgerRowID
    var binds: Binds { [score.owner, score.id] }
}
