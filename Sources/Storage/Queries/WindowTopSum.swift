import Domain
import Postgres
import Statements

/// `window_top_sum.sql`
struct WindowTopSum: Query {
    static let sql = SQL.windowTopSum
    let board: Board.ID
    let days: ClosedRange<Day>
    let rows: Int32
    var binds: Binds { [board, days.lowerBound, days.upperBound, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Standing { try Standing(reading: &row) }
}
