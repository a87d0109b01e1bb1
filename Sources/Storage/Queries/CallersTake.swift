import Domain
import Postgres
import Statements

/// `callers_take.sql`
struct CallersTake: Query {
    static let sql = SQL.callersTake
    /// Of each row of the batch, in its order: first the scores, then the gifts.
    let callers: [Caller]
    /// Nil when nobody waits for the stream.
    let token: String?
    var binds: Binds {
        [
            callers.map(\.tokenBytes), callers.map(\.deviceBytes), callers.map(\.player), token,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {
        let _: String = try row.next()
        let _: String = try row.next()
        let _: String? = try row.next()
    }
}
