import Domain
import Postgres
import Statements

/// `migrations_lock.sql`
struct MigrationsLock: Query {
    typealias Row = Void
    static let sql = SQL.migrationsLock
}

/// `migrations_exist.sql`
struct MigrationsExist: Query {
    static let sql = SQL.migrationsExist
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

/// `migrations_table.sql`
struct MigrationsTable: Query {
    typealias Row = Void
    static let sql = SQL.migrationsTable
}

/// `migrations_applied.sql`
struct MigrationsApplied: Query {
    static let sql = SQL.migrationsApplied
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (number: Int32, name: String, checksum: Bytes)
    {
        (try row.next(), try row.next(), try row.next())
    }
}

/// `migration_record.sql`
struct MigrationRecord: Query {
    typealias Row = Void
    static let sql = SQL.migrationRecord
    let number: Int32
    let name: String
    let checksum: [UInt8]
    let now: Instant
    var binds: Binds { [number, name, Bytes(checksum), now] }
}

/// `migrations_grant.sql`
struct MigrationsGrant: Query {
    typealias Row = Void
    static let sql = SQL.migrationsGrant
}

/// `statistics_refresh.sql`
struct StatisticsRefresh: Query {
    typealias Row = Void
    static let sql = SQL.statisticsRefresh
}
