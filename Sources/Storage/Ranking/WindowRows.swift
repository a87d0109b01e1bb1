import Domain
import Postgres
import Statements

/// `window_rows.sql`
struct WindowRows: Query {
    enum RowSelection {
        case pageRequest(PageRequest)
        /// `rows` rows on either side of the player's.
        case around(Player.ID)
        case rowIDs([Int64])
    }

    static let sql = SQL.windowRows
    let board: Board.ID
    let days: ClosedRange<Day>
    let selection: RowSelection
    let rows: Int32

    var binds: Binds {
        var name: String
        var position: Int64?
        var sortKey: SortKey?
        var row: Int64?
        var rowIDs: [Int64] = []
        switch selection {
        case .pageRequest(let request):
            (name, position, sortKey) = request.selection
            row = sortKey?.row
        case .around(let player): (name, row) = ("around", player.rawValue)
        case .rowIDs(let ids): (name, rowIDs) = ("players", ids)
        }
        return [
            board, days.lowerBound, days.upperBound, name, position, sortKey?.orderKey, sortKey?.reachedAt, row, rowIDs,
            rows,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (row: PositionedStanding, size: Int64) {
        (try PositionedStanding(row: &row), try row.next())
    }
}

/// `window_span.sql`
struct WindowSpan: Query {
    static let sql = SQL.windowSpan
    let board: Board.ID
    let days: ClosedRange<Day>
    var binds: Binds { [board, days.lowerBound, days.upperBound] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Range<Instant> {
        let from: Instant = try row.next()
        let until: Instant = try row.next()
        guard from <= until else { throw DecodingFailure(.outOfRange, Range<Instant>.self, from: Timestamp.oid) }
        return from..<until
    }
}
