package import Domain
import Postgres
import Statements

/// `player_register.sql`
struct PlayerRegister: Query {
    static let sql = SQL.playerRegister
    /// The device; nil for the one whose token `access` has.
    let device: DeviceHash?
    let game: Slug?
    let access: Access
    let registration: Registration
    /// The player that the device must speak for; nil for any.
    let expected: Player.ID?
    let now: Instant
    let updatesKnown: Bool
    /// Whether anything is written; otherwise the registration is only judged.
    var writes = true
    var binds: Binds {
        let email: String? =
            switch registration.email {
            case .set(let address): address.text
            case .clear: ""
            case .keep: nil
            }
        let country: String? =
            switch registration.country {
            case .set(let code): code.text
            case .clear: ""
            case .keep: nil
            }
        let flag: String? =
            switch registration.flag {
            case .set(let flag): flag.description
            case .clear: ""
            case .keep: nil
            }
        let picture: (hash: Bytes, png: Bytes?)? =
            switch registration.avatar {
            case .set(let avatar): (Bytes(avatar.hash.bytes), Bytes(avatar.png))
            case .clear: (Bytes([]), nil)
            case .keep: nil
            }
        return [
            device.map { Bytes($0.bytes) }, game, registration.name?.description,
            registration.name?.skeleton.description, email, registration.facebookID?.text, registration.wantsUpdates,
            registration.source, picture?.hash, picture?.png, expected, now, updatesKnown, country, access.name,
            access.hash.map { Bytes($0.bytes) }, registration.renames.rawValue, writes, registration.isUnlisted,
            registration.name?.leetSkeleton.description, registration.takesAsks, flag, Limits.flagDays,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        outcome: RegistrationOutcome, changesKnown: Bool
    ) {
        let outcome = try Self.outcome(&row)
        let changesKnown: Bool = try row.next()
        guard let again: Instant = try row.next() else { return (outcome, changesKnown) }
        return (.flagFixed(until: again), changesKnown)
    }

    private static func outcome(_ row: inout RowReader) throws(DecodingFailure) -> RegistrationOutcome {
        let outcome: String = try row.next()
        let player: (id: Player.ID?, name: String?, wantsUpdates: Bool?, avatar: AvatarHash?) = try (
            row.next(), row.next(), row.next(), row.next()
        )
        switch outcome {
        case "no-name": return .nameMissing
        case "wrong-device": return .wrongDevice
        case "name-refused": return .nameRefused
        case "no-game": return .noGame
        case "unauthorized": return .unauthorized
        case "label-taken": return .labelTaken
        case "other-label": return .otherLabel
        case "forbidden": return .forbidden
        case "scope": return .scope
        case "token-needed": return .tokenNeeded
        case "too-many-renames": return .tooManyRenames
        case "banned": return .banned
        case "picture-refused": return .pictureRefused
        case "no-flags": return .noFlags
        case "flag-fixed": return .flagFixed(until: Instant(microsecondsSince1970: 0))
        case "registered", "known", "renamed":
            guard let id = player.id, let name = player.name, let wantsUpdates = player.wantsUpdates else {
                throw DecodingFailure(.isNull, Player.self, from: Player.ID.oid)
            }
            let registered = Player(id: id, name: name, wantsUpdates: wantsUpdates, avatar: player.avatar)
            switch outcome {
            case "known": return .known(registered)
            case "renamed": return .renamed(registered)
            default: return .registered(registered)
            }
        default: throw DecodingFailure(.outOfRange, RegistrationOutcome.self, from: String.oid)
        }
    }
}

extension PlayerRegister {
    /// Judges the registration without a lock, and without writing anything but the device's label, which the token
    /// proves to be its own.
    /// - Returns: The outcome, when the caller is refused or nothing of a known player would change; nil when the
    ///   registration has to be made in a transaction.
    func settled(on connection: Connection) async throws(PostgresError) -> RegistrationOutcome? {
        var judging = self
        judging.writes = false
        var judged = try await connection.row(judging)
        if case .otherLabel = judged.outcome, let device, let token = access.token {
            _ = try await connection.transaction(lockingPlayerOf: token, DeviceRelabel(token: token, device: device))
            judged = try await connection.row(judging)
        }
        switch judged.outcome {
        case .registered: return nil
        case .known, .renamed: return judged.changesKnown ? nil : judged.outcome
        case .nameMissing: return registration.name == nil ? judged.outcome : nil  // A new device has no player yet.
        case .nameRefused, .wrongDevice, .noGame, .unauthorized, .labelTaken, .otherLabel, .forbidden, .scope,
            .tokenNeeded, .tooManyRenames, .banned, .pictureRefused, .noFlags, .flagFixed:
            return judged.outcome
        }
    }
}

/// `device_claim.sql`
struct DeviceClaim: Query {
    typealias Row = Void
    static let sql = SQL.deviceClaim
    let device: DeviceHash
    let candidates: [Player.ID]
    let now: Instant
    let mayRegister: Bool
    /// The hash of the device's own token; nil when it has none.
    let token: TokenHash?
    /// What the device is called; nil when it has no name.
    var name: PlayerName?
    var binds: Binds {
        [Bytes(device.bytes), candidates, now, mayRegister, token.map { Bytes($0.bytes) }, name?.description]
    }
}

/// How a caller may speak for a device that it registers or changes.
package enum Access: Sendable {
    /// The caller knows the device's id. That is enough for the classic protocol, until the device has a token.
    case classic
    /// The caller has the device's own token.
    case token(TokenHash)
    /// The server makes a token for the device. Only a new device gets one.
    case newToken(TokenHash)
    /// The caller has the game's key, and the device is the game's own id of a player.
    case key(TokenHash)

    var name: String {
        switch self {
        case .classic: "classic"
        case .token: "token"
        case .newToken: "new-token"
        case .key: "key"
        }
    }

    var hash: TokenHash? {
        switch self {
        case .classic: nil
        case .token(let hash), .newToken(let hash), .key(let hash): hash
        }
    }

    /// The device's own token.
    var token: TokenHash? {
        switch self {
        case .token(let hash), .newToken(let hash): hash
        case .classic, .key: nil
        }
    }
}

/// The outcome of a registration. Nothing is stored unless it is `registered`, `known` or `renamed`.
package enum RegistrationOutcome: Sendable {
    /// The device was new; its player was made.
    case registered(Player)
    /// The device was known; its player was updated if that was asked for.
    case known(Player)
    /// The same with another name than before, where renames are counted.
    case renamed(Player)
    /// A new player needs a name.
    case nameMissing
    /// The name looks like a charity's.
    case nameRefused
    /// The player's name would change, and the registration says that it may not.
    case tooManyRenames
    /// The device does not speak for the expected player, or there is no such player.
    case wrongDevice
    /// There is no such game.
    case noGame
    /// There is no device of such a token in the game, or no such key.
    case unauthorized
    /// Another device has the label.
    case labelTaken
    /// The token's device has another label, and nothing else was judged.
    case otherLabel
    /// The key belongs to another game.
    case forbidden
    /// The key may not register players.
    case scope
    /// The device has a token, so the classic protocol cannot speak for it.
    case tokenNeeded
    /// The player may not write.
    case banned
    /// The picture was taken down before.
    case pictureRefused
    /// Players of the game show no flags.
    case noFlags
    /// The player has shown its flag for too short a time to show another one.
    case flagFixed(until: Instant)
}
