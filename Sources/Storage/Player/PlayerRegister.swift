package import Domain
import Postgres
import Statements

/// `player_register.sql`
struct PlayerRegister: Query {
    static let sql = SQL.playerRegister
    /// Nil for the one that the token names.
    let device: DeviceHash?
    let game: Slug?
    let access: Access
    let registration: Registration
    /// The player that the device must speak for.
    let expected: Player.ID?
    let now: Instant
    let updatesKnown: Bool
    var binds: Binds {
        let email: String? =
            switch registration.email {
            case .value(let address): address.text
            case .cleared: ""
            case nil: nil
            }
        let country: String? =
            switch registration.country {
            case .value(let code): code.text
            case .cleared: ""
            case nil: nil
            }
        let picture: (hash: Bytes, png: Bytes?)? =
            switch registration.avatar {
            case .value(let avatar): (Bytes(avatar.hash.bytes), Bytes(avatar.png))
            case .cleared: (Bytes([]), nil)
            case nil: nil
            }
        return [
            device.map { Bytes($0.bytes) }, game, registration.name?.description,
            registration.name?.skeleton.description, email,
            registration.facebookID?.text,
            registration.wantsUpdates, registration.source, picture?.hash, picture?.png, expected, now, updatesKnown,
            country, access.name, access.hash.map { Bytes($0.bytes) },
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> RegistrationOutcome {
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
        case "forbidden": return .forbidden
        case "token-needed": return .tokenNeeded
        case "registered", "known":
            guard let id = player.id, let name = player.name, let wantsUpdates = player.wantsUpdates else {
                throw DecodingFailure(.isNull, Player.self, from: Player.ID.oid)
            }
            let registered = Player(id: id, name: name, wantsUpdates: wantsUpdates, avatar: player.avatar)
            return outcome == "known" ? .known(registered) : .registered(registered)
        default: throw DecodingFailure(.outOfRange, RegistrationOutcome.self, from: String.oid)
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
    /// Of its own token.
    let token: TokenHash?
    var binds: Binds { [Bytes(device.bytes), candidates, now, mayRegister, token.map { Bytes($0.bytes) }] }
}

/// `device_release.sql`
struct DeviceRelease: Query {
    typealias Row = Void
    static let sql = SQL.deviceRelease
    let device: DeviceHash
    var binds: Binds { [Bytes(device.bytes)] }
}

/// How a caller may speak for a device that it registers or changes.
package enum Access: Sendable {
    /// By knowing its id, as the classic protocol has it, until the device has a token.
    case classic
    /// By the device's own token.
    case token(TokenHash)
    /// By a token that the server makes for it: only a new device gets one.
    case newToken(TokenHash)
    /// As the game, whose own id of a player the device is.
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

    /// The device's own.
    var token: TokenHash? {
        switch self {
        case .token(let hash), .newToken(let hash): hash
        case .classic, .key: nil
        }
    }
}

/// What became of a registration. Nothing is stored unless it is `registered` or `known`.
package enum RegistrationOutcome: Sendable {
    /// A device that was not known: its player was made.
    case registered(Player)
    /// A known device: its player, updated if that was asked for.
    case known(Player)
    /// A new player needs a name.
    case nameMissing
    /// The name looks like a charity's.
    case nameRefused
    /// The device does not speak for the player that was named, or there is no such player.
    case wrongDevice
    /// There is no such game.
    case noGame
    /// The token is not the device's, or another one's; or there is no such key.
    case unauthorized
    /// The key is another game's.
    case forbidden
    /// The device has a token, and the classic protocol none.
    case tokenNeeded
}
