import Domain
import Postgres
import Statements

/// `callers_identify.sql`
struct CallersIdentify: Query {
    static let sql = SQL.callersIdentify
    let callers: [Caller]
    /// The game of each score; of a donation the game that must be open to a device without a token or key.
    let games: [Slug?]
    let areScores: [Bool]
    let now: Instant

    var binds: Binds {
        [
            callers.map { $0.tokenBytes }, callers.map { $0.keyBytes }, callers.map { $0.deviceBytes },
            callers.map { $0.player }, games, areScores, now,
        ]
    }

    /// Rows come in the order of the callers.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> IdentifiedCaller {
        let (player, refusal): (Player.ID?, ScoreOutcome?) = (try row.next(), try row.next())
        let device: Bytes? = try row.next()
        return IdentifiedCaller(
            player: player, refusal: refusal, device: device.map { DeviceHash(bytes: $0.bytes) },
            expiresAt: try row.next(), own: try row.next(), callersLeft: try row.next())
    }
}

/// For whom the caller of a row speaks.
struct IdentifiedCaller: Sendable {
    /// The player, if the caller may speak for it.
    let player: Player.ID?
    /// The outcome of a row whose caller may not, for scores and donations alike.
    let refusal: ScoreOutcome?
    /// The device on which the answer depends.
    let device: DeviceHash?
    /// When the caller's key ends; nil for one without an end, and for callers without a key.
    let expiresAt: Instant?
    /// The player before a merge, else the same player. Ids are looked for among its ledger rows first.
    let own: Player.ID?
    /// How often somebody had ceased to speak for the player when the caller was found to. Under the lock of the
    /// player's wallet, the caller still speaks for it if the wallet says the same; nil says that it does not.
    let callersLeft: Int32?

    init(
        player: Player.ID?, refusal: ScoreOutcome?, device: DeviceHash?, expiresAt: Instant? = nil,
        own: Player.ID? = nil, callersLeft: Int32? = nil
    ) {
        self.own = own ?? player
        self.callersLeft = callersLeft
        self.player = refusal == nil ? player : nil
        self.refusal = player == nil ? refusal ?? .noPlayer : refusal
        self.device = device
        self.expiresAt = expiresAt
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

extension Connection {
    /// Runs a statement in a transaction that holds the lock of a token's player. It fails with 55P03 when somebody
    /// else holds that for long.
    /// - Returns: The statement's rows, after the commit.
    func transaction<Q: Query>(lockingPlayerOf token: TokenHash, _ query: Q) async throws(PostgresError) -> [Q.Row] {
        let lock = CallersLock(callers: [.token(token, claims: nil)])
        // Who is merged while the lock is waited for is another player afterwards, whom a second look finds and locks.
        return try await transactionPipeline(LockPatience(), lock, lock, query).3
    }
}
