import Domain
import Postgres
import Statements

extension PositionedStanding: RowDecodable {
    /// Reads the columns of `board_positions.sql`, with which those of `window_rows.sql` begin.
    init(row: inout RowReader) throws(DecodingFailure) {
        let standing = try Standing(row: &row)
        let position = try RankPosition(
            sortKey: standing.sortKey, points: standing.points, position: row.next(), sharedPosition: row.next(),
            equals: row.next(), pointsAbove: row.next(), betterPoints: row.next())
        self.init(standing: standing, rankPosition: position)
    }
}

/// `board_own_position.sql`
struct BoardOwnPosition: Query {
    static let sql = SQL.boardOwnPosition
    let board: Board.ID
    let orderKey: Int64
    let reachedAt: Instant
    let row: Int64
    var binds: Binds { [board, orderKey, reachedAt, row] }

    init(board: Board.ID, place: SortKey) {
        self.board = board
        (orderKey, reachedAt, row) = (Int64(clamping: place.orderKey), place.reachedAt, place.row)
    }

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> OwnPlace { try OwnPlace(row: &row) }
}

/// `window_own_position.sql`
struct WindowOwnPosition: Query {
    static let sql = SQL.windowOwnPosition
    let board: Board.ID
    let days: ClosedRange<Day>
    let orderKey: Int64
    let reachedAt: Instant
    let row: Int64
    var binds: Binds { [board, days.lowerBound, days.upperBound, orderKey, reachedAt, row] }

    init(board: Board.ID, days: ClosedRange<Day>, place: SortKey) {
        (self.board, self.days) = (board, days)
        (orderKey, reachedAt, row) = (Int64(clamping: place.orderKey), place.reachedAt, place.row)
    }

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> OwnPlace { try OwnPlace(row: &row) }
}

/// What a place is among the others of a board.
struct OwnPlace: Sendable, RowDecodable {
    let position: Int64
    let sharedPosition: Int64
    let equals: Int64
    let pointsAbove: Int128?
    let betterPoints: Int128?
    let size: Int64

    init(row: inout RowReader) throws(DecodingFailure) {
        position = try row.next()
        sharedPosition = try row.next()
        equals = try row.next()
        pointsAbove = try row.next()
        betterPoints = try row.next()
        size = try row.next()
    }
}

/// `own_standing.sql`
struct OwnStanding: Query {
    static let sql = SQL.ownStanding
    let player: Player.ID
    let board: Board.ID
    let days: ClosedRange<Day>?
    let now: Instant
    var binds: Binds { [player, board, days?.lowerBound, days?.upperBound, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> SortKey? { try row.ownKey() }
}

/// `window_points_position.sql`
struct WindowPointsPosition: Query {
    static let sql = SQL.windowPointsPosition
    let board: Board.ID
    let days: ClosedRange<Day>
    let orderKey: Int64
    var binds: Binds { [board, days.lowerBound, days.upperBound, orderKey] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PointsPosition {
        try PointsPosition(position: row.next(), sharedPosition: row.next())
    }
}
