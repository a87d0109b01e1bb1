package import Domain
import Postgres
import Statements

/// `device_join.sql`
struct DeviceJoin: Query {
    static let sql = SQL.deviceJoin
    let joining: Joining
    /// Nil for a game's own id of a player.
    let token: TokenHash?
    /// The player whose code or identity it is.
    let owner: Player.ID
    /// The player of the device; nil for a new device.
    let current: Player.ID?
    /// Whether a player with a history is to be merged into the code's.
    let merges: Bool
    var binds: Binds {
        [
            Bytes(joining.device.bytes), token.map { Bytes($0.bytes) }, joining.key.code, owner, current,
            joining.name?.description, joining.now, joining.now.dayInUTC, Int64(Limits.devicesOfPlayerMax), merges,
            Limits.ownMergesMax, joining.key.identity,
        ]
    }

    /// Nil when what was judged before the locks no longer holds. Whoever is to be merged has joined once the action is
    /// done.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> JoinOutcome? {
        let outcome: String = try row.next()
        let player: (id: Player.ID?, name: String?, wantsUpdates: Bool?, avatar: AvatarHash?) = try (
            row.next(), row.next(), row.next(), row.next()
        )
        switch outcome {
        case "changed": return nil
        case "refused": return .codeRefused
        case "banned": return .banned
        case "has-history": return .hasHistory
        case "merge-limit": return .mergeLimit
        case "joined", "known", "merge":
            guard let id = player.id, let name = player.name, let wantsUpdates = player.wantsUpdates else {
                throw DecodingFailure(.isNull, Player.self, from: Player.ID.oid)
            }
            let joined = Player(id: id, name: name, wantsUpdates: wantsUpdates, avatar: player.avatar)
            return outcome == "known" ? .known(joined) : .joined(joined)
        default: throw DecodingFailure(.outOfRange, JoinOutcome.self, from: String.oid)
        }
    }
}

/// What a device joins a player with.
package enum JoinKey: Sendable {
    case code(CodeHash)
    /// A verified identity.
    case identity(IdentityHash)

    fileprivate var code: CodeHash? { if case .code(let code) = self { code } else { nil } }
    fileprivate var identity: IdentityHash? { if case .identity(let identity) = self { identity } else { nil } }

    /// The reason that the log gives for the merge.
    var reason: ModerationReason {
        switch self {
        case .code: .joinedByCode
        case .identity: .joinedBySignIn
        }
    }
}

/// A device, or a game's own id of a player, that joins a player.
package struct Joining: Sendable {
    let device: DeviceHash
    let game: Slug
    let access: Access
    let key: JoinKey
    /// The device's name in the log.
    let number: String
    /// What the device is called; nil keeps what it was called.
    let name: PlayerName?
    let now: Instant

    /// - Parameters:
    ///   - game: The game with which the device and the code or identity were hashed.
    ///   - access: The token that the device has or gets, or the key of the game whose own id it is.
    ///   - number: The device's name in the log if an operator made the code: the id that the player sees.
    package init(
        _ device: DeviceHash, in game: Slug, access: Access, by key: JoinKey, number: String, name: PlayerName?,
        now: Instant
    ) {
        (self.device, self.game, self.access, self.key) = (device, game, access, key)
        (self.number, self.name, self.now) = (number, name, now)
    }

    /// The players whom a join is about, or what becomes of it without a join.
    enum Judgement {
        case settled(JoinOutcome)
        /// - Parameters:
        ///   - owner: The player whose code or identity it is.
        ///   - current: The player of the device; nil for a new device.
        ///   - logEntry: The entry about the code, if an operator asked for it.
        case join(owner: Player.ID, current: Player.ID?, logEntry: Int64?)
    }

    func judge(on connection: Connection) async throws(PostgresError) -> Judgement {
        let judging = PlayerRegister(
            device: device, game: game, access: access, registration: Registration(source: ""), expected: nil, now: now,
            updatesKnown: false, writes: false)
        var (judged, found) = try await look(judging, on: connection)
        if case .otherLabel = judged, let token = access.token {
            _ = try await connection.transaction(lockingPlayerOf: token, DeviceRelabel(token: token, device: device))
            (judged, found) = try await look(judging, on: connection)
        }
        var current: Player?
        switch judged {
        case .nameMissing: current = nil
        case .known(let player), .renamed(let player): current = player
        case .noGame: return .settled(.noGame)
        case .banned: return .settled(.banned)
        case .labelTaken, .otherLabel: return .settled(.labelTaken)
        case .forbidden: return .settled(.forbidden)
        case .scope: return .settled(.scope)
        default: return .settled(.unauthorized)
        }
        if let current, found.joined == current.id { return .settled(.known(current)) }
        guard let owner = found.owner else { return .settled(refusal) }
        return .join(owner: owner, current: current?.id, logEntry: found.logEntry)
    }

    /// The outcome if the code or identity belongs to no player.
    var refusal: JoinOutcome { key.identity == nil ? .codeRefused : .unknownIdentity }

    /// The player of the code or the identity.
    private struct Found {
        var owner: Player.ID?
        /// The entry about the code, if an operator asked for it.
        var logEntry: Int64?
        /// The player that the device has joined with it before.
        var joined: Player.ID?
    }

    private func look(_ judging: PlayerRegister, on connection: Connection) async throws(PostgresError) -> (
        judged: RegistrationOutcome?, found: Found
    ) {
        switch key {
        case .code(let code):
            let (judged, found) = try await connection.pipeline(judging, CodeFind(code: code, device: device, now: now))
            let (owner, logEntry, joined) = found.first ?? (nil, nil, nil)
            return (judged.first?.outcome, Found(owner: owner, logEntry: logEntry, joined: joined))
        case .identity(let identity):
            let (judged, owners) = try await connection.pipeline(judging, IdentityFind(identity: identity))
            return (judged.first?.outcome, Found(owner: owners.first, joined: owners.first))
        }
    }

    /// Tries once, without a merge.
    /// - Returns: Nil when what was judged before the locks no longer holds.
    func attempt(on connection: Connection) async throws(PostgresError) -> JoinOutcome? {
        switch try await judge(on: connection) {
        case .settled(let outcome): return outcome
        case .join(let owner, let current, nil):
            let join = statement(owner, current, merges: false)
            return try await connection.transactionPipeline(LockPatience(), lock(owner, current), join).2.first ?? nil
        case .join(let owner, let current, let logEntry?):
            let join = statement(owner, current, merges: false)
            return try await connection.transaction { connection throws(PostgresError) in
                _ = try await connection.row(LockPatience())
                _ = try await connection.rows(lock(owner, current))
                let outcome = try await connection.row(join)
                if case .joined = outcome { try await log(owner, by: logEntry, on: connection) }
                return outcome
            }
        }
    }

    /// Logs which device joined by an operator's code.
    /// - Parameter entry: The entry about the code.
    func log(_ owner: Player.ID, by entry: Int64, on connection: Connection) async throws(PostgresError) {
        let log = LogWriter(
            at: now, action: nil, actor: "player", kind: "join",
            subject: [("player", String(owner.rawValue)), ("device", number)].canonicalText,
            values: [("code", String(entry))], words: nil)
        _ = try await log.write(on: connection)
    }

    func lock(_ owner: Player.ID, _ current: Player.ID?) -> CallersLock {
        CallersLock(callers: [Caller.player(owner)] + (current.map { [.player($0)] } ?? []))
    }

    func statement(_ owner: Player.ID, _ current: Player.ID?, merges: Bool) -> DeviceJoin {
        DeviceJoin(joining: self, token: access.token, owner: owner, current: current, merges: merges)
    }
}

/// The outcome of a device's join with a code or an identity. Nothing is stored unless it is `joined`.
package enum JoinOutcome: Sendable {
    /// It speaks for the code's player from now on.
    case joined(Player)
    /// The device has joined the player before, in any way.
    case known(Player)
    /// The code is wrong, used or too old, or its player has as many devices as it may have.
    case codeRefused
    /// No player has linked the identity.
    case unknownIdentity
    /// The device speaks for a player with a history.
    case hasHistory
    /// The joined player has reached its limit of merges.
    case mergeLimit
    /// Together both players would have more points than a wallet or a board holds.
    case tooManyPoints
    /// Together both players would have more scores or donations than a merge by a code may move.
    case historyTooLong
    case unauthorized
    /// Another device has the label.
    case labelTaken
    /// The key belongs to another game.
    case forbidden
    /// The key may not register players.
    case scope
    case noGame
    /// The device's player, or the identity's player, may not write.
    case banned
}
