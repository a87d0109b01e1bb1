import Domain
import Postgres
import Statements

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

/// Deletes at most ``Limits/sweptRows`` rows that ended before a time, and returns a row for each.
protocol EndedRowsSweep: Query where Row == Int32 { var before: Instant { get } }

extension EndedRowsSweep {
    var binds: Binds { [before, Limits.sweptRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

extension CodesSweep: EndedRowsSweep {}

extension ErasedTokensSweep: EndedRowsSweep {}

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

extension TimedPostsTrim: PlayersPage {}

extension SavesIdle: PlayersPage {}

extension PastPlayers: PlayersPage {}
