import Credentials
import Domain
import Logging
import Storage

extension Serve {
    /// Checks what must hold before the first request is accepted, and warns of games whose classic protocol is open.
    static func verify(_ store: Store, _ secret: Secret, host: String, logger: Logger) async throws {
        guard try await store.accepts(secret, now: .now) else {
            throw CommandError.otherSecret
        }
        let role = try await store.serverRole()
        guard !role.canRewriteLedgers else {
            throw CommandError(
                """
                The role \(role.name) may change or delete rows of the ledgers or of the log. \
                Take UPDATE, DELETE and TRUNCATE on score, donation, correction and log_entry away from it.
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
}
