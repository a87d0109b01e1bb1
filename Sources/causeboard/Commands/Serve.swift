import ArgumentParser
import Credentials
import Domain
import EmbeddedPostgres
import Feeds
import HTTP
import Leaderboard
import Logging
import NIOCore
import Postgres
import ServiceLifecycle
import Storage
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve games, players and readers, until SIGTERM.")

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var transport: TransportOptions

    @Option(help: "Address to listen on. CAUSEBOARD_HOST; 127.0.0.1.")
    var host: String?

    @Option(help: "Port to listen on. CAUSEBOARD_PORT; 8080.")
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "The only base of absolute links, such as https://scores.example.org. CAUSEBOARD_PUBLIC_URL.",
            valueName: "url"
        )
    )
    var publicURL: String?

    @Option(help: "Most connections to the database at once. CAUSEBOARD_CONNECTIONS; 16.")
    var connections: Int?

    @Option(
        help: ArgumentHelp(
            "Memory for players' names and the hashes of their pictures, in MiB. CAUSEBOARD_NAMES_MEMORY; 256.",
            valueName: "MiB"
        )
    )
    var namesMemory: Int?

    @Option(
        help: ArgumentHelp(
            """
            How to follow what is committed, with a login that may replicate, past any pooler. \
            CAUSEBOARD_STREAM_URL; as --database-url.
            """,
            valueName: "url"
        )
    )
    var streamURL: String?

    @Option(
        help: ArgumentHelp(
            "Most connections that one client address may have open. CAUSEBOARD_CONNECTIONS_PER_ADDRESS; 256.",
            valueName: "number"
        )
    )
    var connectionsPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            """
            Address and port for operators: /metrics, /readyz with causes, the admin API; or off. \
            CAUSEBOARD_ADMIN_LISTEN; 127.0.0.1:8081.
            """,
            valueName: "address:port"
        )
    )
    var adminListen: String?

    @Flag(
        help: """
            Serve the admin API to clients too, and not only on the admin listener. CAUSEBOARD_ADMIN_PUBLIC.
            """
    )
    var adminPublic = false

    @Option(
        help: ArgumentHelp(
            "File that gets a line for each request, or - for standard output. CAUSEBOARD_ACCESS_LOG; none.",
            valueName: "file"
        )
    )
    var accessLog: String?

    @Flag(
        help: """
            Migrate a database named by --database-url, which must be its owner's, when that is needed. \
            CAUSEBOARD_MIGRATE.
            """
    )
    var migrate = false

    @Option(
        help: """
            Erase players who have not called for so many days, 30 or more; 0, as without it, for never. \
            CAUSEBOARD_PURGE_AFTER.
            """
    )
    var purgeAfter: Int?

    @OptionGroup var clients: ClientOptions

    func run() async throws {
        HangUp.ignore()
        let settings = try await Settings(database)
        let logger = Log.start(settings.logLevel ?? .info)
        let serving = try ServeSettings(
            settings,
            host: host,
            port: port,
            publicURL: publicURL,
            connections: connections,
            summaryMegabytes: namesMemory,
            mayMigrate: migrate,
            streamURL: streamURL,
            connectionsPerAddress: connectionsPerAddress,
            clients: clients,
            adminListen: adminListen,
            isAdminPublic: adminPublic,
            accessLog: accessLog,
            purgeAfter: purgeAfter
        )
        let transport = try TransportSettings(settings, transport, serving)

        do {
            try await serve(settings, serving, transport, logger)
        } catch {
            throw CommandError.explaining(error)
        }
        logger.info("stopped")
    }

    private func serve(
        _ settings: Settings,
        _ serving: ServeSettings,
        _ transport: TransportSettings,
        _ logger: Logger
    ) async throws {
        let connections = try OpenConnections.fitting(serving, logger: logger)
        let certificate = try transport.certificate.map { try ServerCertificate.load($0, logger: logger) }
        let accessLog = try serving.accessLog.map { path in
            do { return try AccessLog(path, logger: logger) } catch {
                throw CommandError("\(error). Choose another file with --access-log.")
            }
        }
        let database = try await Interruption.heeded { try await Database.open(settings, as: .server, logger: logger) }
        do {
            let pools = ServePools(conninfo: database.server, connections: serving.connections, logger: logger)
            let store = Store(general: pools.general, ledger: pools.ledger, logger: logger)
            let secret = try await Interruption.heeded {
                try await database.prepare(mayMigrate: serving.mayMigrate, now: .now, logger: logger)
                let secret = try SecretSource.secret(settings)
                try await store.requireDurability(acceptsDangers: serving.acceptsUnsafeDurability, logger: logger)
                try await Self.verify(store, secret, host: serving.host, logger: logger)
                return secret
            }
            let links = FeedLinks(
                publicURL: serving.publicURL,
                tagAuthority: "\(Hex.text(secret.fingerprint.prefix(8))).causeboard.invalid"
            )
            let clock = ServerClock { .now }
            let memory = LeaderboardMemory(store: store, summaryBytes: serving.summaryMegabytes << 20)
            let writeBatcher = WriteBatcher(
                store: store,
                clock: clock,
                memory: memory,
                workersCount: max(1, System.coreCount / 2)
            )
            let stream = ConnectionSettings(conninfo: serving.streamURL ?? database.stream, connectTimeout: .seconds(5))
            // Copying a snapshot takes at most an eighth of the connections, so that most remain for requests.
            let follower = Follower(
                store: store,
                heartbeats: Store(general: pools.heartbeat, ledger: pools.heartbeat, logger: logger),
                memory: memory,
                logger: logger,
                now: { clock.now },
                copies: min(serving.connections / 8, Limits.snapshotCopiesMax)
            ) { () async throws(FollowError) in
                try await RollupStream.open(stream, logger: logger)
            }
            let checks = ReadinessChecks(conninfo: database.server, logger: logger)
            let responder = Responder(
                store: store,
                writeBatcher: writeBatcher,
                rankings: Rankings(store: store, clock: clock, memory: memory),
                operations: Operations(
                    health: { Health(standings: memory.standings, writeBatcher: writeBatcher, follower: follower) },
                    readiness: checks.readiness,
                    pools: { [("general", pools.general), ("ledger", pools.ledger)].map { ($0, Self.use($1)) } },
                    clientConnections: { connections.use },
                    requestIDs: .random(isTrusted: { [proxies = serving.clients.proxies] in proxies.areBehind($0) }),
                    adminGuard: AdminGuard(host: serving.admin?.host ?? ""),
                    accessLog: accessLog,
                    certificate: certificate
                ),
                secret: secret,
                clock: clock,
                links: links,
                proxies: serving.clients.proxies,
                rates: RateLimiter(serving.clients.rates),
                httpsOnly: transport.httpsOnly,
                isAdminPublic: serving.isAdminPublic,
                audits: AuditRuns(
                    Auditor(Store(general: pools.audits, ledger: pools.audits, logger: logger)),
                    clock: clock
                ),
                logger: logger
            )
            let admin = serving.admin.map { AdminListener($0, responder: responder, logger: logger) }
            let listeners = Listener.clients(
                serving,
                transport,
                certificate: certificate,
                responder: responder,
                connections: connections,
                admin: admin,
                logger: logger
            )
            var reloads: [HangUp.Action] = []
            if let certificate { reloads.append { certificate.reload(logger: logger) } }
            if let accessLog { reloads.append { accessLog.reopen() } }
            // Services shut down in reverse order: first the server stops being ready, then requests end, then commits,
            // connections and the database's watch. The admin listener goes on while the requests of clients end.
            var services: [any Service] = [
                pools.general, pools.ledger, pools.heartbeat, pools.audits, checks, follower, writeBatcher,
            ]
            services.append(LiveLooks(hub: responder.live))
            services.append(AuditWork(audits: responder.audits))
            services.append(BanWatch(store: store, clock: clock, logger: logger))
            if let days = serving.purgeAfterDays {
                services.append(Purge(days: days, store: store, clock: clock, logger: logger))
            }
            services.append(HoldWatch(store: store, clock: clock, logger: logger))
            services.append(BookKeeping(store: store, clock: clock, logger: logger))
            if let accessLog { services.append(AccessLogFlush(accessLog: accessLog)) }
            services.append(HangUp(reloads, logger: logger))
            if let certificate { services.append(CertificateWatch(certificate: certificate, logger: logger)) }
            if let admin { services.append(admin) }
            services += listeners as [any Service]
            services.append(ReadinessEnd(readiness: checks.readiness))
            if let cluster = database.cluster { services.insert(cluster, at: 0) }
            try await BoundedRun.run(services, and: [SchemaWatch.configuration(store)], logger: logger)
            await database.close(logger: logger)
        } catch {
            await database.close(logger: logger)
            throw error
        }
    }

    private static func use(_ pool: Pool) -> ConnectionUse {
        let use = pool.use
        return ConnectionUse(open: use.open, lent: use.lent, waiting: use.waiting)
    }
}
