import Domain
import Postgres
import Statements

/// `device_players_lock.sql`
struct DevicePlayersLock: Query {
    static let sql = SQL.devicePlayersLock
    let device: DeviceHash
    var binds: Binds { [Bytes(device.bytes)] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}
