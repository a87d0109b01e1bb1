import EmbeddedPostgres
import Domain
import Glibc
import Logging
import Postgres
import Storage

/// The database of a verb: an embedded one that is opened for as long as it is needed, or a server elsewhere.
struct Database: Sendable {
    /// How the owner, who migrates, connects.
    let owner: String
    /// How the server and the operator's verbs connect.
    let server: String
    /// How the server follows what is committed, unless it is told otherwise.
    let stream: String
    /// Nil for a server elsewhere.
    let cluster: EmbeddedCluster?

    /// Opens the embedded database, or believes the URL.
    static func open(_ settings: Settings, as role: Role, logger: Logger) async throws -> Database {
        switch settings.location {
        case .url(let url):
            return Database(owner: url, server: url, stream: url, cluster: nil)
        case .embedded(let dataDirectory):
            let cluster = try await EmbeddedCluster.open(
                ClusterSettings(
                    dataDirectory: dataDirectory,
                    logger: logger,
                    binariesDirectory: settings.pgBin,
                    runtimeDirectory: settings.runtimeDirectory
                ),
                as: role
            )
            return Database(
                owner: cluster.conninfo(login: EmbeddedCluster.owner),
                server: cluster.conninfo(login: SessionPresets.serverRole),
                stream: cluster.conninfo(login: SessionPresets.streamRole),
                cluster: cluster
            )
        }
    }

    /// Brings the schema up to date if it is ours to do so.
    /// - Parameter mayMigrate: What `--migrate` says; an embedded database is always migrated.
    func prepare(mayMigrate: Bool, now: Instant, logger: Logger) async throws {
        let migrator = Migrator(
            ConnectionSettings(conninfo: owner, session: SessionPresets.owning, silenceMax: nil),
            logger: logger
        )
        if cluster != nil || mayMigrate {
            _ = try await migrator.migrate(now: now)
            return
        }
        let pending = try await migrator.pending()
        guard pending.isEmpty else {
            throw CommandError(
                "The database lacks \(pending.count) migrations, \(pending[0]) first. Run `causeboard migrate` with its owner's URL, or start with that and --migrate."
            )
        }
    }

    /// Queries of a verb. Its connections close when the process ends.
    func store(session: [String: String] = SessionPresets.general, logger: Logger) -> Store {
        let pool = Pool(
            ConnectionSettings(conninfo: server, session: session),
            limits: PoolLimits(connectionsMax: 2),
            logger: logger
        )
        return Store(general: pool, ledger: pool, logger: logger)
    }

    /// Opens the database for a verb, lends its store to `body`, and leaves PostgreSQL running or not, as it was found,
    /// also on SIGINT and SIGTERM.
    static func withStore<Value: Sendable>(
        _ options: DatabaseOptions,
        session: [String: String] = SessionPresets.general,
        _ body: @escaping @Sendable (Store) async throws -> Value
    ) async throws -> Value {
        try await withDatabase(try await Settings(options)) { database, logger in
            try await database.prepare(mayMigrate: false, now: .now, logger: logger)
            return try await body(database.store(session: session, logger: logger))
        }
    }

    /// The same without a look at the schema.
    static func withDatabase<Value: Sendable>(
        _ settings: Settings,
        _ body: @escaping @Sendable (Database, Logger) async throws -> Value
    ) async throws -> Value {
        let logger = Log.start(settings.logLevel ?? .warning)
        do {
            return try await Interruption.heeded {
                if let directory = settings.emptyDataDirectory {
                    logger.warning(
                        "there was no database here yet, so a new one is made",
                        metadata: ["directory": "\(directory)"]
                    )
                }
                let database = try await open(settings, as: .visitor, logger: logger)
                do {
                    let value = try await body(database, logger)
                    await database.cluster?.close()
                    return value
                } catch {
                    await database.cluster?.close()
                    throw error
                }
            }
        } catch {
            throw CommandError.explaining(error)
        }
    }
}

extension Instant {
    /// The system's clock: the only place where it is read.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
