import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Does what is asked for with each SIGHUP, such as reading a certificate or opening a log again.
struct HangUp: Service {
    typealias Action = @Sendable () async -> Void

    private let actions: [Action]
    private let manager: ServiceManager?
    private let logger: Logger

    /// - Parameters:
    ///   - actions: Run one after the other; each logs its own trouble. Without any the signal does nothing.
    ///   - manager: It is told when they begin and when they are done.
    init(_ actions: [Action], manager: ServiceManager? = nil, logger: Logger) {
        self.actions = actions
        self.manager = manager
        self.logger = logger
    }

    /// Ignores SIGHUP until ``run()`` handles it. Without this the signal ends a server that is still starting, which
    /// may take long while its database is made or migrated. SIGPIPE is ignored for good, so that nothing that reads
    /// the log ends the server by going away.
    static func ignore() {
        signal(SIGHUP, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() {
            if actions.isEmpty { logger.info("SIGHUP reloads a certificate and an access log, and there is none") }
            await reload()
        }
    }

    /// Does all of it. A server that does not serve yet is not ready by having reloaded.
    func reload() async {
        let serving = manager.flatMap { $0.hasReportedReady ? $0 : nil }
        serving?.tell(.reloadingNow)
        for action in actions { await action() }
        serving?.tell(.ready)
    }
}
