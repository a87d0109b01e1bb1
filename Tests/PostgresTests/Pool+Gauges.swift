import Synchronization

@testable import Postgres

// Gauges that only tests read.
extension Pool {
    /// Connections that are open, lent or being made.
    var connectionsCount: Int { state.withLock { $0.connectionsCount } }

    /// Tasks that wait for a connection.
    var waitersCount: Int { state.withLock { $0.waitersCount } }
}
