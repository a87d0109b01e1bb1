import Crypto
package import Domain
package import Logging
package import Postgres
import Statements

/// Migrates a database to the schema that this server was built with. Migrations are numbered and forward-only, and
/// each runs in one transaction under one lock.
package struct Migrator: Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The database was migrated by a newer server.
        case databaseIsNewer(number: Int32)
        /// An applied migration differs from the one that this server has under that number.
        case changed(number: Int32, name: String)

        package var description: String {
            switch self {
            case .databaseIsNewer(let number):
                """
                The database has migration \(number), which this server does not know. \
                Use the newer causeboard that made it.
                """
            case .changed(let number, let name):
                """
                Migration \(number) (\(name)) was applied in another form than this server has. \
                Use the causeboard that applied it.
                """
            }
        }
    }

    private let settings: ConnectionSettings
    private let logger: Logger

    /// - Parameter settings: The settings of the database's owner, with ``SessionPresets/owning``.
    package init(_ settings: ConnectionSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Applies pending migrations. Several processes may call it at the same time; each migration is applied once.
    /// - Returns: How many migrations this call applied.
    package func migrate(now: Instant) async throws -> Int {
        var settings = settings
        settings.onNotice = { [logger] notice in
            // Only warnings of the migrations themselves are logged; PostgreSQL's own notices do not help an operator.
            if notice.state?.rawValue == "01000" { logger.warning("\(notice.details.message)") }
        }
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        var appliedHere = 0
        while let migration = try await applyNext(on: connection, now: now) {
            appliedHere += 1
            logger.info("migrated", metadata: ["number": "\(migration.number)", "name": "\(migration.name)"])
        }
        if appliedHere > 0 { try await connection.run(StatisticsRefresh()) }
        return appliedHere
    }

    /// The names of pending migrations, in order. Changes nothing; any login may call it.
    /// - Throws: ``Failure`` when the applied migrations are not this server's.
    package func pending() async throws -> [String] {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        let applied = try await connection.row(MigrationsExist()) ? try await connection.rows(MigrationsApplied()) : []
        return try Self.pending(after: applied).map(\.name)
    }

    /// Applies the next migration in one transaction; returns nil when none is pending. It takes the lock before it
    /// reads the list, so that it sees what the previous holder has applied.
    private func applyNext(on connection: Connection, now: Instant) async throws -> (number: Int32, name: String)? {
        try await connection.transaction { connection in
            try await connection.run(MigrationsLock())
            if try await !connection.row(MigrationsExist()) {
                try await connection.run(MigrationsTable())
            }
            guard let next = try Self.pending(after: await connection.rows(MigrationsApplied())).first else {
                return nil
            }
            try await connection.script(next.text)
            if next.number == 1 { try await connection.run(MigrationsGrant()) }  // migration 1 makes the role
            try await connection.run(
                MigrationRecord(number: next.number, name: next.name, checksum: Self.checksum(next.text), now: now)
            )
            return (next.number, next.name)
        }
    }

    private static func pending(after applied: [MigrationsApplied.Row]) throws(Failure) -> ArraySlice<
        (number: Int32, name: String, text: String)
    > {
        if let newest = applied.last, Int(newest.number) > Migrations.all.count {
            throw .databaseIsNewer(number: newest.number)
        }
        for (row, known) in zip(applied, Migrations.all)
        where row.number != known.number || row.checksum.bytes != checksum(known.text) {
            throw .changed(number: row.number, name: row.name)
        }
        return Migrations.all.dropFirst(applied.count)
    }

    private static func checksum(_ text: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}
