package import Domain
package import Logging
package import Postgres

/// Migrates a database to the schema that this server was built with. Migrations are numbered and forward-only, and
/// each runs in one transaction under one lock. Roles, rights and the publication are brought up to date every time.
///
/// Servers may run meanwhile. A migration waits for a lock only shortly, because everybody else who wants the table
/// waits behind it, and tries again. Each says since which one a server is compatible: see ``Migration``.
package struct Migrator: Sendable {
    /// How long a migration waits for locks that others hold.
    package struct Patience: Sendable {
        /// Milliseconds for each lock.
        package var lockMilliseconds: Int32 = 2_000
        /// Tries of one migration.
        package var triesMax = 10
        /// The time between two tries, in which those who waited behind the migration have their turn.
        package var pause = Duration.seconds(3)

        package init() {}
    }

    private let settings: ConnectionSettings
    private let migrations: [Migration]
    private let logger: Logger
    private let patience: Patience

    /// - Parameters:
    ///   - settings: The settings of the database's owner, with ``SessionPresets/owning``.
    ///   - migrations: From number 1 without gaps.
    package init(
        _ settings: ConnectionSettings, migrations: [Migration] = Migration.all, patience: Patience = Patience(),
        logger: Logger
    ) {
        self.settings = settings
        self.migrations = migrations
        self.patience = patience
        self.logger = logger
    }

    /// Applies pending migrations, and makes what is missing of roles, rights and the publication. What only an
    /// administrator may make is logged as a warning that says how. Several processes may call it at the same time;
    /// each migration is applied once.
    /// - Returns: How many migrations this call applied.
    package func migrate(now: Instant) async throws -> Int {
        var settings = settings
        settings.onNotice = { [logger] notice in
            // Only warnings of our own are logged; PostgreSQL's notices do not help an operator.
            if notice.state?.rawValue == "01000" { logger.warning("\(notice.details.message)") }
        }
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        var appliedHere = 0
        var newest: Int32?
        while let migration = try await applyNext(on: connection, now: now) {
            appliedHere += 1
            newest = migration.number
            logger.debug(
                "applied a migration", metadata: ["number": "\(migration.number)", "name": "\(migration.name)"])
        }
        if let newest { logger.info("migrated", metadata: ["migrations": "\(appliedHere)", "newest": "\(newest)"]) }
        try await makeRights(on: connection)
        if appliedHere > 0 { try await connection.run(StatisticsRefresh()) }
        return appliedHere
    }

    /// Analyzes all tables, after a copy was restored.
    package func refreshStatistics() async throws {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        try await connection.run(StatisticsRefresh())
    }

    /// The names of pending migrations, in order. Changes nothing; any login may call it.
    /// - Throws: ``Failure`` when this server cannot work with the applied migrations.
    package func pending() async throws -> [String] {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        let exist = try await connection.row(MigrationsExist())
        return try pending(after: exist ? try await connection.rows(MigrationsApplied()) : []).map(\.name)
    }

    /// Applies the next migration, and tries again while others hold its locks.
    /// - Returns: Nil when none is pending.
    private func applyNext(on connection: Connection, now: Instant) async throws -> Migration? {
        try await retrying(on: connection) {
            try await apply(on: connection, now: now)
        } failure: { holders in
            let applied = try await connection.rows(MigrationsApplied())
            let next = try pending(after: applied).first
            return next.map { .locked(number: $0.number, name: $0.name, by: holders) }
        }
    }

    /// Does work that takes locks, and tries again while others hold them.
    /// - Parameter failure: What is said of those who hold them; nil when somebody else has done the work meanwhile.
    private func retrying<Value>(
        on connection: Connection, _ work: () async throws -> Value, failure: ([LockHolder]) async throws -> Failure?
    ) async throws -> Value {
        var tries = 1
        while true {
            do { return try await work() } catch let error as PostgresError {
                guard error.state == .lockNotAvailable || error.state == .deadlockDetected else { throw error }
                if let failure = try await failure(connection.rows(LockHolders())) {
                    guard tries < patience.triesMax else { throw failure }
                    logger.warning("\(failure) Trying again.")
                    try await Task.sleep(for: patience.pause)
                }
                tries += 1
            }
        }
    }

    /// Applies the next migration in one transaction. It takes the migrators' lock, for as long as another one works,
    /// before it reads the list, so that it sees what the other has applied.
    private func apply(on connection: Connection, now: Instant) async throws -> Migration? {
        try await connection.transaction { connection in
            try await connection.run(MigrationsLock())
            try await connection.run(MigrationPatience(milliseconds: patience.lockMilliseconds))
            if try await !connection.row(MigrationsExist()) { try await connection.run(MigrationsTable()) }
            guard let next = try pending(after: await connection.rows(MigrationsApplied())).first else { return nil }
            try await connection.script(next.text)
            try await connection.run(
                MigrationRecord(
                    number: next.number, name: next.name, checksum: next.checksum, now: now,
                    compatibleSince: next.compatibleSince))
            return next
        }
    }

    /// Makes what is missing of roles, rights and the publication. A server that is older than the database leaves all
    /// of them to the newer one. It tries again while others hold the locks.
    private func makeRights(on connection: Connection) async throws {
        try await retrying(on: connection) {
            try await makeRightsOnce(on: connection)
        } failure: { holders in
            .rightsLocked(by: holders)
        }
    }

    private func makeRightsOnce(on connection: Connection) async throws {
        try await connection.transaction { connection in
            try await connection.run(MigrationsLock())
            try await connection.run(MigrationPatience(milliseconds: patience.lockMilliseconds))
            let newest = try await connection.rows(MigrationsApplied()).last?.number ?? 0
            guard newest == known else { return }
            try await connection.run(RolesMake())
            try await connection.run(GrantsMake())
            try await connection.run(PublicationMake())
        }
    }

    /// The number of the newest migration that this migrator has.
    private var known: Int32 { Int32(clamping: migrations.count) }

    private func pending(after applied: [MigrationsApplied.Row]) throws(Failure) -> ArraySlice<Migration> {
        for (row, migration) in zip(applied, migrations)
        where row.number != migration.number || row.checksum.bytes != migration.checksum {
            throw .changed(number: row.number, name: row.name)
        }
        let newer = applied.dropFirst(migrations.count)
        if let newest = newer.last, let since = newer.map(\.compatibleSince).max(), since > known {
            throw .databaseIsNewer(number: newest.number, compatibleSince: since, known: known)
        }
        return migrations.dropFirst(applied.count)
    }
}
