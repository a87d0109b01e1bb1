import Domain
import Postgres
import Statements

/// `board_page.sql`
struct BoardPage: Query {
    /// Which rows are neighbours of which.
    enum Anchor {
        /// The rows on one side of a sort key, or from a position on.
        case pageRequest(PageRequest)
        /// A player's own row, with as many rows on either side.
        case around(Player.ID)
    }

    static let sql = SQL.boardPage
    let board: Board.ID
    let anchor: Anchor
    let rows: Int32

    var binds: Binds {
        switch anchor {
        case .pageRequest(.from(let position)):
            binds(from: nil, rowID: 0, rowsBefore: 0, skippedRows: max(position, 1) - 1, rowsFrom: rows)
        case .pageRequest(.after(let sortKey)):
            // The rows after a sort key are those from the next row id on, which comes last in the order.
            binds(from: sortKey, rowID: min(sortKey.row, .max - 1) + 1, rowsBefore: 0, skippedRows: 0, rowsFrom: rows)
        case .pageRequest(.before(let sortKey)):
            // The row that follows tells whether the last one before the sort key is tied.
            binds(from: sortKey, rowID: sortKey.row, rowsBefore: rows, skippedRows: 0, rowsFrom: 1)
        case .around(let player):
            [board, player, nil as Int64?, nil as Instant?, nil as Int64?, rows, 0 as Int64, rows + 1]
        }
    }

    /// - Parameter sortKey: Nil for the top of the board.
    private func binds(from sortKey: SortKey?, rowID: Int64, rowsBefore: Int32, skippedRows: Int64, rowsFrom: Int32)
        -> Binds
    {
        let orderKey = sortKey.map { Int64(clamping: $0.orderKey) } ?? .min
        let reachedAt = sortKey?.reachedAt ?? Instant(microsecondsSince1970: 0)
        return [board, nil as Player.ID?, orderKey, reachedAt, rowID, rowsBefore, skippedRows, rowsFrom]
    }

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PageRow { try PageRow(row: &row) }
}

extension PageRequest {
    /// How statements are given it: the name of the selection, and the position or the sort key.
    var selection: (name: String, position: Int64?, sortKey: SortKey?) {
        switch self {
        case .from(let position): ("from", position, nil)
        case .after(let last): ("after", nil, last)
        case .before(let first): ("before", nil, first)
        }
    }
}

/// A row with the position of the page's first row.
struct PageRow: RowDecodable {
    let standing: Standing
    let position: Int64
    let sharedPosition: Int64

    init(row: inout RowReader) throws(DecodingFailure) {
        standing = try Standing(row: &row)
        (position, sharedPosition) = try (row.next(), row.next())
    }
}

extension Standing: RowDecodable {
    /// Reads the columns with which every row of a ranking begins.
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(
            row: row.next(), name: row.next() ?? Standing.anonymousName, avatar: row.next(), flag: row.next(),
            points: row.next(), reachedAt: row.next(), orderKey: row.next())
    }
}

/// `window_size.sql`
struct WindowSize: Query {
    static let sql = SQL.windowSize
    let board: Board.ID
    let days: ClosedRange<Day>
    var binds: Binds { [board, days.lowerBound, days.upperBound] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}

/// `window_anonymous_size.sql`
struct WindowAnonymousSize: Query {
    static let sql = SQL.windowAnonymousSize
    let board: Board.ID
    let days: ClosedRange<Day>
    var binds: Binds { [board, days.lowerBound, days.upperBound] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}
