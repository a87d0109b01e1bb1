import Domain
import Postgres
import Statements

/// `callers_lock.sql`
struct CallersLock: Query {
    static let sql = SQL.callersLock
    let callers: [Caller]
    var binds: Binds {
        [
            callers.compactMap(\.token?.bytes).map { Bytes($0) }, callers.compactMap(\.device?.bytes).map { Bytes($0) },
            callers.compactMap { $0.token == nil ? $0.player : nil },
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
}
