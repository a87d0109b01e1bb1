import Domain
import Postgres
import Statements

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
