import Domain
import Postgres
import Statements

/// `board_seasons.sql`
struct BoardSeasons: Query {
    static let sql = SQL.boardSeasons
    let game: Slug
    let board: Slug
    var binds: Binds { [game, board] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (number: Int32, endedAt: Instant?) {
        (try row.next(), try row.next())
    }
}
