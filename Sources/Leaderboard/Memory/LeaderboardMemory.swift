import Domain
package import Storage

/// Everything that a process keeps in memory of its database. All of it is a copy and may be dropped at any time.
package struct LeaderboardMemory: Sendable {
    package let standings: InMemoryStandings
    let commitBarrier: CommitBarrier
    let summaries: PlayerSummaryCache
    let boardCache: BoardCache
    let sizes: BoardSizes
    let charities = CharityCache()

    /// - Parameter summaryBytes: About how many bytes the names and picture hashes of players may take.
    package init(store: Store, summaryBytes: Int = Limits.summaryMegabytes << 20) {
        standings = InMemoryStandings()
        commitBarrier = CommitBarrier(standings: standings)
        summaries = PlayerSummaryCache(store: store, bytes: summaryBytes)
        boardCache = BoardCache(store: store)
        sizes = BoardSizes(store: store, standings: standings)
    }
}
