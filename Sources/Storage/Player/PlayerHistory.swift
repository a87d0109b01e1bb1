import Domain
import FoundationEssentials
import Postgres
import Statements

/// `player_scores.sql`
struct PlayerScores: Query {
    static let sql = SQL.playerScores
    let player: Player.ID
    let side: HistorySide
    let rows: Int32
    let now: Instant
    var binds: Binds { [player, side.isAfter, side.key?.reachedAt, side.key?.id, rows, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ExportedScore {
        let score = try PastScore(row: &row)
        return ExportedScore(score: score, name: try row.next(), improved: try row.next(), recordedAt: try row.next())
    }
}

/// `player_donations.sql`
struct PlayerDonations: Query {
    static let sql = SQL.playerDonations
    let player: Player.ID
    let side: HistorySide
    let rows: Int32
    var binds: Binds { [player, side.isAfter, side.key?.reachedAt, side.key?.id, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ExportedDonation {
        let donation = try PastDonation(row: &row)
        return ExportedDonation(donation: donation, recordedAt: try row.next())
    }
}

/// Which part of a player's history is read, from a point on.
enum HistorySide {
    /// Newest first. Nil for all.
    case before(HistoryKey?)
    /// Oldest first. Nil for all.
    case after(HistoryKey?)

    var isAfter: Bool { if case .after = self { true } else { false } }

    var key: HistoryKey? {
        switch self {
        case .before(let key), .after(let key): key
        }
    }
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
