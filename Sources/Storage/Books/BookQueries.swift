import Domain
import Postgres
import Statements

/// `book_lock.sql`
struct BookLock: Query {
    static let sql = SQL.bookLock
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

/// `book_patience.sql`
struct BookPatience: Query {
    static let sql = SQL.bookPatience
    let milliseconds: Int32
    var binds: Binds { [milliseconds] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) { let _: String = try row.next() }
}

/// `book_span.sql`
struct BookSpan: Query {
    static let sql = SQL.bookSpan
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ClosedRange<Day>? {
        let (first, last): (Day?, Day?) = (try row.next(), try row.next())
        guard let first, let last, first <= last else { return nil }
        return first...last
    }
}

/// `book_close.sql`
struct BookClose: Query {
    static let sql = SQL.bookClose
    /// Nil when no day is closed.
    let first: Day?
    let last: Day
    let now: Instant
    var binds: Binds { [first, last, first?.startInUTC, last.advanced(byDays: 1).startInUTC, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}

/// `book_find.sql`
struct BookFind: Query {
    static let sql = SQL.bookFind
    let day: Day
    var binds: Binds { [day] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DayBooks {
        let day: Day = try row.next()
        let (earned, voided, held): (Int128, Int128, Int128) = (try row.next(), try row.next(), try row.next())
        let (donated, unfunded): (Int128, Int128) = (try row.next(), try row.next())
        let (number, hash): (Int64, Bytes) = (try row.next(), try row.next())
        return DayBooks(
            day: day, earned: earned, voided: voided, held: held, donated: donated, unfunded: unfunded,
            logNumber: number, logHash: hash.bytes)
    }
}

/// `book_charities.sql`
struct BookCharities: Query {
    static let sql = SQL.bookCharities
    let day: Day
    var binds: Binds { [day] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DayBooks.Account {
        try DayBooks.Account(slug: row.next(), name: row.next(), points: row.next())
    }
}

/// `book_games.sql`
struct BookGames: Query {
    static let sql = SQL.bookGames
    let day: Day
    var binds: Binds { [day] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DayBooks.Account {
        try DayBooks.Account(slug: row.next(), name: row.next(), points: row.next())
    }
}
