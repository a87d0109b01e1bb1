import ArgumentParser
import Credentials
import Demo
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

    @Option(help: "Address to listen on. CAUSEBOARD_HOST; 127.0.0.1.") var host: String?

    @Option(help: "Port to listen on. CAUSEBOARD_PORT; 8080.") var port: Int?

    @Option(
        help: ArgumentHelp(
            "The only base of absolute links, such as https://scores.example.org. CAUSEBOARD_PUBLIC_URL.",
            valueName: "url")) var publicURL: String?

    @Option(help: "Most connections to the database at once. CAUSEBOARD_CONNECTIONS; 16.") var connections: Int?

    @Option(
        help: ArgumentHelp(
            "Memory for players' names and the hashes of their pictures, in MiB. CAUSEBOARD_NAMES_MEMORY; 256.",
            valueName: "MiB")) var namesMemory: Int?

    @OptionGroup var ways: DatabaseWays

    @Option(
        help: ArgumentHelp(
            "Most connections that one client address may have open. CAUSEBOARD_CONNECTIONS_PER_ADDRESS; 256.",
            valueName: "number")) var connectionsPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            """
            Address and port for operators: /metrics, /readyz with causes, the admin API; or off. \
            CAUSEBOARD_ADMIN_LISTEN; 127.0.0.1:8081.
            """, valueName: "address:port")) var adminListen: String?

    @Flag(
        help: """
            Serve the admin API to clients too, and not only on the admin listener. CAUSEBOARD_ADMIN_PUBLIC.
            """) var adminPublic = false

    @Flag(
        help: """
            Serve the game at /play, which posts to the board high-scores of the game default; databases that \
            `causeboard demo` made have it anyway. CAUSEBOARD_PLAY.
            """) var play = false

    @Option(
        help: ArgumentHelp(
            "File that gets a line for each request, or - for standard output. CAUSEBOARD_ACCESS_LOG; none.",
            valueName: "file")) var accessLog: String?

    @Flag(
        help: """
            Migrate a database named by --database-url, which must be its owner's, when that is needed. \
            CAUSEBOARD_MIGRATE.
            """) var migrate = false

    @OptionGroup var housekeeping: HousekeepingOptions
    @OptionGroup var room: RoomOptions
    @OptionGroup var archive: ArchiveOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var traces: TraceOptions

    func run() async throws {
        HangUp.ignore()
        let settings = try await Settings(database)
        let logger = Log.start(settings.logLevel ?? .info, settings.logFormat)
        let serving = try ServeSettings(
            settings, host: host, port: port, publicURL: publicURL, connections: connections,
            summaryMegabytes: namesMemory, mayMigrate: migrate, ways: ways,
            connectionsPerAddress: connectionsPerAddress, clients: clients, adminListen: adminListen,
            isAdminPublic: adminPublic, isPlayOn: play, accessLog: accessLog, housekeeping: housekeeping, room: room,
            archive: archive)
        let transport = try TransportSettings(settings, transport, serving)

        let observation = try Observation(
            TraceSettings(settings, traces), instance: "\(serving.host):\(serving.port)", reserve: serving.room.reserve,
            logger: logger)

        do { try await serve(settings, serving, transport, observation, logger) } catch {
            throw CommandError.explaining(error)
        }
        logger.info("stopped")
    }

    private func serve(
        _ settings: Settings, _ serving: ServeSettings, _ transport: TransportSettings, _ observation: Observation,
        _ logger: Logger
    ) async throws {
        let connections = try OpenConnections.fitting(serving, logger: logger)
        let certificate = try transport.certificate.map { try ServerCertificate.load($0, logger: logger) }
        let accessLog = try serving.openAccessLog(logger: logger)
        try Restoration.requireFinished(settings)
        let (database, archive) = try await Interruption.heeded {
            var archive = serving.archive
            let wanted = try await archive?.prepare(settings, logger: logger)
            return (try await Database.open(settings, as: .server, logger: logger) { $0.archive = wanted }, archive)
        }
        do {
            let fence = database.fence ?? TimelineFence(logger: logger)
            let pools = ServePools(
                conninfo: database.server, fence: fence, replica: serving.replicaURL, connections: serving.connections,
                logger: logger)
            let replica = pools.replica.map(Replica.init)
            let store = Store(general: pools.general, ledger: pools.ledger, replica: replica, logger: logger)
            let (secret, isNew) = try await Interruption.heeded {
                try await database.requireSessions(logger: logger)
                try await database.prepare(mayMigrate: serving.mayMigrate, now: .now, logger: logger)
                let secret = try SecretSource.secret(settings)
                try await store.requireDurability(acceptsDangers: serving.acceptsUnsafeDurability, logger: logger)
                Self.warnOfFiles(settings, transport, logger: logger)
                let isNew = try await Self.verify(store, secret, isPublic: serving.isPublic, logger: logger)
                return (secret, isNew)
            }
            let archiving = try await Archiving.begun(archive, database, settings, logger: logger)
            let links = FeedLinks(
                publicURL: serving.publicURL,
                tagAuthority: "\(Hex.text(secret.fingerprint.prefix(8))).causeboard.invalid", entryKey: secret.entryKey)
            let clock = ServerClock { .now }
            let memory = LeaderboardMemory(store: store, summaryBytes: serving.summaryMegabytes << 20)
            let writeBatcher = WriteBatcher(
                store: store, clock: clock, memory: memory, workersCount: max(1, System.coreCount / 2),
                meters: WriteMeters(observation.metrics))
            let stream = ConnectionSettings(
                conninfo: serving.streamURL ?? database.stream, connectTimeout: .seconds(5), fence: fence)
            // Copying a snapshot takes at most an eighth of the connections, so that most remain for requests.
            let follower = Follower(
                store: store, heartbeats: Store(general: pools.heartbeat, ledger: pools.heartbeat, logger: logger),
                memory: memory, logger: logger, now: { clock.now },
                copies: min(serving.connections / 8, Limits.snapshotCopiesMax)
            ) { () async throws(FollowError) in try await RollupStream.open(stream, logger: logger) }
            let checks = ReadinessChecks(
                conninfo: database.server, fence: fence, cluster: database.cluster, room: serving.room, logger: logger)
            let swept = SweepCounts()
            let responder = Responder(
                store: store, writeBatcher: writeBatcher,
                rankings: Rankings(store: store, clock: clock, memory: memory),
                operations: Operations(
                    health: { Health(memory: memory, writeBatcher: writeBatcher, follower: follower) },
                    readiness: checks.readiness, pools: { pools.use }, replica: { replica?.counts },
                    clientConnections: { connections.use },
                    requestIDs: .random(isTrusted: { [proxies = serving.clients.proxies] in proxies.areBehind($0) }),
                    adminGuard: AdminGuard(host: serving.admin?.host ?? ""), archive: { archiving?.health },
                    swept: swept, accessLog: accessLog, certificate: certificate, metrics: observation.metrics,
                    tracer: observation.tracer, vitals: checks.vitals, reserve: checks.reserve,
                    droppedTraceLines: observation.droppedLinesCount), secret: secret, clock: clock, links: links,
                proxies: serving.clients.proxies, rates: RateLimiter(serving.clients.rates),
                httpsOnly: transport.httpsOnly, isAdminPublic: serving.isAdminPublic,
                play: serving.isPlayOn ? .always : .whereGamesAre(DemoData.gameSlugs),
                audits: AuditRuns(
                    Auditor(Store(general: pools.audits, ledger: pools.audits, logger: logger)), clock: clock),
                logger: logger)
            let admin = serving.admin.map { AdminListener($0, responder: responder, logger: logger) }
            let listeners = Listener.clients(
                serving, transport, certificate: certificate, responder: responder, connections: connections,
                admin: admin, isNew: isNew, manager: settings.serviceManager, logger: logger)
            var reloads: [HangUp.Action] = []
            if let certificate { reloads.append { certificate.reload(logger: logger) } }
            for log in [accessLog, observation.lines].compactMap(\.self) { reloads.append { log.reopen() } }
            // Services shut down in reverse order: first the server stops being ready, then requests end, then commits,
            // connections and the database's watch. The admin listener goes on while the requests of clients end.
            var services: [any Service] = [
                pools.general, pools.ledger, pools.heartbeat, pools.audits, checks, follower, writeBatcher,
            ]
            if let pool = pools.replica { services.append(pool) }
            services.append(PrimaryWatch(ConnectionSettings(conninfo: database.server, fence: fence), logger: logger))
            services.append(LiveLooks(hub: responder.live))
            services.append(AuditWork(audits: responder.audits))
            services += Self.chores(serving, store: store, clock: clock, counting: swept, logger: logger)
            if let accessLog { services.append(AccessLogFlush(accessLog: accessLog)) }
            services += observation.services
            services.append(HangUp(reloads, manager: settings.serviceManager, logger: logger))
            if let certificate { services.append(CertificateWatch(certificate: certificate, logger: logger)) }
            if let admin { services.append(admin) }
            services += listeners as [any Service]
            services.append(ReadinessEnd(readiness: checks.readiness))
            if let archiving { services.append(archiving) }
            if let cluster = database.cluster { services.insert(cluster, at: 0) }
            settings.serviceManager?.surround(&services, readiness: checks.readiness)
            try await BoundedRun.run(services, and: [SchemaWatch.configuration(store)], logger: logger)
            await database.close(logger: logger)
        } catch {
            await database.close(logger: logger)
            throw error
        }
    }
}
