import Concurrency
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
    let batches: BatchMemory
    let sizes: BoardSizes
    let charities = CharityCache()
    let merged = MergedPlayers()
    let erased = ErasedPlayers()
    package let ties: PlayerCache<MemberSet>
    /// Whether scores of a player are held, or voided without telling.
    let holds: PlayerCache<HeldScores>
    let teams = TeamStandings()
    let awards = AwardCandidates()
    let campaigns = CampaignCache()
    let pageReads = PageReads()
    let highScores = SingleFlight<(highScores: HighScores, validator: CacheValidator?)>()
    /// Windows that SQL adds up. They take less than half of the connections for reading, so that the other reads go
    /// on.
    let ranges: FairGate<ClientKey>
    /// What players are told of themselves, on as many connections.
    let ownReads: OwnGate<Player.ID>

    /// - Parameters:
    ///   - summaryBytes: Approximate limit for players' names and picture hashes.
    ///   - tieBytes: Approximate limit for players' friends.
    package init(
        store: Store, summaryBytes: Int = Limits.summaryMegabytes << 20, tieBytes: Int = Limits.tieMegabytes << 20
    ) {
        standings = InMemoryStandings()
        commitBarrier = CommitBarrier(standings: standings)
        summaries = PlayerSummaryCache(store: store, bytes: summaryBytes)
        ties = PlayerCache(bytes: tieBytes)
        holds = PlayerCache(bytes: Limits.heldScoresMegabytes << 20)
        callers = KnownCallers { [freshness = standings.freshness] in freshness.isCurrent() }
        batches = BatchMemory { [standings] board, player in standings.place(of: player, on: board) }
        boardCache = BoardCache(store: store, freshness: standings.freshness, batches: batches)
        let connectionsMax = max(1, (store.readConnectionsMax - 1) / 2)
        ranges = FairGate(
            GateBounds(
                runningMax: min(Limits.rangesMax, connectionsMax), runningOfKeyMax: Limits.rangesOfClientMax,
                waitingMax: Limits.rangesWaitingMax, waitingOfKeyMax: Limits.rangesOfClientWaitingMax))
        ownReads = OwnGate(
            GateBounds(
                runningMax: connectionsMax, runningOfKeyMax: max(1, connectionsMax / 2),
                waitingMax: Limits.ownReadsWaitingMax, waitingOfKeyMax: Limits.ownReadsOfClientWaitingMax))
        sizes = BoardSizes(store: store, standings: standings, ranges: ranges)
    }
}
