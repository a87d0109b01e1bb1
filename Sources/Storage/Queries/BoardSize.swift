import Domain
import Postgres
import Statements

/// `board_size.sql`
struct BoardSize: Query {
    static let sql = SQL.boardSize
    let board: Board.ID
    var binds: Binds { [board] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}
