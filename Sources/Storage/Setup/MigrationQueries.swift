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
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        number: Int32, name: String, checksum: Bytes, compatibleSince: Int32
    ) { (try row.next(), try row.next(), try row.next(), try row.next()) }
}

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

/// `migration_patience.sql`
struct MigrationPatience: Query {
    static let sql = SQL.migrationPatience
    let milliseconds: Int32
    var binds: Binds { [milliseconds] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) { let _: String = try row.next() }
}

/// `lock_holders.sql`
struct LockHolders: Query {
    static let sql = SQL.lockHolders
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LockHolder {
        try LockHolder(process: row.next(), role: row.next(), application: row.next(), seconds: row.next())
    }
}

/// `schema_compatible.sql`
struct SchemaCompatible: Query {
    static let sql = SQL.schemaCompatible
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (newest: Int32, compatibleSince: Int32) {
        (try row.next(), try row.next())
    }
}

/// `roles_make.sql`
struct RolesMake: Query {
    typealias Row = Void
    static let sql = SQL.rolesMake
}

/// `grants_make.sql`
struct GrantsMake: Query {
    typealias Row = Void
    static let sql = SQL.grantsMake
}

/// `publication_make.sql`
struct PublicationMake: Query {
    typealias Row = Void
    static let sql = SQL.publicationMake
}

/// `statistics_refresh.sql`
struct StatisticsRefresh: Query {
    typealias Row = Void
    static let sql = SQL.statisticsRefresh
}
