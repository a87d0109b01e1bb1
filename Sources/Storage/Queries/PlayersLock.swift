import Domain
import Postgres
import Statements

/// `players_lock.sql`
struct PlayersLock: Query {
    static let sql = SQL.playersLock
    let players: [Player.ID]
    var binds: Binds { [players] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}
