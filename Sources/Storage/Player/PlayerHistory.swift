import Domain
import FoundationEssentials
import Postgres
import Statements

/// `player_scores.sql`
struct PlayerScores: Query {
    static let sql = SQL.playerScores
    let player: Player.ID
    /// Nil for the newest.
    let before: HistoryKey?
    let rows: Int32
    let now: Instant
    var binds: Binds { [player, before?.reachedAt, before?.id, rows, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PastScore { try PastScore(row: &row) }
}

/// `player_scores_newer.sql`
struct PlayerScoresNewer: Query {
    static let sql = SQL.playerScoresNewer
    let player: Player.ID
    let after: HistoryKey
    let rows: Int32
    let now: Instant
    var binds: Binds { [player, after.reachedAt, after.id, rows, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PastScore { try PastScore(row: &row) }
}

/// `player_donations.sql`
struct PlayerDonations: Query {
    static let sql = SQL.playerDonations
    let player: Player.ID
    /// Nil for the newest.
    let before: HistoryKey?
    let rows: Int32
    var binds: Binds { [player, before?.reachedAt, before?.id, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PastDonation { try PastDonation(row: &row) }
}

/// `player_donations_newer.sql`
struct PlayerDonationsNewer: Query {
    static let sql = SQL.playerDonationsNewer
    let player: Player.ID
    let after: HistoryKey
    let rows: Int32
    var binds: Binds { [player, after.reachedAt, after.id, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PastDonation { try PastDonation(row: &row) }
}

extension PastScore: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(
            id: row.next(), game: row.next(), board: row.next(), season: row.next(), points: row.next(),
            earned: row.next(), playedAt: row.next(), detail: row.next(), reachedAt: row.next(), state: row.next())
    }
}

extension PastDonation: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(
            id: row.next(), charity: row.next(), points: row.next(), isAnonymous: row.next(), reachedAt: row.next(),
            unfunded: row.next(), isReversed: row.next())
    }
}
