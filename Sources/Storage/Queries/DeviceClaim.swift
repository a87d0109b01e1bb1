import Domain
import Postgres
import Statements

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
