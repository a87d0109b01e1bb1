import Domain
import Postgres
import Statements

/// `callers_resolve.sql`
struct CallersResolve: Query {
    static let sql = SQL.callersResolve
    /// The caller of each row of the batch, in its order: first the scores, then the donations.
    let callers: [Caller]
    /// The commit marker; nil when no request waits for the replication stream.
    let marker: String?
    var binds: Binds {
        [
            callers.map(\.tokenBytes), callers.map(\.deviceBytes), callers.map(\.player), marker,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {
        let _: String = try row.next()
        let _: String = try row.next()
        let _: String? = try row.next()
    }
}

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
