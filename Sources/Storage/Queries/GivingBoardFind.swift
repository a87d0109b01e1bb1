import Domain
import Postgres
import Statements

/// `giving_board_find.sql`
struct GivingBoardFind: Query {
    static let sql = SQL.givingBoardFind
    /// `overall`, or a charity's.
    let slug: Slug
    let now: Instant
    var binds: Binds { [slug, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Board { try Board(reading: &row) }
}
