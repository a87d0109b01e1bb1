import Domain
import FoundationEssentials
import Postgres
import Statements

// The statements that correct what is a player's. Whoever runs them has locked the wallet.

/// `player_found.sql`
struct PlayerFound: Query {
    static let sql = SQL.playerFound
    let player: Player.ID
    var binds: Binds { [player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        game: Slug, name: String, avatar: AvatarHash?, isHidden: Bool
    ) {
        (game: try row.next(), name: try row.next(), avatar: try row.next(), isHidden: try row.next())
    }
}

/// `wallet_sums.sql`
struct WalletSumsOf: Query {
    static let sql = SQL.walletSums
    let player: Player.ID
    var binds: Binds { [player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> WalletSums {
        try WalletSums(earned: row.next(), voided: row.next(), held: row.next(), given: row.next())
    }
}

/// `scores_restate.sql`
struct ScoresRestate: Query {
    static let sql = SQL.scoresRestate
    let player: Player.ID
    /// Nil for all.
    let score: UUID?
    /// Nil for scores in any other state.
    let from: LedgerState?
    let to: LedgerState
    let act: UUID
    let now: Instant
    var binds: Binds { [player, score, from, to, act, now] }
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
        points: Int64, earned: Int64, state: LedgerState, bounds: ClosedRange<Int64>
    ) {
        let (points, earned): (Int64, Int64) = (try row.next(), try row.next())
        let state: LedgerState = try row.next()
        let (least, most): (Int64, Int64) = (try row.next(), try row.next())
        return (points: points, earned: earned, state: state, bounds: least...max(least, most))
    }
}

/// `score_replace.sql`
struct ScoreReplace: Query {
    typealias Row = Void
    static let sql = SQL.scoreReplace
    let player: Player.ID
    let replaced: UUID
    let score: UUID
    let points: Int64
    let earned: Int64
    let now: Instant
    var binds: Binds { [player, replaced, score, points, earned, now] }
}

/// `donation_found.sql`
struct DonationFound: Query {
    static let sql = SQL.donationFound
    let player: Player.ID
    let donation: UUID
    var binds: Binds { [player, donation] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        points: Int64, isAnonymous: Bool, unfunded: Int64, isReversed: Bool
    ) {
        (points: try row.next(), isAnonymous: try row.next(), unfunded: try row.next(), isReversed: try row.next())
    }
}

/// `donation_reverse.sql`
struct DonationReverse: Query {
    typealias Row = Void
    static let sql = SQL.donationReverse
    let player: Player.ID
    let donation: UUID
    let isReversed: Bool
    let forfeited: Int64
    let restored: Int64
    let act: UUID
    let now: Instant
    var binds: Binds { [player, donation, isReversed, forfeited, restored, act, now] }
}

/// `player_hide.sql`
struct PlayerHide: Query {
    typealias Row = Void
    static let sql = SQL.playerHide
    let player: Player.ID
    var binds: Binds { [player] }
}

/// `player_rename.sql`
struct PlayerRename: Query {
    typealias Row = Void
    static let sql = SQL.playerRename
    let player: Player.ID
    let name: String
    var binds: Binds { [player, name] }
}

/// `picture_refuse.sql`
struct PictureRefuse: Query {
    typealias Row = Void
    static let sql = SQL.pictureRefuse
    let picture: AvatarHash
    let now: Instant
    var binds: Binds { [picture, now] }
}

/// `score_note_remove.sql`
struct ScoreNoteRemove: Query {
    typealias Row = Void
    static let sql = SQL.scoreNoteRemove
    let player: Player.ID
    let score: UUID
    var binds: Binds { [player, score] }
}
