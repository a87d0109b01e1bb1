import Domain
import Postgres
import Statements

/// `board_places.sql`
struct BoardPlaces: Query {
    static let sql = SQL.boardPlaces
    let board: Board.ID
    let rowIDs: [Int64]
    var binds: Binds { [board, rowIDs] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PlacedStanding { try PlacedStanding(reading: &row) }
}

extension PlacedStanding {
    /// The columns of `board_places.sql`, with which those of `window_rows.sql` begin.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        let standing = try Standing(reading: &row)
        let place = try PlayerPlace(
            place: standing.place, points: standing.points, position: row.next(), sharedPosition: row.next(), equals: row.next(),
            pointsAbove: row.next(),
            betterPoints: row.next())
        self.init(standing: standing, place: place)
    }
}
