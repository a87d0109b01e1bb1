package import Domain
import Postgres
import Statements

/// `subscribers.sql`
struct Subscribers: Query {
    static let sql = SQL.subscribers
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Subscriber {
        try Subscriber(
            player: row.next(),
            game: row.next(),
            name: row.next(),
            email: row.next(),
            since: row.next(),
            source: row.next()
        )
    }
}

/// A player who asked for updates and left an e-mail address.
package struct Subscriber: Sendable {
    package let player: Player.ID
    package let game: String
    package let name: String
    package let email: String
    package let since: Instant
    /// The route by which the player asked.
    package let source: String
}
