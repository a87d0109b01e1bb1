import ArgumentParser
import Credentials
import Demo
import Domain
import EmbeddedPostgres
import Feeds
import HTTP
import HTTPServer
import Leaderboard
import Logging
import NIOCore
import Outgoing
import Postgres
import ServiceLifecycle
import SignIn
import Storage
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve games, players and readers, until SIGTERM.")

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var flags: ServeOptions

    func run() async throws {
        HangUp.ignore()
        let settings = try await Settings(database, flags)
        let logger = Log.start(settings.logLevel ?? .info, settings.logFormat)
        let serving = try ServeSettings(settings)
        let observation = try Observation(
            serving.traces, instance: "\(serving.host):\(serving.port)", reserve: serving.room.reserve, logger: logger)

        do { try await serve(settings, serving, observation, logger) } catch { throw CommandError.explaining(error) }
        logger.info("stopped")
    }

    private func serve(_ settings: Settings, _ serving: ServeSettings, _ observation: Observation, _ logger: Logger)
        async throws
    {
        let connections = try OpenConnections.fitting(serving, logger: logger)
        let certificate = try serving.transport.certificate.map { try ServerCertificate.load($0) }
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
                try await database.prepare(mayMigrate: serving.migrate, now: .now, logger: logger)
                let secret = try SecretSource.secret(settings)
                try await store.requireDurability(acceptsDangers: serving.unsafeDurability, logger: logger)
                Self.warnOfFiles(settings, serving.transport, logger: logger)
                let isNew = try await Self.verify(store, secret, isPublic: serving.isPublic, logger: logger)
                return (secret, isNew)
            }
            let archiving = try await Archiving.begun(archive, database, settings, logger: logger)
            let links = FeedLinks(
                publicURL: serving.publicURL,
                tagAuthority: "\(Hex.text(secret.fingerprint.prefix(8))).causeboard.invalid", entryKey: secret.entryKey)
            let clock = ServerClock { .now }
            let memory = LeaderboardMemory(
                store: store, summaryBytes: serving.namesMemory << 20, tieBytes: serving.tiesMemory << 20)
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
                conninfo: database.server, fence: fence, cluster: database.cluster, room: serving.room, clock: clock,
                logger: logger)
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
                httpsOnly: serving.transport.httpsOnly, isAdminPublic: serving.adminPublic,
                play: serving.play ? .always : .whereGamesAre(DemoData.gameSlugs),
                audits: AuditRuns(
                    Auditor(Store(general: pools.audits, ledger: pools.audits, logger: logger)), clock: clock),
                issuers: IssuerKeys(
                    logger: logger, metrics: observation.metrics,
                    fetch: OutgoingClient(allowing: serving.clients.outgoing).get), logger: logger)
            let admin = serving.admin.map { AdminListener($0, responder: responder, logger: logger) }
            let listeners = Listener.clients(
                serving, certificate: certificate, responder: responder, connections: connections, admin: admin,
                isNew: isNew, manager: settings.serviceManager, logger: logger)
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
            services.append(responder.issuers)
            let plans = PlanRunner(
                store: store, writeBatcher: writeBatcher, clock: clock, metrics: observation.metrics, logger: logger)
            services.append(
                AwardKeeper(store: store, memory: memory, clock: clock, logger: logger, metrics: observation.metrics))
            services += Self.chores(
                serving, store: store, writeBatcher: writeBatcher, clock: clock, plans: plans, counting: swept,
                logger: logger)
            if let accessLog { services.append(AccessLogFlush(accessLog: accessLog)) }
            services += observation.services
            services.append(HangUp(reloads, manager: settings.serviceManager, logger: logger))
            if let certificate {
                // A server may run for longer than its certificate.
                services.append(
                    Periodic(every: .seconds(Limits.certificateCheckSeconds)) { certificate.warnIfItEndsSoon(logger) })
            }
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
