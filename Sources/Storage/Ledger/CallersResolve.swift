import Domain
import Postgres
import Statements

/// `callers_resolve.sql`
struct CallersResolve: Query {
    static let sql = SQL.callersResolve
    /// The caller of each row of the batch, in its order: first the scores, then the donations.
    let callers: [Caller]
    /// The game of each row that must be open to a device without a token or key; nil elsewhere.
    let games: [Slug?]
    /// The commit marker; nil when no request waits for the replication stream.
    let marker: String?

    init(scores: [NewScore], donations: [NewDonation], marker: String?) {
        callers = scores.map(\.caller) + donations.map(\.caller)
        games =
            scores.map { if case .device = $0.caller { $0.game } else { nil } }
            + donations.map { if case .device = $0.caller { $0.game } else { nil } }
        self.marker = marker
    }

    var binds: Binds {
        [
            callers.map(\.tokenBytes), callers.map(\.keyBytes), callers.map(\.deviceBytes), callers.map(\.player),
            games, marker,
        ]
    }

    /// Whether the batch needs no more than ``CallersByToken``.
    var isByToken: Bool { callers.allSatisfy { $0.key == nil && $0.device == nil } }

    /// Whether the marker was written.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool {
        let _: String = try row.next()
        let _: String = try row.next()
        let position: String? = try row.next()
        return position != nil
    }
}

/// `callers_by_token.sql`
struct CallersByToken: Query {
    static let sql = SQL.callersByToken
    let resolve: CallersResolve
    var binds: Binds { [resolve.callers.map(\.tokenBytes), resolve.callers.map(\.player), resolve.marker] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try CallersResolve.decode(&row) }
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
