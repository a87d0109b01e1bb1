import ServiceLifecycle
import Synchronization

extension Pool {
    /// How often connections are looked at that have been idle.
    private static var roundPause: Duration { .seconds(1) }

    /// Closes connections that have been idle for too long, and, on graceful shutdown or cancellation, all of them: idle ones at once, lent ones as
    /// they come back, for which it waits up to `drainMax`. Leases work without it, but nothing is then ever closed for idleness.
    package func run() async throws {
        let poller = try Poller.shared()
        let registration = poller.add(shutdown)
        defer { poller.remove(registration) }
        await withGracefulShutdownHandler {
            while await pause(poller, for: min(Self.roundPause, limits.idleMax)) == .deadline {
                reap()
                serve()  // some may wait for the back-off to end
            }
        } onGracefulShutdown: { [shutdown] in
            shutdown.signal()
        }
        state.withLock { $0.close() }
        serve()
        await drain(poller)
    }

    private func drain(_ poller: Poller) async {
        let deadline = ContinuousClock.now + limits.drainMax
        while true {
            reap()
            guard state.withLock({ $0.connectionsCount }) > 0, ContinuousClock.now < deadline else { return }
            _ = await shutdown.wait(heedsCancellation: false, until: deadline) { poller.keep(deadline) }
        }
    }

    private func pause(_ poller: Poller, for duration: Duration) async -> Waiter.Wakeup {
        let deadline = ContinuousClock.now + duration
        return await shutdown.wait(heedsCancellation: true, until: deadline) { poller.keep(deadline) }
    }

    private func reap() {
        for parked in state.withLock({ $0.reap(idleSince: .now - limits.idleMax) }) { parked.session.close() }
    }
}
