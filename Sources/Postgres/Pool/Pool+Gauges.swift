import Synchronization

extension Pool {
    /// Open, lent or being connected.
    package var connectionsCount: Int { state.withLock { $0.connectionsCount } }

    /// Tasks that wait for a connection.
    package var waitersCount: Int { state.withLock { $0.waitersCount } }
}
