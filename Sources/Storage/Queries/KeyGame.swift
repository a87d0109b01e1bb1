import Domain
import Postgres
import Statements

/// `key_game.sql`
struct KeyGame: Query {
    static let sql = SQL.keyGame
    let key: TokenHash
    var binds: Binds { [Bytes(key.bytes)] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Slug { try row.next() }
}
