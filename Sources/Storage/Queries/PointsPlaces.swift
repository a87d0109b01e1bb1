import Domain
import Postgres
import Statements

/// `board_points_place.sql`
struct BoardPointsPlace: Query {
    static let sql = SQL.boardPointsPlace
    let board: Board.ID
    let orderKey: Int64
    var binds: Binds { [board, orderKey] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PointsPlace {
        try PointsPlace(position: row.next(), sharedPosition: row.next())
    }
}

/// `window_points_place.sql`
struct WindowPointsPlace: Query {
    static let sql = SQL.windowPointsPlace
    let board: Board.ID
    let days: ClosedRange<Day>
    let orderKey: Int64
    var binds: Binds { [board, days.lowerBound, days.upperBound, orderKey] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PointsPlace {
        try PointsPlace(position: row.next(), sharedPosition: row.next())
    }
}
