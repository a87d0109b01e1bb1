import Postgres
import Statements

/// `games_open.sql`
struct GamesOpen: Query {
    static let sql = SQL.gamesOpen
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
}
