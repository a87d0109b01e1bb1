import Domain
import Postgres
import Statements

/// `board_size.sql`
struct BoardSize: Query {
    static let sql = SQL.boardSize
    let board: Board.ID
    var binds: Binds { [board] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}

/// `window_size.sql`
struct WindowSize: Query {
    static let sql = SQL.windowSize
    let board: Board.ID
    let days: ClosedRange<Day>
    var binds: Binds { [board, days.lowerBound, days.upperBound] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}

/// `board_anonymous_size.sql`
struct BoardAnonymousSize: Query {
    static let sql = SQL.boardAnonymousSize
    let board: Board.ID
    var binds: Binds { [board] }
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
