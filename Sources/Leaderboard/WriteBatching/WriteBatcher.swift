import Concurrency
package import Domain
import ServiceLifecycle
import OrderStatistics
package import Storage

/// Commits scores and donations in batches (group commit). The writes that arrive during a commit go with the next one,
/// so an idle server adds no wait and a busy one shares its commits. Nothing is acknowledged before its commit.
package final class WriteBatcher: Service {
    /// A receipt, with the player's current rank.
    package struct Recorded<Receipt: Sendable>: Sendable {
        package let receipt: Receipt
        /// Nil when nothing was recorded, and while the standings are behind the ledger and SQL counts too many ranks
        /// or fails.
        package let currentRank: CurrentRank?
    }

    /// The current rank of a player.
    package struct CurrentRank: Sendable, Equatable {
        /// The displayed rank; nil when the player has no row on the board, or is hidden.
        package let rank: Int64?
        /// The number of ranked rows in all; nil when it was not asked for.
        package let size: Int64?
    }

    let store: Store
    let clock: ServerClock
    private let sizes: BoardSizes
    let standings: InMemoryStandings
    let ties: PlayerCache<MemberSet>
    let holds: PlayerCache<HeldScores>
    let commitBarrier: CommitBarrier
    /// Limits the posts whose ranks SQL computes. None waits.
    private let counting = FairGate<ClientKey>(
        GateBounds(
            runningMax: Limits.ranksCountedMax, runningOfKeyMax: Limits.ranksOfClientCountedMax, waitingMax: 0,
            waitingOfKeyMax: 0))
    private let workers: [CommitWorker]
    private let patientWorkers: PatientWorkers
    private let memory: BatchMemory
    let gates: ChangeGates

    /// - Parameters:
    ///   - workersCount: The most commits under way at the same time. The writes of one caller go through one worker,
    ///     in order, except slow writes and donations to charities with a cap. Fewer workers make larger batches, which
    ///     cost less.
    ///   - meters: What is measured of the writes.
    package init(
        store: Store, clock: ServerClock, memory: LeaderboardMemory, workersCount: Int,
        meters: WriteMeters = WriteMeters()
    ) {
        self.store = store
        self.clock = clock
        sizes = memory.sizes
        standings = memory.standings
        ties = memory.ties
        holds = memory.holds
        commitBarrier = memory.commitBarrier
        gates = ChangeGates(runningMax: store.changesAtOnceMax)
        self.memory = memory.batches
        typealias Bounds = WriteQueue<PendingWrite>.Bounds
        func worker(_ bounds: Bounds = Bounds(), patient: PatientWorkers? = nil) -> CommitWorker {
            CommitWorker(
                store: store, clock: clock, commitBarrier: memory.commitBarrier, callers: memory.callers,
                histories: memory.histories, memory: memory.batches, meters: meters, bounds: bounds, patient: patient)
        }
        let patient = PatientWorkers(long: worker(.ofLongWrites), capped: worker())
        patientWorkers = patient
        workers = (0..<max(workersCount, 1)).map { _ in worker(patient: patient) }
    }

    private var allWorkers: [CommitWorker] { workers + patientWorkers.all }

    /// Writes that wait for their commit to begin.
    var pendingWritesCount: Int { allWorkers.reduce(0) { $0 + $1.pendingWritesCount } }

    /// For how long the oldest commit that is under way has been; zero when there is none.
    var oldestCommitAge: Duration {
        let since = allWorkers.compactMap(\.committingSince).min()
        return since.map { max(.zero, .now - $0) } ?? .zero
    }

    /// Whether the latest commit of a worker failed. Those for slow writes do not count, because they may have nothing
    /// else to commit for hours.
    var areCommitsFailing: Bool { workers.contains(where: \.hasFailed) }

    /// Commits writes until graceful shutdown, and answers everything that was admitted before it returns.
    package func run() async {
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                for worker in patientWorkers.all {
                    group.addTask(executorPreference: store.ledgerExecutor) { await worker.run() }
                }
                await withTaskGroup { group in
                    for worker in workers {
                        group.addTask(executorPreference: store.ledgerExecutor) { await worker.run() }
                    }
                }
                // The patient workers accept deferred writes until all other workers have ended.
                for worker in patientWorkers.all { worker.close() }
            }
        } onGracefulShutdown: {
            for worker in self.workers { worker.close() }
        }
    }

    /// Records a score. A caller that is cancelled leaves its row in the batch.
    /// - Parameters:
    ///   - includesTotal: Whether the answer says how many rows are ranked in all.
    ///   - score: Makes the score for its time of arrival.
    /// - Throws: `overloaded` at once, with nothing recorded, when too many writes wait or have waited for too long.
    package func record(includesTotal: Bool, _ score: (Instant) -> NewScore) async throws -> Recorded<ScoreReceipt> {
        let score = score(clock.arrival())
        let receipt = try await worker(of: score.caller).receipt(of: score)
        if receipt.outcome == .recorded, score.isOnClassicBoard { standings.bestPosts.acknowledged() }
        guard receipt.outcome == .recorded || receipt.outcome == .retry else {
            return Recorded(receipt: receipt, currentRank: nil)
        }
        // A read after the stream brought the score and before SQL showed it may have found nothing held.
        if receipt.own != nil, let player = receipt.player { holds.forget([player.rawValue]) }
        return try await posted(
            receipt, row: receipt.player?.rawValue, own: receipt.own, on: receipt.board, ties: receipt.ties,
            includesTotal: includesTotal)
    }

    /// Records a donation, like ``record(includesTotal:_:)``. The rank is the one on the charity's donation board.
    /// - Parameter donation: Makes the donation for its time of arrival.
    package func donate(_ donation: (Instant) -> NewDonation) async throws -> Recorded<DonationReceipt> {
        let donation = donation(clock.arrival())
        // If memory does not know the cap, the worker that finds it passes the donation on to the worker for caps.
        let worker = memory.isCapped(donation.charity) ? patientWorkers.capped : worker(of: donation.caller)
        let receipt = try await worker.receipt(of: donation)
        // A refusal and a retry change nothing that was read of the charities.
        if receipt.outcome == .recorded { standings.noteDonation() }
        guard receipt.outcome == .recorded || receipt.outcome == .retry else {
            return Recorded(receipt: receipt, currentRank: nil)
        }
        return try await posted(receipt, row: receipt.row, on: receipt.board, ties: receipt.ties, includesTotal: false)
    }

    /// Registers an unknown device together with its first score, in one transaction.
    package func recordFirstClassic(
        points: Int64, on board: Slug, in game: Game, by device: DeviceHash, name: PlayerName, source: String
    ) async throws(StoreError) -> FirstPost {
        let marker = commitBarrier.issue()
        do throws(StoreError) {
            let post = try await store.registerAndRecord(
                Registration(name: name, source: source), device: device, in: game, marker: marker?.text, now: clock.now
            ) { player in
                NewScore(
                    points, by: .player(player), on: board, in: game.slug, id: nil, name: name, isClassic: true,
                    reachedAt: clock.arrival())
            }
            if case .recorded = post {
                await commitBarrier.seen(marker)
                standings.bestPosts.acknowledged()
            } else {
                commitBarrier.forget(marker)
            }
            return post
        } catch {
            commitBarrier.forget(marker)
            throw error
        }
    }

    /// The current rank of a row.
    /// - Parameters:
    ///   - row: Nil when the player has no row.
    ///   - own: The place that only the player is told, where it is another one.
    ///   - board: Nil when there is no board.
    package func currentRank(
        ofRow row: Int64?, own: SortKey? = nil, on board: Board.ID?, ties: Board.Ties?, includesTotal: Bool
    ) async throws -> CurrentRank {
        guard let row, let board, let ties else { return CurrentRank(rank: nil, size: nil) }
        if let rank = rankInMemory(ofRow: row, own: own, on: board, ties: ties, includesTotal: includesTotal) {
            return rank
        }
        if let own {
            // The order of points makes no difference to the rank.
            let found = try await store.findOwnPosition(of: own, on: board, lowestFirst: true, days: nil)
            if let found {
                return CurrentRank(rank: found.position.rank(ties).number, size: includesTotal ? found.size : nil)
            }
        }
        let position = try await store.rankPositions(of: [row], on: board, days: nil).first?.rankPosition
        return CurrentRank(rank: position?.rank(ties).number, size: includesTotal ? try await sizes.count(board) : nil)
    }

    /// - Returns: Nil while the board's standings are not in memory or not current.
    private func rankInMemory(
        ofRow row: Int64, own: SortKey?, on board: Board.ID, ties: Board.Ties, includesTotal: Bool
    ) -> CurrentRank? {
        standings.read(board) { set in
            // Whoever is hidden has no rank, whatever it is told of its points.
            let own = own.flatMap { standings.isHidden($0.row) ? nil : $0 }
            let isBeside = own != nil && set.find(row) == nil
            let ranked = own.map { set.rankedPosition(placing: RankedRow($0)) } ?? set.rankedPosition(of: row)
            let rank = ranked.map { position in
                Ranks.number(
                    position: Int64(position.position) + 1, sharedPosition: Int64(position.better) + 1, ties: ties)
            }
            return CurrentRank(rank: rank, size: includesTotal ? Int64(set.count) + (isBeside ? 1 : 0) : nil)
        }
    }

    /// Adds the current rank to a receipt. The write is recorded, so a missing rank fails nothing, and a busy database
    /// is not asked for it.
    private func posted<Receipt>(
        _ receipt: Receipt, row: Int64?, own: SortKey? = nil, on board: Board.ID?, ties: Board.Ties?,
        includesTotal: Bool
    ) async throws -> Recorded<Receipt> {
        if let row, let board, let ties,
            let rank = rankInMemory(ofRow: row, own: own, on: board, ties: ties, includesTotal: includesTotal)
        {
            return Recorded(receipt: receipt, currentRank: rank)
        }
        guard case .granted(let client) = await counting.enter(.current) else {
            return Recorded(receipt: receipt, currentRank: nil)
        }
        defer { counting.leave(client) }
        let rank = try? await currentRank(ofRow: row, own: own, on: board, ties: ties, includesTotal: includesTotal)
        return Recorded(receipt: receipt, currentRank: rank)
    }

    private func worker(of caller: Caller) -> CommitWorker {
        workers[Int(UInt(bitPattern: caller.withoutClaims.hashValue) % UInt(workers.count))]
    }
}
