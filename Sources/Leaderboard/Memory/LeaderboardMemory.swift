import Domain
package import Storage

/// What a process keeps in memory of its database: all of it may be lost at any time, and nothing is lost with it.
package struct LeaderboardMemory: Sendable {
    package let standings: InMemoryStandings
    let commitBarrier: CommitBarrier
    let summaries: PlayerSummaryCache
    let boardCache: BoardCache
    let sizes: BoardSizes
    let charities = CharityCache()

    /// - Parameter faceBytes: What players' names and pictures' hashes may take, about.
    package init(store: Store, summaryBytes: Int = Limits.summaryMegabytes << 20) {
        standings = InMemoryStandings()
        commitBarrier = CommitBarrier(standings: standings)
        summaries = PlayerSummaryCache(store: store, bytes: summaryBytes)
        boardCache = BoardCache(store: store)
        sizes = BoardSizes(store: store, standings: standings)
    }
}
