import Domain
package import Storage

/// Everything that a process keeps in memory of its database. All of it is a copy and may be dropped at any time.
package struct LeaderboardMemory: Sendable {
    package let standings: InMemoryStandings
    let commitBarrier: CommitBarrier
    let summaries: PlayerSummaryCache
    let boardCache: BoardCache
    let callers: KnownCallers
    let histories = LongHistories()
    let sizes: BoardSizes
    let charities = CharityCache()
    let merged = MergedPlayers()
    let erased = ErasedPlayers()
    let pageReads = PageReads()
    let highScores = SingleFlight<HighScores>()
    /// Windows that SQL adds up. They take less than half of the connections for reading, so that the other reads go
    /// on.
    let ranges: AdmissionGate
    /// What players are told of themselves, on as many connections.
    let ownReads: PlayerGate

    /// - Parameter summaryBytes: About how many bytes the names and picture hashes of players may take.
    package init(store: Store, summaryBytes: Int = Limits.summaryMegabytes << 20) {
        standings = InMemoryStandings()
        commitBarrier = CommitBarrier(standings: standings)
        summaries = PlayerSummaryCache(store: store, bytes: summaryBytes)
        callers = KnownCallers { [freshness = standings.freshness] in freshness.isCurrent() }
        boardCache = BoardCache(store: store, freshness: standings.freshness)
        let connectionsMax = max(1, (store.readConnectionsMax - 1) / 2)
        ranges = AdmissionGate(
            runningMax: min(Limits.rangesMax, connectionsMax),
            waitingMax: Limits.rangesWaitingMax
        )
        ownReads = PlayerGate(runningMax: connectionsMax, waitingMax: Limits.ownReadsWaitingMax)
        sizes = BoardSizes(store: store, standings: standings, ranges: ranges)
    }
}
