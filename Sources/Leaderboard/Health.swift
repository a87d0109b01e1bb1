/// The state of this process's standings, write batching and stream, for the metrics.
package struct Health: Sendable {
    /// True while ranks come from memory; otherwise they come from SQL.
    package let areStandingsCurrent: Bool
    package let rowsCount: Int
    /// Scores and donations that wait for their commit to begin.
    package let pendingWritesCount: Int
    /// Nil while no stream is followed.
    package let lag: StreamLag?
    /// The age of the latest heartbeat that came back through the stream; nil while none has.
    package let timeSinceHeartbeat: Duration?

    package init(standings: InMemoryStandings, writeBatcher: WriteBatcher, follower: Follower?) {
        areStandingsCurrent = standings.areCurrent
        rowsCount = standings.rowsCount
        pendingWritesCount = writeBatcher.pendingWritesCount
        lag = follower?.streamLag
        timeSinceHeartbeat = follower?.timeSinceHeartbeat
    }
}
