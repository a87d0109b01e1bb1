import Domain
import Postgres
import Statements

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

extension DayBooks: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let day: Day = try row.next()
        let (earned, voided, held): (Int128, Int128, Int128) = (try row.next(), try row.next(), try row.next())
        let (donated, unfunded): (Int128, Int128) = (try row.next(), try row.next())
        let (number, hash): (Int64, Bytes) = (try row.next(), try row.next())
        self = DayBooks(
            day: day, earned: earned, voided: voided, held: held, donated: donated, unfunded: unfunded,
            logNumber: number, logHash: hash.bytes)
    }
}
