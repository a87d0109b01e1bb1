import Domain
import Postgres
import Statements

/// `subscribers.sql`
struct Subscribers: Query {
    static let sql = SQL.subscribers
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Subscriber {
        try Subscriber(player: row.next(), game: row.next(), name: row.next(), email: row.next(), since: row.next(), source: row.next())
    }
}
