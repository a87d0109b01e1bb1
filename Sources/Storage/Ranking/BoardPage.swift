import Domain
import Postgres
import Statements

/// `board_page.sql`
struct BoardPage: Query {
    static let sql = SQL.boardPage
    let board: Board.ID
    /// Nil for a page from the top.
    let after: SortKey?
    let skippedRows: Int64
    let rows: Int32
    var binds: Binds {
        [
            board, after.map { Int64(clamping: $0.orderKey) } ?? .min,
            after?.reachedAt ?? Instant(microsecondsSince1970: 0),
            after?.row ?? 0,
            skippedRows, rows,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PageRow { try PageRow(reading: &row) }
}

/// `board_page_before.sql`
struct BoardPageBefore: Query {
    static let sql = SQL.boardPageBefore
    let board: Board.ID
    let sortKey: SortKey
    let rows: Int32
    var binds: Binds { [board, Int64(clamping: sortKey.orderKey), sortKey.reachedAt, sortKey.row, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PageRow { try PageRow(reading: &row) }
}

/// `board_around.sql`
struct BoardAround: Query {
    static let sql = SQL.boardAround
    let board: Board.ID
    let player: Player.ID
    /// Rows on either side of the player's.
    let rows: Int32
    var binds: Binds { [board, player, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PageRow { try PageRow(reading: &row) }
}

/// A row with the position of the page's first row.
struct PageRow {
    let standing: Standing
    let position: Int64
    let sharedPosition: Int64

    init(reading row: inout RowReader) throws(DecodingFailure) {
        standing = try Standing(reading: &row)
        (position, sharedPosition) = try (row.next(), row.next())
    }
}

extension Standing {
    /// Reads the columns with which every row of a ranking begins.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        try self.init(
            row: row.next(),
            name: row.next(),
            avatar: row.next(),
            points: row.next(),
            reachedAt: row.next(),
            orderKey: row.next()
        )
    }
}
