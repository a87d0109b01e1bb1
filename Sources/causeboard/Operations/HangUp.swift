import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Does what is asked for with each SIGHUP, such as reading a certificate or opening a log again.
struct HangUp: Service {
    typealias Action = @Sendable () async -> Void

    private let actions: [Action]
    private let logger: Logger

    /// - Parameter actions: Run one after the other; each logs its own trouble. Without any the signal does nothing.
    init(_ actions: [Action], logger: Logger) {
        self.actions = actions
        self.logger = logger
    }

    /// Ignores SIGHUP until ``run()`` handles it. Without this the signal ends a server that is still starting, which
    /// may take long while its database is made or migrated.
    static func ignore() {
        signal(SIGHUP, SIG_IGN)
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() {
            if actions.isEmpty { logger.info("SIGHUP reloads a certificate and an access log, and there is none") }
            for action in actions { await action() }
        }
    }
}
