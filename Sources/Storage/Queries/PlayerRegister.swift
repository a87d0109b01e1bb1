import Domain
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
            device.map { Bytes($0.bytes) }, game, registration.name?.description, registration.name?.skeleton.description, email,
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
