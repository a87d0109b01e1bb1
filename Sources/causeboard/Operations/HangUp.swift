import ServiceLifecycle
import UnixSignals

/// Does what is asked for with each SIGHUP, such as opening a log or a certificate again. Without anything to do the
/// signal ends the server, as it does by default.
struct HangUp: Service {
    private let actions: [@Sendable () async -> Void]

    /// - Parameter actions: Run one after the other; each logs its own trouble.
    init(_ actions: [@Sendable () async -> Void]) {
        self.actions = actions
    }

    func run() async throws {
        guard !actions.isEmpty else {
            try? await gracefulShutdown()
            return
        }
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() {
            for action in actions { await action() }
        }
    }
}
