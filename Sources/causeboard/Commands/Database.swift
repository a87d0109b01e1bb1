import Domain
import EmbeddedPostgres
import Glibc
import Logging
import Postgres
import Storage
import UnixSignals

/// The database of a command: an embedded one that is open for as long as it is needed, or a server elsewhere.
struct Database: Sendable {
    /// The connection string of the owner, who migrates.
    let owner: String
    /// The connection string of the server and of admin commands.
    let server: String
    /// The connection string of the replication stream, unless the settings name another one.
    let stream: String
    /// The embedded database; nil for a server elsewhere.
    let cluster: EmbeddedCluster?
    /// What keeps a command away from the former primary among several hosts; nil where one host is named.
    var fence: TimelineFence?

    /// Opens the embedded database, or takes the URL as it is. Of several hosts it looks which ones are up to date;
    /// otherwise it does not connect.
    /// - Parameter adjust: Changes what an embedded one starts with.
    static func open(
        _ settings: Settings, as role: Role, logger: Logger, adjust: (inout ClusterSettings) -> Void = { _ in }
    ) async throws -> Database {
        switch settings.location {
        case .url(let url): return await elsewhere(url, logger: logger)
        case .embedded(let dataDirectory):
            var wanted = ClusterSettings(settings, dataDirectory, logger: logger)
            adjust(&wanted)
            return try await open(wanted, as: role)
        }
    }

    /// Opens an embedded database with settings of its own.
    static func open(_ settings: ClusterSettings, as role: Role = .visitor) async throws -> Database {
        let cluster = try await EmbeddedCluster.open(settings, as: role)
        return Database(
            owner: cluster.conninfo(login: EmbeddedCluster.owner),
            server: cluster.conninfo(login: SessionPresets.serverRole),
            stream: cluster.conninfo(login: SessionPresets.streamRole), cluster: cluster)
    }

    /// Takes a URL as it is.
    static func elsewhere(_ url: String, logger: Logger) async -> Database {
        let fence = await TimelineFence.behindSeveralHosts(url, logger: logger)
        return Database(owner: url, server: url, stream: url, cluster: nil, fence: fence)
    }

    /// How the owner connects, for statements that may take any time.
    var owning: ConnectionSettings {
        ConnectionSettings(conninfo: owner, session: SessionPresets.owning, silenceMax: nil, fence: fence)
    }

    /// Leaves an embedded database. A signal that comes meanwhile makes it stop without its last checkpoint.
    func close(logger: Logger) async {
        guard let cluster else { return }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let hurrying = Task {
            for await _ in signals {
                logger.warning("the embedded database is stopped at once; its next start recovers")
                cluster.hurry()
            }
        }
        await cluster.close()
        hurrying.cancel()
    }

    /// Leaves an embedded database once `body` has ended, also with an error.
    func closing<Value>(logger: Logger, _ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await close(logger: logger)
            return value
        } catch {
            await close(logger: logger)
            throw error
        }
    }

    /// Migrates the schema if that is allowed, else checks that it is up to date.
    /// - Parameter mayMigrate: Whether `--migrate` is set. An embedded database is always migrated.
    /// - Throws: ``CommandError`` when migrations are pending and may not be applied.
    func prepare(mayMigrate: Bool, now: Instant, logger: Logger) async throws {
        let migrator = Migrator(owning, logger: logger)
        if cluster != nil || mayMigrate {
            _ = try await migrator.migrate(now: now)
            return
        }
        let pending = try await migrator.pending()
        guard pending.isEmpty else {
            throw CommandError(
                """
                The database lacks migrations (\(pending.count)), \(pending[0]) first. \
                Run `causeboard migrate` with its owner's URL, or start with that and --migrate.
                """)
        }
    }

    /// Makes the store of a command. Its connections close when the process ends.
    func store(session: [String: String] = SessionPresets.general, connectionsMax: Int = 2, logger: Logger) -> Store {
        let pool = Pool(
            ConnectionSettings(conninfo: server, session: session, fence: fence),
            limits: PoolLimits(connectionsMax: connectionsMax), logger: logger)
        return Store(general: pool, ledger: pool, logger: logger)
    }

    /// Opens the database for a command and lends its store to `body`. Afterwards, also on SIGINT and SIGTERM, an
    /// embedded PostgreSQL runs only if another process uses it.
    static func withStore<Value: Sendable>(
        _ options: DatabaseOptions, session: [String: String] = SessionPresets.general,
        _ body: @escaping @Sendable (Store) async throws -> Value
    ) async throws -> Value {
        try await withDatabase(try await Settings(options)) { database, logger in
            try await database.prepare(mayMigrate: false, now: .now, logger: logger)
            return try await body(database.store(session: session, logger: logger))
        }
    }

    /// Does the same without preparing the schema.
    static func withDatabase<Value: Sendable>(
        _ settings: Settings, _ body: @escaping @Sendable (Database, Logger) async throws -> Value
    ) async throws -> Value {
        let logger = Log.start(settings.logLevel ?? .warning, settings.logFormat)
        do {
            return try await Interruption.heeded {
                try Restoration.requireFinished(settings)
                if let directory = settings.emptyDataDirectory {
                    logger.warning(
                        "there was no database here yet, so a new one is made", metadata: ["directory": "\(directory)"])
                }
                let database = try await open(settings, as: .visitor, logger: logger)
                return try await database.closing(logger: logger) { try await body(database, logger) }
            }
        } catch { throw CommandError.explaining(error) }
    }
}

extension ClusterSettings {
    init(_ settings: Settings, _ dataDirectory: String, logger: Logger) {
        self.init(
            dataDirectory: dataDirectory, logger: logger, binariesDirectory: settings.pgBin,
            runtimeDirectory: settings.runtimeDirectory)
    }
}

extension Instant {
    /// The time of the system's clock. No other code reads that clock.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}

extension Database {
    /// What is wrong with the way to the database: a pooler that lends a connection for a transaction only. Nil when
    /// nothing is.
    func poolingTrouble(logger: Logger) async throws -> String? {
        guard cluster == nil else { return nil }
        let settings = ConnectionSettings(conninfo: server, connectTimeout: .seconds(5), fence: fence)
        guard try await Pooling.find(settings, logger: logger) == .transaction else { return nil }
        return """
            A pooler in transaction mode is on the way to the database. There, prepared statements, the role and the \
            time limits of a session end up with other clients. Set pool_mode = session for this database, or name \
            the database itself: the server keeps a bounded pool of its own.
            """
    }

    /// Refuses a way on which sessions do not last.
    /// - Throws: ``CommandError`` that says what to change.
    func requireSessions(logger: Logger) async throws {
        if let trouble = try await poolingTrouble(logger: logger) { throw CommandError(trouble) }
    }
}
