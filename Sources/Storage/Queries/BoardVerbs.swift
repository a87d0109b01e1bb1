import Domain
import Postgres
import Statements

/// `board_add.sql`
struct BoardAdd: Query {
    static let sql = SQL.boardAdd
    let board: NewBoard
    let now: Instant
    var binds: Binds {
        [
            board.game, board.slug, board.name, board.policy, board.lowestFirst, board.bounds.lowerBound, board.bounds.upperBound,
            board.zone, board.ties,
            board.earning.rule, board.earning.fixedPoints, board.earnMax, board.earnDay, board.opensAt, board.closesAt, now,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> OperatorOutcome { try row.next() }
}

/// `board_set.sql`
struct BoardSet: Query {
    static let sql = SQL.boardSet
    let game: Slug
    let slug: Slug
    let change: BoardChange
    var binds: Binds {
        [
            game, slug, change.name, change.policy, change.lowestFirst, change.pointsMin, change.pointsMax, change.zone, change.ties,
            change.earning?.rule,
            change.earning?.fixedPoints, change.earnMax.isSaid, change.earnMax.value, change.earnDay.isSaid, change.earnDay.value,
            change.opensAt.isSaid,
            change.opensAt.value, change.closesAt.isSaid, change.closesAt.value,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> OperatorOutcome { try row.next() }
}

/// `board_reset.sql`
struct BoardReset: Query {
    static let sql = SQL.boardReset
    let game: Slug
    let slug: Slug
    let now: Instant
    var binds: Binds { [game, slug, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (OperatorOutcome, season: Int32?) {
        (try row.next(), season: try row.next())
    }
}

/// `tallies_lock.sql`
struct TalliesLock: Query {
    typealias Row = Void
    static let sql = SQL.talliesLock
}

/// `board_list.sql`
struct BoardList: Query {
    static let sql = SQL.boardList
    /// Nil for all.
    let game: Slug?
    var binds: Binds { [game] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> BoardListing {
        try BoardListing(
            kind: row.next(), game: row.next(), slug: row.next(), season: row.next(), name: row.next(), policy: row.next(),
            lowestFirst: row.next(),
            pointsMin: row.next(), pointsMax: row.next(), zone: row.next(), ties: row.next(), earns: row.next(), earnsFixed: row.next(),
            earnMax: row.next(), earnDay: row.next(), opensAt: row.next(), closesAt: row.next())
    }
}
