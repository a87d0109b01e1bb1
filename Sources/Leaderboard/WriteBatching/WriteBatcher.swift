package import Domain
import ServiceLifecycle
import OrderStatistics
package import Storage
import Synchronization

/// Takes scores and donations in (group commit): what arrives while a commit is under way is committed together by the
/// next one, so an idle server adds no wait and a busy one shares its commits. Nothing is acknowledged before its
/// commit.
package final class WriteBatcher: Service {
    /// A receipt, and where the player stands now.
    package struct Recorded<Receipt: Sendable>: Sendable {
        package let receipt: Receipt
        /// Nil when the ledger is ahead of the standings, and counting would make others wait.
        package let currentRank: CurrentRank?
    }

    /// Where a player stands now.
    package struct CurrentRank: Sendable, Equatable {
        /// As it is displayed; nil without a row on the board, and for a hidden player.
        package let rank: Int64?
        /// How many are ranked in all; nil when nobody asked.
        package let size: Int64?
    }

    private let store: Store
    private let clock: ServerClock
    private let sizes: BoardSizes
    private let standings: InMemoryStandings
    /// How many ranks of posts SQL is counting.
    private let counting = Mutex(0)
    private let workers: [CommitWorker]

    /// - Parameter workersCount: How many commits are under way at once, at most; a caller's writes go through one of
    ///   them, in their order. Fewer make larger batches, which cost less.
    package init(store: Store, clock: ServerClock, memory: LeaderboardMemory, workersCount: Int) {
        self.store = store
        self.clock = clock
        sizes = memory.sizes
        standings = memory.standings
        workers = (0..<max(workersCount, 1)).map { _ in
            CommitWorker(store: store, clock: clock, commitBarrier: memory.commitBarrier)
        }
    }

    /// Writes that wait for their commit to begin.
    var waitingCount: Int { workers.reduce(0) { $0 + $1.waitingCount } }

    /// Commits what comes in, until it is told to stop and everything is answered.
    package func run() async {
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                for worker in workers { group.addTask { await worker.run() } }
            }
        } onGracefulShutdown: {
            for worker in self.workers { worker.close() }
        }
    }

    /// Records a score. Whoever gives up waiting leaves the row in its batch.
    /// - Parameters:
    ///   - includesTotal: Whether the answer says how many are ranked in all.
    ///   - score: Made for the time of its arrival.
    /// - Throws: `overloaded` at once when too many wait, or wait for too long; nothing is recorded then.
    package func record(
        includesTotal: Bool,
        _ score: (Instant) -> NewScore
    ) async throws -> Recorded<ScoreReceipt> {
        let score = score(clock.arrival())
        let receipt = try await worker(of: score.caller).receipt(of: score)
        guard receipt.outcome == .recorded || receipt.outcome == .retry else {
            return Recorded(receipt: receipt, currentRank: nil)
        }
        return try await posted(
            receipt,
            row: receipt.player?.rawValue,
            on: receipt.board,
            ties: receipt.ties,
            includesTotal: includesTotal
        )
    }

    /// Records a donation, as ``record(includesTotal:_:)`` a score. The rank is that on the charity's giving board.
    /// - Parameter donation: Made for the time of its arrival.
    package func donate(_ donation: (Instant) -> NewDonation) async throws -> Recorded<DonationReceipt> {
        let donation = donation(clock.arrival())
        let receipt = try await worker(of: donation.caller).receipt(of: donation)
        guard receipt.outcome == .recorded || receipt.outcome == .retry else {
            return Recorded(receipt: receipt, currentRank: nil)
        }
        return try await posted(
            receipt,
            row: receipt.row,
            on: receipt.board,
            ties: receipt.ties,
            includesTotal: false
        )
    }

    /// Registers a device that is not known yet by its first score, both or neither.
    package func recordFirstClassic(
        points: Int64,
        on board: Slug,
        in game: Game,
        by device: DeviceHash,
        name: PlayerName,
        source: String
    ) async throws(StoreError) -> FirstPost {
        try await store.registerAndRecord(
            Registration(name: name, source: source),
            device: device,
            in: game,
            now: clock.now
        ) { player in
            NewScore(
                points,
                by: .player(player),
                on: board,
                in: game.slug,
                id: nil,
                name: name,
                isClassic: true,
                reachedAt: clock.arrival()
            )
        }
    }

    /// Where a row stands now.
    /// - Parameters:
    ///   - row: Nil when there is none.
    ///   - board: Nil when there is none.
    package func currentRank(
        ofRow row: Int64?,
        on board: Board.ID?,
        ties: Board.Ties?,
        includesTotal: Bool
    ) async throws -> CurrentRank {
        guard let row, let board, let ties else { return CurrentRank(rank: nil, size: nil) }
        if let rank = rankInMemory(ofRow: row, on: board, ties: ties, includesTotal: includesTotal) { return rank }
        let position = try await store.rankPositions(of: [row], on: board, days: nil).first?.rankPosition
        return CurrentRank(
            rank: position?.rank(ties).number,
            size: includesTotal ? try await sizes.count(board) : nil
        )
    }

    /// - Returns: Nil while the board's standings are not in memory, or not current.
    private func rankInMemory(
        ofRow row: Int64,
        on board: Board.ID,
        ties: Board.Ties,
        includesTotal: Bool
    ) -> CurrentRank? {
        standings.read(board) { set in
            let rank = set.rankedPosition(of: row).map { position in
                Ranks.number(
                    position: Int64(position.position) + 1,
                    sharedPosition: Int64(position.better) + 1,
                    ties: ties
                )
            }
            return CurrentRank(rank: rank, size: includesTotal ? Int64(set.count) : nil)
        }
    }

    /// Adds where a row stands that was posted just now. A post never waits for long to be told its rank: it is
    /// recorded.
    private func posted<Receipt>(
        _ receipt: Receipt,
        row: Int64?,
        on board: Board.ID?,
        ties: Board.Ties?,
        includesTotal: Bool
    ) async throws -> Recorded<Receipt> {
        if let row, let board, let ties,
            let rank = rankInMemory(ofRow: row, on: board, ties: ties, includesTotal: includesTotal)
        {
            return Recorded(receipt: receipt, currentRank: rank)
        }
        let mayCount = counting.withLock { count in
            guard count < Limits.ranksCountedMax else { return false }
            count += 1
            return true
        }
        guard mayCount else { return Recorded(receipt: receipt, currentRank: nil) }
        defer { counting.withLock { $0 -= 1 } }
        let rank = try? await currentRank(ofRow: row, on: board, ties: ties, includesTotal: includesTotal)
        return Recorded(receipt: receipt, currentRank: rank)
    }

    private func worker(of caller: Caller) -> CommitWorker {
        workers[Int(UInt(bitPattern: caller.hashValue) % UInt(workers.count))]
    }
}
