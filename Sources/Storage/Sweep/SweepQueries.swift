import Domain
import Postgres
import Statements

/// `sweep_lock.sql`
struct SweepLock: Query {
    static let sql = SQL.sweepLock
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

/// `sweep_patience.sql`
struct SweepPatience: Query {
    static let sql = SQL.sweepPatience
    let milliseconds: Int32
    var binds: Binds { [milliseconds] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) { let _: String = try row.next() }
}

/// `pictures_idle.sql`
struct PicturesIdle: Query {
    static let sql = SQL.picturesIdle
    /// Nil for the beginning.
    let after: AvatarHash?
    let before: Instant
    var binds: Binds { [Bytes(after?.bytes ?? []), before, Limits.sweptRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (hash: AvatarHash, isIdle: Bool) {
        (try row.next(), try row.next())
    }
}

/// `pictures_hold.sql`
struct PicturesHold: Query {
    typealias Row = Void
    static let sql = SQL.picturesHold
}

/// `pictures_sweep.sql`
struct PicturesSweep: Query {
    static let sql = SQL.picturesSweep
    let hashes: [AvatarHash]
    let before: Instant
    var binds: Binds { [hashes, before] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AvatarHash { try row.next() }
}

/// Deletes at most ``Limits/sweptRows`` rows that ended before a time, and returns a row for each.
protocol EndedRowsSweep: Query where Row == Int32 { var before: Instant { get } }

extension EndedRowsSweep {
    var binds: Binds { [before, Limits.sweptRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `codes_sweep.sql`
struct CodesSweep: EndedRowsSweep {
    static let sql = SQL.codesSweep
    let before: Instant
}

/// `erased_tokens_sweep.sql`
struct ErasedTokensSweep: EndedRowsSweep {
    static let sql = SQL.erasedTokensSweep
    let before: Instant
}

/// Looks at the next ``Limits/sweptRows`` players, in the order of their ids, for rows from before a time.
protocol PlayersPage: Query {
    /// The player before the first one.
    var after: Player.ID { get }
    var before: Instant { get }
}

extension PlayersPage { var binds: Binds { [after, before, Limits.sweptRows] } }

extension PlayersPage where Row == (player: Player.ID, isDue: Bool) {
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Row { (try row.next(), try row.next()) }
}

/// `timed_posts_trim.sql`
struct TimedPostsTrim: PlayersPage {
    static let sql = SQL.timedPostsTrim
    let after: Player.ID
    let before: Instant
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (last: Player.ID?, trimmed: Int64) {
        (try row.next(), try row.next())
    }
}

/// `saves_idle.sql`
struct SavesIdle: PlayersPage {
    typealias Row = (player: Player.ID, isDue: Bool)
    static let sql = SQL.savesIdle
    let after: Player.ID
    let before: Instant
}

/// `past_players.sql`
struct PastPlayers: PlayersPage {
    typealias Row = (player: Player.ID, isDue: Bool)
    static let sql = SQL.pastPlayers
    let after: Player.ID
    let before: Instant
}

/// `saves_sweep.sql`
struct SavesSweep: Query {
    static let sql = SQL.savesSweep
    let players: [Player.ID]
    let before: Instant
    var binds: Binds { [players, before, Limits.sweptRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `past_move.sql`
struct PastMove: Query {
    static let sql = SQL.pastMove
    let players: [Player.ID]
    let before: Instant
    var binds: Binds { [players, before, Limits.pastRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (scores: Int64, donations: Int64) {
        (try row.next(), try row.next())
    }
}
