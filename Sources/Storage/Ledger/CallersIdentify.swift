import Domain
import Postgres
import Statements

/// `callers_identify.sql`
struct CallersIdentify: Query {
    static let sql = SQL.callersIdentify
    /// The callers of a batch: first those of its scores, then those of its donations.
    let callers: [Caller]
    /// The game of each score; of a donation the game that must be open to a device without a token or key.
    let games: [Slug?]
    let scoresCount: Int

    init(scores: [NewScore], donations: [NewDonation]) {
        callers = scores.map(\.caller) + donations.map(\.caller)
        games = scores.map(\.game) + donations.map { if case .device = $0.caller { $0.game } else { nil } }
        scoresCount = scores.count
    }

    var binds: Binds {
        [
            callers.map(\.tokenBytes), callers.map(\.keyBytes), callers.map(\.deviceBytes), callers.map(\.player), games,
            callers.indices.map { $0 < scoresCount },
        ]
    }

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> IdentifiedCaller {
        try IdentifiedCaller(player: row.next(), refusal: row.next())
    }
}

/// For whom the caller of a row speaks.
struct IdentifiedCaller: Sendable {
    /// The player, if the caller may speak for it.
    let player: Player.ID?
    /// The word of the outcome of a row whose caller may not, for scores and donations alike.
    let refusal: String?

    init(player: Player.ID?, refusal: String?) {
        self.player = refusal == nil ? player : nil
        self.refusal = player == nil ? refusal ?? ScoreOutcome.noPlayer.rawValue : refusal
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

extension Caller {
    /// The hashes as statements bind them.
    var tokenBytes: Bytes? { token.map { Bytes($0.bytes) } }
    var keyBytes: Bytes? { key.map { Bytes($0.bytes) } }
    var deviceBytes: Bytes? { device.map { Bytes($0.bytes) } }
}
