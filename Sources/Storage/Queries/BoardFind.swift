import Domain
import Postgres
import Statements

/// `board_find.sql`
struct BoardFind: Query {
    static let sql = SQL.boardFind
    let game: Slug
    let board: Slug
    let now: Instant
    var binds: Binds { [game, board, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Board { try Board(reading: &row) }
}

extension Board {
    /// The columns of `board_find.sql` and `giving_board_find.sql`.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        try self.init(
            id: row.next(), kind: row.next(), slug: row.next(), name: row.next(), policy: row.next(), lowestFirst: row.next(),
            ties: row.next(),
            zone: row.next(), opensAt: row.next(), closesAt: row.next(), today: row.next())
    }
}
