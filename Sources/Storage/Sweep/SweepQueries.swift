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
    let limitRows: Int32
    var binds: Binds { [Bytes(after?.bytes ?? []), before, limitRows] }
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

/// `codes_sweep.sql`
struct CodesSweep: Query {
    static let sql = SQL.codesSweep
    let before: Instant
    let limitRows: Int32
    var binds: Binds { [before, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `erased_tokens_sweep.sql`
struct ErasedTokensSweep: Query {
    static let sql = SQL.erasedTokensSweep
    let now: Instant
    let limitRows: Int32
    var binds: Binds { [now, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `timed_posts_trim.sql`
struct TimedPostsTrim: Query {
    static let sql = SQL.timedPostsTrim
    let after: Player.ID
    let before: Instant
    let limitRows: Int32
    var binds: Binds { [after, before, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (last: Player.ID?, trimmed: Int64) {
        (try row.next(), try row.next())
    }
}

/// `saves_idle.sql`
struct SavesIdle: Query {
    static let sql = SQL.savesIdle
    let after: Player.ID
    let since: Instant
    let limitRows: Int32
    var binds: Binds { [after, since, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, isIdle: Bool) {
        (try row.next(), try row.next())
    }
}

/// `saves_sweep.sql`
struct SavesSweep: Query {
    static let sql = SQL.savesSweep
    let players: [Player.ID]
    let before: Instant
    let limitRows: Int32
    var binds: Binds { [players, before, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

/// `past_players.sql`
struct PastPlayers: Query {
    static let sql = SQL.pastPlayers
    let after: Player.ID
    let before: Instant
    let limitRows: Int32
    var binds: Binds { [after, before, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, hasPast: Bool) {
        (try row.next(), try row.next())
    }
}

/// `past_move.sql`
struct PastMove: Query {
    static let sql = SQL.pastMove
    let players: [Player.ID]
    let before: Instant
    let limitRows: Int32
    var binds: Binds { [players, before, limitRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (scores: Int64, donations: Int64) {
        (try row.next(), try row.next())
    }
}
