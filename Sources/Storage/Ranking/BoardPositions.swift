import Domain
import Postgres
import Statements

/// `board_positions.sql`
struct BoardPositions: Query {
    static let sql = SQL.boardPositions
    let board: Board.ID
    let rowIDs: [Int64]
    var binds: Binds { [board, rowIDs] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PositionedStanding {
        try PositionedStanding(reading: &row)
    }
}

extension PositionedStanding {
    /// Reads the columns of `board_positions.sql`, with which those of `window_rows.sql` begin.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        let standing = try Standing(reading: &row)
        let position = try RankPosition(
            sortKey: standing.sortKey,
            points: standing.points,
            position: row.next(),
            sharedPosition: row.next(),
            equals: row.next(),
            pointsAbove: row.next(),
            betterPoints: row.next()
        )
        self.init(standing: standing, rankPosition: position)
    }
}

/// `board_points_position.sql`
struct BoardPointsPosition: Query {
    static let sql = SQL.boardPointsPosition
    let board: Board.ID
    let orderKey: Int64
    var binds: Binds { [board, orderKey] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PointsPosition {
        try PointsPosition(position: row.next(), sharedPosition: row.next())
    }
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
