import ArgumentParser
import Credentials
import Domain
import EmbeddedPostgres
import Feeds
import Glibc
import HTTP
import HummingbirdCore
import Leaderboard
import Logging
import NIOCore
import NIOPosix
import Postgres
import ServiceLifecycle
import Storage
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve games, players and readers, until SIGTERM.")

    @OptionGroup var database: DatabaseOptions

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

    @Flag(
        help: """
            Migrate a database named by --database-url, which must be its owner's, when that is needed. \
            CAUSEBOARD_MIGRATE.
            """
    )
    var migrate = false

    func run() async throws {
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
            streamURL: streamURL
        )

        do {
            try await serve(settings, serving, logger)
        } catch {
            throw Self.explained(error, serving)
        }
        logger.info("stopped")
    }

    private func serve(_ settings: Settings, _ serving: ServeSettings, _ logger: Logger) async throws {
        let database = try await Interruption.heeded { try await Database.open(settings, as: .server, logger: logger) }
        do {
            let pools = Self.pools(database, connections: serving.connections, logger: logger)
            let store = Store(general: pools.general, ledger: pools.ledger, logger: logger)
            let secret = try await Interruption.heeded {
                try await database.prepare(mayMigrate: serving.mayMigrate, now: .now, logger: logger)
                let secret = try SecretSource.secret(settings)
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
                memory: memory,
                logger: logger,
                now: { clock.now },
                copies: min(serving.connections / 8, Limits.snapshotCopiesMax)
            ) { () async throws(FollowError) in
                try await RollupStream.open(stream, logger: logger)
            }
            let responder = Responder(
                store: store,
                writeBatcher: writeBatcher,
                rankings: Rankings(store: store, clock: clock, memory: memory),
                health: { Health(standings: memory.standings, writeBatcher: writeBatcher, follower: follower) },
                secret: secret,
                clock: clock,
                links: links,
                logger: logger
            )
            let server = Server(
                childChannelSetup: ClientChannel(responder),
                configuration: ServerConfiguration(
                    address: .hostname(serving.host, port: serving.port),
                    reuseAddress: true,
                    availableConnectionsDelegate: MaximumAvailableConnections(Limits.clientConnectionsMax)
                ),
                onServerRunning: { channel in
                    logger.info(
                        "serving",
                        metadata: ["address": "http://\(serving.host):\(channel.localAddress?.port ?? serving.port)"]
                    )
                },
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                logger: logger
            )
            // Services shut down in reverse order: requests first, then commits, connections and the database's watch.
            var services: [any Service] = [pools.general, pools.ledger, follower, writeBatcher, server]
            if let cluster = database.cluster { services.insert(cluster, at: 0) }
            var group = ServiceGroupConfiguration(
                services: services,
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
            group.maximumGracefulShutdownDuration = .seconds(Limits.drainSeconds)
            group.maximumCancellationDuration = .seconds(2)
            try await ServiceGroup(configuration: group).run()
            await database.cluster?.close()
        } catch {
            await database.cluster?.close()
            throw error
        }
    }

    private static func pools(_ database: Database, connections: Int, logger: Logger) -> (general: Pool, ledger: Pool) {
        let reading = PoolLimits(connectionsMax: connections - connections / 2)
        let writing = PoolLimits(connectionsMax: connections / 2)
        return (
            Pool(
                ConnectionSettings(
                    conninfo: database.server,
                    session: SessionPresets.general,
                    connectTimeout: .seconds(5)
                ),
                limits: reading,
                logger: logger
            ),
            Pool(
                ConnectionSettings(
                    conninfo: database.server,
                    session: SessionPresets.ledger,
                    connectTimeout: .seconds(5)
                ),
                limits: writing,
                logger: logger
            )
        )
    }

    /// Checks what must hold before the first request is accepted, and warns of games whose classic protocol is open.
    private static func verify(_ store: Store, _ secret: Secret, host: String, logger: Logger) async throws {
        guard try await store.accepts(secret, now: .now) else {
            throw CommandError(
                """
                The database was set up with another secret: with this one no device would be known. \
                Start with the secret of its first server (CAUSEBOARD_SECRET or --secret-file).
                """
            )
        }
        let role = try await store.serverRole()
        guard !role.canRewriteLedgers else {
            throw CommandError(
                """
                The role \(role.name) may change or delete rows of the ledgers. \
                Take UPDATE, DELETE and TRUNCATE on score and donation away from it.
                """
            )
        }
        guard !["127.0.0.1", "::1", "localhost"].contains(host) else { return }
        for game in try await store.openGames() {
            logger.warning(
                """
                the classic protocol has no authentication and is open to the network; \
                close it with `causeboard game set \(game) --classic token`
                """,
                metadata: ["game": "\(game)", "host": "\(host)"]
            )
        }
    }

    private static func explained(_ error: any Error, _ serving: ServeSettings) -> any Error {
        if let error = error as? IOError {
            switch error.errnoCode {
            case EADDRINUSE:
                return CommandError(
                    """
                    Port \(serving.port) of \(serving.host) is taken. \
                    Stop what listens there, or choose another one with --port.
                    """
                )
            case EADDRNOTAVAIL:
                return CommandError("\(serving.host) is no address of this machine. Choose another one with --host.")
            case EACCES:
                return CommandError("Port \(serving.port) is reserved for root. Choose one above 1023 with --port.")
            default: return error
            }
        }
        if error is SocketAddressError.UnknownHost {
            return CommandError("\(serving.host) is no address and no known name. Choose another --host.")
        }
        return CommandError.explaining(error)
    }
}
