import Domain
import Postgres
import Statements

/// `device_release.sql`
struct DeviceRelease: Query {
    typealias Row = Void
    static let sql = SQL.deviceRelease
    let device: DeviceHash
    var binds: Binds { [Bytes(device.bytes)] }
}
