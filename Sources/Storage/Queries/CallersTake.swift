import Domain
import Postgres
import Statements

/// `callers_take.sql`
struct CallersTake: Query {
    static let sql = SQL.callersTake
    let callers: [Caller]
    /// Nil when nobody waits for the stream.
    let token: String?
    var binds: Binds {
        [
            callers.compactMap(\.token?.bytes).map { Bytes($0) }, callers.compactMap(\.device?.bytes).map { Bytes($0) },
            callers.compactMap { $0.token == nil ? $0.player : nil }, token,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {
        let _: String = try row.next()
        let _: String? = try row.next()
    }
}
