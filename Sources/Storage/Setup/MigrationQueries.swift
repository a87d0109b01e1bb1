import Domain
import Postgres
import Statements

/// `migration_record.sql`
struct MigrationRecord: Query {
    typealias Row = Void
    static let sql = SQL.migrationRecord
    let number: Int32
    let name: String
    let checksum: [UInt8]
    let now: Instant
    let compatibleSince: Int32
    var binds: Binds { [number, name, Bytes(checksum), now, compatibleSince] }
}
