/// The state of this process's standings, write batching and stream, for the metrics.
package struct Health: Sendable {
    /// True while ranks come from memory; otherwise they come from SQL.
    package let areStandingsCurrent: Bool
    package let rowsCount: Int
    /// Scores and donations that wait for their commit to begin.
    package let pendingWritesCount: Int
    /// For how long the oldest commit that is under way has been.
    package let oldestCommitAge: Duration
    /// Whether the latest commit failed, as on a full disk, where the database answers and takes nothing.
    package let areCommitsFailing: Bool
    /// Boards and windows in memory.
    package let windowsCount: Int
    /// Players whose names are in memory, and about how many bytes they take.
    package let names: (count: Int, bytes: Int)
    /// Approximate bytes of the cache of players' friends.
    package let tieBytes: Int
    /// Rankings of teams in memory.
    package let teamWindowsCount: Int
    /// Awards and players about which it is to be decided.
    package let awardCandidatesCount: Int
    /// Nil while no stream is followed.
    package let lag: StreamLag?
    /// The age of the latest heartbeat that came back through the stream; nil while none has.
    package let timeSinceHeartbeat: Duration?

    package init(memory: LeaderboardMemory, writeBatcher: WriteBatcher, follower: Follower?) {
        let standings = memory.standings
        areStandingsCurrent = standings.areCurrent
        rowsCount = standings.rowsCount
        pendingWritesCount = writeBatcher.pendingWritesCount
        oldestCommitAge = writeBatcher.oldestCommitAge
        areCommitsFailing = writeBatcher.areCommitsFailing
        windowsCount = standings.windowsCount
        names = memory.summaries.size
        tieBytes = memory.ties.bytesCount
        teamWindowsCount = memory.teams.windowsCount
        awardCandidatesCount = memory.awards.count
        lag = follower?.streamLag
        timeSinceHeartbeat = follower?.timeSinceHeartbeat
    }
}
