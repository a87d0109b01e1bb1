/// How the moving parts of a process are.
package struct Health: Sendable {
    /// Ranks come from memory, and from SQL otherwise.
    package let areStandingsCurrent: Bool
    package let rowsCount: Int
    /// Scores and donations that wait for their commit to begin.
    package let waitingCount: Int
    /// Nil while no stream is followed.
    package let lag: StreamLag?

    package init(standings: InMemoryStandings, writeBatcher: WriteBatcher, lag: StreamLag?) {
        areStandingsCurrent = standings.areCurrent
        rowsCount = standings.rowsCount
        waitingCount = writeBatcher.waitingCount
        self.lag = lag
    }
}
