import Domain
import Postgres
import Statements

/// `board_places.sql`
struct BoardPlaces: Query {
    static let sql = SQL.boardPlaces
    let board: Board.ID
    let rowIDs: [Int64]
    let countsAll: Bool
    var binds: Binds { [board, rowIDs, countsAll] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PlayerPlace { try PlayerPlace(reading: &row) }
}

extension PlayerPlace {
    /// The columns of `board_places.sql` and `window_rows.sql`.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        let standing = try Standing(reading: &row)
        let position: Int64 = try row.next()
        let shared: Int64 = try row.next()
        let size: Int64? = try row.next()
        try self.init(
            standing: standing, position: position, sharedPosition: shared, equals: row.next(), size: size, pointsAbove: row.next(),
            betterPoints: row.next())
    }
}
