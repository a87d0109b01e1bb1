/// The bounds of a pool.
package struct PoolLimits: Sendable {
    /// At least 1.
    package var connectionsMax: Int
    /// How many tasks may wait for a connection; one more is turned away at once with 53300.
    package var waitersMax: Int
    /// How long a task waits for a connection before it is turned away with 53300.
    package var waitMax: Duration
    /// How long a connection may be idle before it is closed.
    package var idleMax: Duration
    /// How long the shutdown waits for connections that are still lent.
    package var drainMax: Duration

    package init(
        connectionsMax: Int = 8, waitersMax: Int = 1_024, waitMax: Duration = .seconds(5), idleMax: Duration = .seconds(300),
        drainMax: Duration = .seconds(10)
    ) {
        self.connectionsMax = max(connectionsMax, 1)
        self.waitersMax = waitersMax
        self.waitMax = waitMax
        self.idleMax = idleMax
        self.drainMax = drainMax
    }
}
