package import Logging
import ServiceLifecycle
import Synchronization

/// Lends connections, at most `connectionsMax` at once.
///
/// They are opened when needed and kept for the next. While the server cannot be reached, callers fail at once with class 08 and one of them
/// tries again after a growing pause, so the pool recovers by itself; nothing is sent twice.
package final class Pool: Service, Sendable {
    let settings: ConnectionSettings
    let limits: PoolLimits
    let logger: Logger
    let state: Mutex<PoolState>
    let shutdown = Waiter()

    package init(_ settings: ConnectionSettings, limits: PoolLimits, logger: Logger) {
        self.settings = settings
        self.limits = limits
        self.logger = logger
        state = Mutex(PoolState(limits))
    }

    /// Lends a connection to `body`, which must not keep it: once the call returns, it is closed to whoever did.
    /// A transaction that `body` left open is rolled back by closing the connection.
    /// - Throws: What `body` throws. As `E`, before `body` runs: 53300 when too many wait or the wait was longer than `waitMax`, 08001 when
    ///   the server cannot be reached, 57014 when the task is cancelled, 57P03 when the pool is closed. All of these are safe to retry.
    @discardableResult
    package func withConnection<T, E: PostgresErrorConvertible>(_ body: (Connection) async throws(E) -> T) async throws(E) -> T {
        do { return try await lend(body) } catch { throw error.merged }
    }

    /// The same for a body that throws anything.
    @discardableResult
    package func withConnection<T>(_ body: (Connection) async throws -> T) async throws -> T {
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
