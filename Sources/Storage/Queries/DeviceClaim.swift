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
    var binds: Binds { [Bytes(device.bytes), candidates, now, mayRegister] }
}
