package import Domain
import Postgres

// Ids and enumerations are bound and read as the values that they wrap.

extension Player.ID: PostgresValue {}
extension Game.ID: PostgresValue {}
extension Game.Classic: PostgresValue {}
extension Board.ID: PostgresValue {}
extension Board.Kind: PostgresValue {}
extension Board.Policy: PostgresValue {}
extension Board.Ties: PostgresValue {}
extension Board.Trust: PostgresValue {}
extension Board.Details: PostgresValue {}
extension PointsDisplay.Form: PostgresValue {}
extension ScoreOutcome: PostgresValue {}
extension DonationOutcome: PostgresValue {}
extension AdminOutcome: PostgresValue {}
extension LedgerState: PostgresValue {}
extension KeyKind: PostgresValue {}
extension FriendRules: PostgresValue {}
extension TeamRules: PostgresValue {}
extension ChallengeRules: PostgresValue {}

/// A domain value that is bound and read as another type, its carrier.
protocol Carried: PostgresValue {
    associatedtype Carrier: PostgresValue
    var carrier: Carrier { get }
    /// Returns nil when the database holds a value that the domain does not allow.
    init?(carrier: Carrier)
}

extension Carried {
    package static var oid: OID { Carrier.oid }
    package static var arrayOID: OID { Carrier.arrayOID }

    package func encode(into bytes: inout [UInt8]) { carrier.encode(into: &bytes) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard let value = Self(carrier: try Carrier(decoding: bytes, from: column)) else {
            throw DecodingFailure(.outOfRange, Self.self, from: column)
        }
        self = value
    }
}

extension Slug: Carried {
    var carrier: String { description }
    init?(carrier: String) { self.init(carrier) }
}

extension DisplayName: Carried {
    var carrier: String { description }
    init?(carrier: String) { self.init(carrier) }
}

extension CountryFlag: Carried {
    var carrier: String { description }
    init?(carrier: String) { self.init(stored: carrier) }
}

extension Instant: Carried {
    var carrier: Timestamp { Timestamp(microsecondsSince1970: microsecondsSince1970) }
    init?(carrier: Timestamp) { self.init(microsecondsSince1970: carrier.microsecondsSince1970) }
}

extension Day: Carried {
    var carrier: CalendarDay { CalendarDay(daysSince1970: daysSince1970) }
    init?(carrier: CalendarDay) { self.init(daysSince1970: carrier.daysSince1970) }
}

extension AvatarHash: Carried {
    var carrier: Bytes { Bytes(bytes) }
    init?(carrier: Bytes) { self.init(bytes: carrier.bytes) }
}

/// A hash type for which any 32 bytes are valid.
protocol CarriedHash: Carried where Carrier == Bytes {
    var bytes: [UInt8] { get }
    init(bytes: [UInt8])
}

extension CarriedHash {
    var carrier: Bytes { Bytes(bytes) }
    init?(carrier: Bytes) { self.init(bytes: carrier.bytes) }
}

extension TokenHash: CarriedHash {}
extension DeviceHash: CarriedHash {}
extension CodeHash: CarriedHash {}
extension IdentityHash: CarriedHash {}
