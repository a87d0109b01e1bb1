import Domain
import Postgres
import Statements

/// `window_rows.sql`
struct WindowRows: Query {
    enum Choice {
        case cut(Cut)
        /// As many on either side.
        case around(Player.ID)
        case rowIDs([Int64])
    }

    static let sql = SQL.windowRows
    let board: Board.ID
    let days: ClosedRange<Day>
    let choice: Choice
    let rows: Int32

    var binds: Binds {
        var name = "from"
        var position: Int64?
        var place: Place?
        var row: Int64?
        var rowIDs: [Int64] = []
        switch choice {
        case .cut(.from(let first)): position = first
        case .cut(.after(let last)): (name, place, row) = ("after", last, last.row)
        case .cut(.before(let first)): (name, place, row) = ("before", first, first.row)
        case .around(let player): (name, row) = ("around", player.rawValue)
        case .rowIDs(let ids): (name, rowIDs) = ("players", ids)
        }
        return [board, days.lowerBound, days.upperBound, name, position, place?.orderKey, place?.reachedAt, row, rowIDs, rows]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (row: PlacedStanding, size: Int64) {
        (try PlacedStanding(reading: &row), try row.next())
    }
}
