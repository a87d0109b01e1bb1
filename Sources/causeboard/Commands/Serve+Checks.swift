import Credentials
import Domain
import HTTP
import HTTPServer
import Logging
import ServiceLifecycle
import Storage

extension Serve {
    /// Checks what must hold before the first request, and logs which games accept the classic protocol.
    /// - Parameter isPublic: Whether other machines can reach the server.
    /// - Returns: Whether this is the first server of the database.
    static func verify(_ store: Store, _ secret: Secret, isPublic: Bool, logger: Logger) async throws -> Bool {
        let isFirst = try await store.knows(secret) == nil
        guard try await store.accepts(secret, now: .now) else { throw CommandError.otherSecret }
        let role = try await store.serverRole()
        guard !role.canRewriteLedgers else {
            throw CommandError(
                """
                The role \(role.name) may change or delete rows of the ledgers or of the log. \
                Take UPDATE, DELETE and TRUNCATE on score, donation, correction and log_entry away from it.
                """)
        }
        for game in try await store.openGames() {
            logger.log(level: isPublic ? .warning : .notice, "\(ClassicNotice.text(of: game))")
        }
        return isFirst
    }

    /// Warns of secret files that others can read.
    static func warnOfFiles(_ settings: Settings, _ transport: TransportSettings, logger: Logger) {
        for file in SecretFiles.files(settings, tlsKey: transport.certificate?.key) {
            guard let trouble = file.trouble else { continue }
            logger.warning("a file with a secret is not secret", metadata: ["\(file.name)": "\(trouble)"])
        }
    }
}

/// Says that a game accepts unauthenticated posts in the classic protocol, and how to close it.
enum ClassicNotice {
    static func text(of game: String) -> String {
        """
        the game \(game) takes posts of the classic protocol without authentication; \
        unless clients of 2009 need it, close it: `causeboard game set \(game) --classic off`
        """
    }
}

extension Store {
    /// Checks before the first request that the database takes writes and keeps what it commits.
    /// - Parameter acceptsDangers: Whether a database that may lose what it commits is only warned of.
    /// - Throws: ``CommandError`` that says what to change.
    func requireDurability(acceptsDangers: Bool, logger: Logger) async throws {
        guard try await !serverVersion().isReadOnly else {
            throw CommandError(
                """
                The database takes no writes: it is a standby, or default_transaction_read_only is on. \
                Name the primary, or all its hosts in one URL, such as postgresql://user@one,two/causeboard.
                """)
        }
        let durability = try await durability()
        for warning in durability.warnings { logger.warning("\(warning)") }
        if durability.dangers.isEmpty { return }
        guard acceptsDangers else {
            throw CommandError(
                """
                The database may lose what was acknowledged. \(durability.dangers.joined(separator: " ")) \
                For a trial or a test, or where the storage itself makes writes safe, set \
                CAUSEBOARD_UNSAFE_DURABILITY=yes.
                """)
        }
        for danger in durability.dangers { logger.warning("\(danger)") }
    }
}

/// Ends the server when somebody has migrated its database to a schema with which it cannot go on. What was begun is
/// finished first, as on SIGTERM.
struct SchemaWatch: Service {
    /// Seconds between two looks at the list of migrations.
    private static let pauseSeconds: Int64 = 10

    let store: Store

    /// The service as a group runs it.
    static func configuration(_ store: Store) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(service: SchemaWatch(store: store), failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await store.watchSchema(every: .seconds(Self.pauseSeconds)) }
    }
}
