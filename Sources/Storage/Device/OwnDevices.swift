package import Domain
import Postgres
import Statements

extension CallingDevice: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let hash: Bytes = try row.next()
        self = CallingDevice(
            hash: DeviceHash(bytes: hash.bytes), player: try row.next(), game: try row.next(), friends: try row.next(),
            isBanned: try row.next(), ownedSince: try row.next())
    }
}

/// `device_seen.sql`
struct DeviceSeen: Query {
    typealias Row = Void
    static let sql = SQL.deviceSeen
    let device: DeviceHash
    let token: TokenHash
    let name: PlayerName?
    let today: Day
    var binds: Binds { [Bytes(device.bytes), Bytes(token.bytes), name?.description, today] }
}

/// `device_use_note.sql`
struct DeviceUseNote: Query {
    typealias Row = Void
    static let sql = SQL.deviceUseNote
    let token: TokenHash?
    let device: DeviceHash?
    let day: Day
    var binds: Binds { [token.map { Bytes($0.bytes) }, device.map { Bytes($0.bytes) }, day] }
}

extension OwnDevice: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let hash: Bytes = try row.next()
        self = try OwnDevice(
            hash: DeviceHash(bytes: hash.bytes), name: row.next(), joinedAt: row.next(), seenOn: row.next(),
            isThis: row.next(), cameBy: row.next())
    }
}

/// `device_cut.sql`
struct DeviceCut: Query {
    static let sql = SQL.deviceCut
    let token: TokenHash
    let device: DeviceHash
    let now: Instant
    var binds: Binds { [Bytes(token.bytes), Bytes(device.bytes), now.advanced(bySeconds: -Limits.newDeviceSeconds)] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> CutOutcome {
        let (outcome, ownedSince): (String, Instant) = (try row.next(), try row.next())
        switch outcome {
        case "cut": return .cut
        case "no-device": return .noDevice
        case "last": return .last
        case "too-new": return .tooNew(until: ownedSince.advanced(bySeconds: Limits.newDeviceSeconds))
        default: throw DecodingFailure(.outOfRange, CutOutcome.self, from: String.oid)
        }
    }
}

/// `token_rotate.sql`
struct TokenRotate: Query {
    static let sql = SQL.tokenRotate
    let token: TokenHash
    let newToken: TokenHash
    let now: Instant
    var binds: Binds {
        [
            Bytes(token.bytes), Bytes(newToken.bytes), now.dayInUTC, now,
            now.advanced(bySeconds: -Limits.newDeviceSeconds),
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        outcome: RotationOutcome, device: DeviceHash, codesEnded: Int64
    ) {
        let outcome: RotationOutcome = try row.next()
        let hash: Bytes = try row.next()
        return (outcome: outcome, device: DeviceHash(bytes: hash.bytes), codesEnded: try row.next())
    }
}

extension OwnDevice.CameBy: PostgresValue {}
extension RotationOutcome: PostgresValue {}

/// The device that a token belongs to.
package struct CallingDevice: Sendable {
    package let hash: DeviceHash
    package let player: Player.ID
    package let game: Slug
    /// How players of the game may become friends.
    package let friends: FriendRules
    /// Whether the player may not write.
    package let isBanned: Bool
    /// Since when it counts as the player's own; nil if no older device speaks for the player.
    let ownedSince: Instant?

    /// Until when it may not harm older devices; nil if it may, or if there is no older one.
    package func newUntil(at now: Instant) -> Instant? {
        let end = ownedSince?.advanced(bySeconds: Limits.newDeviceSeconds)
        return end.flatMap { now < $0 ? $0 : nil }
    }
}

/// What a read needs to know of the device that a token belongs to. It changes only with the device, its player or the
/// game, so it may be remembered: see ``KnownCallers``.
package struct ReadingDevice: Sendable {
    package let hash: DeviceHash
    package let player: Player.ID
    package let game: Slug
    /// How players of the game may become friends.
    package let friends: FriendRules

    package init(_ device: CallingDevice) {
        (hash, player, game, friends) = (device.hash, device.player, device.game, device.friends)
    }
}

/// What became of a device that was to be cut off.
package enum CutOutcome: Sendable, Equatable {
    case cut
    /// The player has no such device.
    case noDevice
    /// It is the player's only one, so the player would be out of reach.
    case last
    /// The device is older than the one that asks, which is too new until then.
    case tooNew(until: Instant)
}

/// What became of a token that was to take another one's place.
package enum RotationOutcome: String, Sendable {
    case rotated
    /// The device has this token already.
    case known
    /// The token is another device's.
    case taken
}
