import Domain
import Postgres
import Statements

/// `board_top.sql`
struct BoardTop: Query {
    static let sql = SQL.boardTop
    let board: Board.ID
    let rows: Int32
    var binds: Binds { [board, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Standing { try Standing(reading: &row) }
}

extension Standing {
    /// The columns of `board_top.sql` and of the `window_top_*.sql`.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        try self.init(player: row.next(), name: row.next(), avatar: row.next(), points: row.next(), reachedAt: row.next())
    }
}
