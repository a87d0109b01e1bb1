import Domain
import HTTP
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Tells the service manager when the server serves, which it does once every port for clients is listened on.
final class ReadyNotice: Sendable {
    private let manager: ServiceManager
    private let missing: Mutex<Int>

    /// - Parameter portsCount: How many ports have to be listened on.
    init(_ manager: ServiceManager, portsCount: Int) {
        self.manager = manager
        missing = Mutex(portsCount)
    }

    /// One more port is listened on.
    func listening() {
        let serves = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if serves { manager.tell(.ready) }
    }
}

/// Tells the service manager that the process is well, while it is. It is the last service to end, because the stop of
/// an embedded database may take longer than the service manager's patience.
struct WatchdogNotices: Service {
    private let manager: ServiceManager
    private let pause: Duration
    private let isAlive: @Sendable () async -> Bool

    /// - Parameter isAlive: Whether the process is well. Nothing is said while it does not answer.
    /// - Returns: Nil when the service manager does not watch.
    init?(_ manager: ServiceManager, isAlive: @escaping @Sendable () async -> Bool) {
        guard let patience = manager.patience else { return nil }
        self.manager = manager
        pause = patience / Limits.watchdogNoticesPerPatience
        self.isAlive = isAlive
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                if await isAlive() { manager.tell(.alive) }
                try await Task.sleep(for: pause)
            }
        }
    }
}

/// Whether the process itself is well, whatever its database does: a database that is away comes back to a server that
/// runs, and a server that is started again has to load its standings.
struct Liveness: Sendable {
    let readiness: Readiness

    /// Whether looks at the database still end, well or not. A look has a bound of its own, so one that does not end
    /// means that tasks of this process no longer run.
    func looks(at now: ContinuousClock.Instant = .now) -> Bool {
        let report = readiness.report(at: now)
        if report.cause == .stopping { return true }
        return report.age.map { $0 < .seconds(Limits.lookSilenceSecondsMax) } ?? true
    }

    /// Waits until each event loop has done something, and says whether looks end too.
    @Sendable func check() async -> Bool {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            guard (try? await loop.submit {}.get()) != nil else { return false }
        }
        return looks()
    }
}

/// Tells the service manager that the server stops.
struct StoppingNotice: Service {
    let manager: ServiceManager

    func run() async throws {
        try? await gracefulShutdown()
        manager.tell(.stopping)
    }
}

extension ServiceManager {
    /// Adds what tells it how the server is: that it is well until all other services have ended, and at once that they
    /// begin to.
    func surround(_ services: inout [any Service], readiness: Readiness) {
        let liveness = Liveness(readiness: readiness)
        if let watchdog = WatchdogNotices(self, isAlive: liveness.check) { services.insert(watchdog, at: 0) }
        services.append(StoppingNotice(manager: self))
    }
}
