package import Domain
import Postgres
import Statements

/// `device_join.sql`
struct DeviceJoin: Query {
    static let sql = SQL.deviceJoin
    let joining: Joining
    let token: TokenHash
    /// The player whose code it is.
    let owner: Player.ID
    /// The player of the device; nil for a new device.
    let current: Player.ID?
    var binds: Binds {
        [
            Bytes(joining.device.bytes), Bytes(token.bytes), Bytes(joining.code.bytes), owner, current,
            joining.name?.description, joining.now, joining.now.dayInUTC, Int64(Limits.devicesOfPlayerMax),
        ]
    }

    /// Nil when what was judged before the locks no longer holds.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> JoinOutcome? {
        let outcome: String = try row.next()
        let player: (id: Player.ID?, name: String?, wantsUpdates: Bool?, avatar: AvatarHash?) = try (
            row.next(), row.next(), row.next(), row.next()
        )
        switch outcome {
        case "changed": return nil
        case "refused": return .codeRefused
        case "has-history": return .hasHistory
        case "joined", "known":
            guard let id = player.id, let name = player.name, let wantsUpdates = player.wantsUpdates else {
                throw DecodingFailure(.isNull, Player.self, from: Player.ID.oid)
            }
            let joined = Player(id: id, name: name, wantsUpdates: wantsUpdates, avatar: player.avatar)
            return outcome == "joined" ? .joined(joined) : .known(joined)
        default: throw DecodingFailure(.outOfRange, JoinOutcome.self, from: String.oid)
        }
    }
}

/// A device that comes to a player by a code.
package struct Joining: Sendable {
    let device: DeviceHash
    let game: Slug
    let access: Access
    let code: CodeHash
    /// What the device is called; nil keeps what it was called.
    let name: PlayerName?
    let now: Instant

    /// - Parameters:
    ///   - game: The game in which both the device and the code were hashed.
    ///   - access: The token that the device has, or gets.
    package init(
        _ device: DeviceHash,
        in game: Slug,
        access: Access,
        by code: CodeHash,
        name: PlayerName?,
        now: Instant
    ) {
        (self.device, self.game, self.access, self.code, self.name, self.now) = (device, game, access, code, name, now)
    }

    /// Tries once.
    /// - Returns: Nil when what was judged before the locks no longer holds.
    func attempt(on connection: Connection) async throws(PostgresError) -> JoinOutcome? {
        guard let token = access.token else { return .unauthorized }
        let judging = PlayerRegister(
            device: device,
            game: game,
            access: access,
            registration: Registration(source: ""),
            expected: nil,
            now: now,
            updatesKnown: false,
            writes: false
        )
        let (judged, found) = try await connection.pipeline(judging, CodeFind(code: code, device: device, now: now))
        var current: Player?
        switch judged.first?.outcome {
        case .nameMissing: current = nil
        case .known(let player), .renamed(let player): current = player
        case .noGame: return .noGame
        case .banned: return .banned
        default: return .unauthorized
        }
        let (owner, joined) = found.first ?? (nil, nil)
        if let current, joined == current.id { return .known(current) }
        guard let owner else { return .codeRefused }
        let callers = [Caller.player(owner)] + (current.map { [.player($0.id)] } ?? [])
        let join = DeviceJoin(joining: self, token: token, owner: owner, current: current?.id)
        let (_, outcomes) = try await connection.transactionPipeline(CallersLock(callers: callers), join)
        return outcomes.first ?? nil
    }
}

/// What became of a device that came with a code. Nothing is stored unless it is `joined`.
package enum JoinOutcome: Sendable {
    /// It speaks for the code's player from now on.
    case joined(Player)
    /// It did so before, by this code or another way.
    case known(Player)
    /// The code is wrong, used or too old, or its player has as many devices as it may have.
    case codeRefused
    /// The device speaks for a player with scores or donations.
    case hasHistory
    case unauthorized
    case noGame
    /// The device's player may not write.
    case banned
}
