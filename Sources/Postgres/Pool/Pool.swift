package import Logging
import ServiceLifecycle
import Synchronization

/// Lends connections, at most `connectionsMax` at once.
///
/// Connections are opened when needed and reused. While the server cannot be reached, callers fail at once with class
/// 08, and after a growing pause one of them tries again, so the pool recovers by itself. Nothing is sent twice.
package final class Pool: Service, Sendable {
    let settings: ConnectionSettings
    package let limits: PoolLimits
    let logger: Logger
    let state: Mutex<PoolState>
    let shutdown = Waiter()

    package init(_ settings: ConnectionSettings, limits: PoolLimits, logger: Logger) {
        self.settings = settings
        self.limits = limits
        self.logger = logger
        state = Mutex(PoolState(limits))
    }

    /// How many connections are open, or being opened; how many of these are not idle; how many tasks wait for one.
    package var use: (open: Int, lent: Int, waiting: Int) {
        state.withLock { ($0.connectionsCount, $0.connectionsCount - $0.idleCount, $0.waitersCount) }
    }

    /// Where a task runs best that waits for its connection most of its time, and does little in between: see
    /// ``Poller``. Nil when the system has no thread or descriptor for it; the task then runs where others do.
    package var executor: (any TaskExecutor)? { try? Poller.shared(for: settings.purpose) }

    /// Lends a connection to `body`, which must not keep it: it is unusable once the call returns. A transaction that
    /// `body` left open is rolled back by closing the connection.
    /// - Throws: What `body` throws. As `E`, before `body` runs: 53300 when too many tasks wait or the wait was longer
    ///   than `waitMax`, 08001 when the server cannot be reached, 57014 when the task is cancelled, 57P03 when the pool
    ///   is closed. All of these are safe to retry.
    @discardableResult package func withConnection<T, E: PostgresErrorConvertible>(
        _ body: (Connection) async throws(E) -> T
    ) async throws(E) -> T { do { return try await lend(body) } catch { throw error.merged } }

    /// Does the same for a body that throws any error.
    @discardableResult package func withConnection<T>(_ body: (Connection) async throws -> T) async throws -> T {
        do { return try await lend(body) } catch { throw error.merged }
    }

    private func lend<T, E: Error>(_ body: (Connection) async throws(E) -> T) async throws(LentFailure<E>) -> T {
        let parked: ParkedSession
        do throws(PostgresError) { parked = try await lease() } catch { throw .postgres(error) }
        let connection = Connection(parked)
        defer {
            connection.giveBack()
            takeBack(parked)
        }
        do throws(E) { return try await body(connection) } catch { throw .body(error) }
    }
}

extension Pool {
    /// Waits for a session that is connected, as far as the client can know.
    func lease() async throws(PostgresError) -> ParkedSession {
        let deadline = ContinuousClock.now + limits.waitMax
        while true {
            switch try await grant(until: deadline) {
            case .use(let parked):
                if parked.session.isAlive() { return parked }
                discard(parked)  // it was lost while idle, and nothing was sent on it
            case .connect: return try await connect()
            case .fail(let error): throw error
            }
        }
    }

    /// Takes a session back for reuse, or discards it. Must be called once for each lease.
    func takeBack(_ parked: ParkedSession) {
        let now = ContinuousClock.now
        guard parked.session.isReusable, now < parked.retiresAt else { return discard(parked) }
        let fresh = ParkedSession(session: parked.session, idleSince: now, retiresAt: parked.retiresAt)
        let unwanted = state.withLock { $0.giveBack(fresh) }
        unwanted?.session.close()
        serve()
    }

    /// Grants what is available to the waiting tasks. Must be called after every change of the state.
    func serve() {
        let (served, isClosed) = state.withLock { ($0.serve(at: .now), $0.isClosed) }
        for ticket in served { ticket.waiter.signal() }
        if isClosed { shutdown.signal() }
    }

    private func discard(_ parked: ParkedSession) {
        parked.session.close()
        state.withLock { $0.discarded() }
        serve()
    }

    private func grant(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PoolState.Grant {
        if Task.isCancelled {
            throw PostgresError(.queryCancelled, safeToRetry: true, message: "cancelled before it had a connection")
        }
        let ticket = Ticket()
        if let grant = state.withLock({ $0.lease(ticket, at: .now) }) { return grant }
        serve()  // a back-off may have ended since the last look
        let wakeup: Waiter.Wakeup
        do throws(PostgresError) {
            let poller = try Poller.shared()
            let registration = poller.add(ticket.waiter)
            wakeup = await ticket.waiter.wait(heedsCancellation: true, until: deadline) { poller.keep(deadline) }
            poller.remove(registration)
        } catch {
            decline(state.withLock { $0.leave(ticket) })
            throw error
        }
        let grant = state.withLock { $0.leave(ticket) }
        if wakeup == .cancelled {
            decline(grant)
            throw PostgresError(.queryCancelled, safeToRetry: true, message: "cancelled while waiting for a connection")
        }
        guard let grant else {
            throw PostgresError(.tooManyConnections, safeToRetry: true, message: "waited too long for a connection")
        }
        return grant
    }

    /// Gives back what was granted to a task that has given up.
    private func decline(_ grant: PoolState.Grant?) {
        switch grant {
        case .use(let parked): takeBack(parked)
        case .connect: notConnected(PostgresError(.queryCancelled, safeToRetry: true))
        case .fail, nil: break
        }
    }

    private func connect() async throws(PostgresError) -> ParkedSession {
        do throws(PostgresError) {
            let session = try await Session.connect(settings, logger: logger)
            state.withLock { $0.connected() }
            serve()
            // Spread out, so that connections that were opened together do not end together.
            let age = limits.ageMax * Double.random(in: 0.75...1)
            return ParkedSession(session: session, idleSince: .now, retiresAt: .now + age)
        } catch {
            notConnected(error)
            throw error
        }
    }

    private func notConnected(_ error: PostgresError) {
        state.withLock { $0.notConnected(error, at: .now) }
        serve()
    }
}

extension Pool {
    /// How often `run` looks for idle connections to close.
    private static var roundPause: Duration { .seconds(1) }

    /// Closes idle connections that have been idle or open for too long, and, on graceful shutdown or cancellation, all
    /// of them: idle ones at once, lent ones as they come back, for which it waits up to `drainMax`. Leases work
    /// without `run`, but idle connections are then never closed.
    package func run() async throws {
        let poller = try Poller.shared()
        let registration = poller.add(shutdown)
        defer { poller.remove(registration) }
        await withGracefulShutdownHandler {
            while await pause(poller, for: min(Self.roundPause, limits.idleMax)) == .deadline {
                reap()
                serve()  // tasks may be waiting for the back-off to end
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
        for parked in state.withLock({ $0.reap(idleSince: .now - limits.idleMax, at: .now) }) { parked.session.close() }
    }
}

/// One task's place in the queue for a connection.
final class Ticket: Sendable { let waiter = Waiter() }

/// A session that no connection uses, while it moves from one task to another.
// SAFETY: only the pool makes these, from a session whose connection it has just taken back (`Connection.giveBack`), so
// the parked reference is the only one; the task that takes it out of the pool's state uses it alone.
struct ParkedSession: @unchecked Sendable {
    let session: Session
    let idleSince: ContinuousClock.Instant
    /// From then on it is not lent again.
    let retiresAt: ContinuousClock.Instant
}

/// The bounds of a pool.
package struct PoolLimits: Sendable {
    /// At least 1.
    package var connectionsMax: Int
    /// How many tasks may wait for a connection; one more is rejected at once with 53300.
    package var waitersMax: Int
    /// How long a task waits for a connection before it is rejected with 53300.
    package var waitMax: Duration
    /// How long a connection may be idle before it is closed.
    package var idleMax: Duration
    /// How old a connection may become, so that a name that leads to another server after a fail-over is looked up
    /// again. Each one is closed at three quarters of this age or later, once it is idle.
    package var ageMax: Duration
    /// How long the shutdown waits for connections that are still lent.
    package var drainMax: Duration

    package init(
        connectionsMax: Int = 8, waitersMax: Int = 1_024, waitMax: Duration = .seconds(5),
        idleMax: Duration = .seconds(300), ageMax: Duration = .seconds(1_800), drainMax: Duration = .seconds(10)
    ) {
        self.connectionsMax = max(connectionsMax, 1)
        self.waitersMax = waitersMax
        self.waitMax = waitMax
        self.idleMax = idleMax
        self.ageMax = ageMax
        self.drainMax = drainMax
    }
}
