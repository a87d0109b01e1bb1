import Domain
import Postgres
import Statements

// What is read before the rows of a batch are judged, where scores may be held.

/// `own_before.sql`
struct OwnBefore: Query {
    static let sql = SQL.ownBefore
    let players: [Player.ID]
    /// Nil for a player whose row needs no place.
    let boards: [Board.ID?]
    let days: [Day?]
    let now: Instant
    var binds: Binds { [players, boards, days, now] }
    /// Rows come in the order of the players.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> OwnContext {
        try OwnContext(standing: row.reached(), tally: row.reached(), secretPoints: row.next())
    }
}

/// `posts_before.sql`
struct PostsBefore: Query {
    static let sql = SQL.postsBefore
    let players: [Player.ID]
    let boards: [Board.ID]
    /// The posts that each board takes in a minute, 1 or more.
    let rates: [Int32]
    var binds: Binds { [players, boards, rates] }
    /// Rows come in the order of the players.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PostTimes {
        try PostTimes(last: row.next(), earliest: row.next())
    }
}

/// `settling_before.sql`
struct SettlingBefore: Query {
    static let sql = SQL.settlingBefore
    let players: [Player.ID]
    let points: [Int64]
    let now: Instant
    var binds: Binds { [players, points, now] }
    /// Rows come in the order of the players.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> SettlingContext {
        let (settling, left): (Int64, Int64) = (try row.next(), try row.next())
        return SettlingContext(left: left, settling: settling, readyAt: try row.next())
    }
}
