package import CoreMetrics
import Domain
package import Logging
import ServiceLifecycle
package import Storage

/// Gives and withdraws awards: at once where the stream tells of a change that matters, when a campaign ends, and by a
/// sweep over everybody at the start, after an award was made or changed, and daily. Every process does; the database
/// lets one decide at a time, and who comes second finds it done.
package final class AwardKeeper: Service {
    private let store: Store
    private let memory: LeaderboardMemory
    private let clock: ServerClock
    private let logger: Logger
    private let counters: (given: Counter, withdrawn: Counter, moved: Counter)
    private var candidates: AwardCandidates { memory.awards }

    package init(
        store: Store, memory: LeaderboardMemory, clock: ServerClock, logger: Logger,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        self.store = store
        self.memory = memory
        self.clock = clock
        self.logger = logger
        func counter(_ change: String) -> Counter {
            Counter(label: "awards_total", dimensions: [("change", change)], factory: metrics)
        }
        counters = (counter("given"), counter("withdrawn"), counter("moved"))
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.decide() }
                group.addTask { await self.sweep() }
                group.addTask { await self.wantSweeps() }
                group.addTask { await self.awaitContests() }
            }
        }
    }

    /// Asks for a sweep now and then, and more often while no stream tells of changes.
    private func wantSweeps() async {
        var turn = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Limits.awardSweepSecondsWithoutStream))
            turn += 1
            let isDue = turn % Limits.awardSweepDivisor == 0
            if isDue || !candidates.isFollowing { candidates.wantSweep() }
        }
    }

    /// Looks for campaigns that have ended: when one that is known does, and now and then.
    private func awaitContests() async {
        var turn = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            turn += 1
            guard turn >= Limits.awardContestSeconds || candidates.hasEndedContest(by: clock.now) else { continue }
            turn = 0
            // The store has logged why it failed.
            do throws(StoreError) { try await readContests() } catch {}
        }
    }

    private func readContests() async throws(StoreError) {
        candidates.set(try await store.awardContests(), now: clock.now)
    }

    // MARK: - Candidates

    /// Decides about candidates when the stream tells of them, and once more a moment later: the stream may tell of a
    /// commit before other transactions see it.
    private func decide() async {
        let clock = ContinuousClock()
        var again: [(at: ContinuousClock.Instant, work: AwardCandidates.Work)] = []
        var conditionsAt: ContinuousClock.Instant?
        while !Task.isCancelled {
            if again.isEmpty, conditionsAt == nil { await candidates.untilWork() }
            try? await Task.sleep(for: .milliseconds(Limits.awardPauseMilliseconds))
            if Task.isCancelled { return }
            do throws(StoreError) {
                let reads = candidates.conditionReads
                if reads > 1 || reads == 1 && conditionsAt.map({ $0 <= clock.now }) ?? true {
                    try await readConditions(reads)
                    conditionsAt = reads > 1 ? clock.now + .milliseconds(Limits.awardAgainMilliseconds) : nil
                }
                let fresh = candidates.take()
                var work = fresh
                while let first = again.first, first.at <= clock.now {
                    work.add(first.work)
                    again.removeFirst()
                }
                if !fresh.isEmpty { again.append((clock.now + .milliseconds(Limits.awardAgainMilliseconds), fresh)) }
                do throws(StoreError) { try await decide(work) } catch {
                    // What the database refuses once it refuses again.
                    if case .bug = error { candidates.wantSweep() } else { candidates.add(work) }
                    throw error
                }
            } catch {
                // The store has logged why.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func readConditions(_ reads: Int) async throws(StoreError) {
        let (conditions, boards, rules) = try await store.awardConditions()
        let known = AwardConditions(
            conditions, on: boards, hasRanks: rules.contains(.rank), areAny: rules.contains { $0 != .granted })
        try await readContests()
        candidates.set(known, reads: reads)
    }

    private func decide(_ work: AwardCandidates.Work) async throws(StoreError) {
        try await reconcile(Array(work.pairs), onlyMissing: true)
        let players = work.players.filter { $0 > 0 }.map { Player.ID(rawValue: $0) }
        for some in players.slices(of: Limits.awardPlayersAtOnce) {
            try await reconcile(store.awardPairs(of: Array(some)), onlyMissing: false)
        }
        let hidden = work.hidden.map { Player.ID(rawValue: $0) }
        for some in hidden.slices(of: Limits.awardPlayersAtOnce) {
            for occasion in try await store.awardOccasions(of: Array(some), now: clock.now) {
                try await reconcile(occasion)
            }
        }
        for award in work.contests { try await reconcile(AwardOccasion(award: award, board: nil)) }
        for some in Array(work.boards).slices(of: Limits.awardPlayersAtOnce) {
            for season in try await store.awardSeasons(on: Array(some)) { try await reconcile(season) }
        }
    }

    private func reconcile(_ pairs: [AwardPair], onlyMissing: Bool) async throws(StoreError) {
        // The scores of a player are read once for all of its awards in one statement.
        let ordered = pairs.sorted { ($0.player, $0.award) < ($1.player, $1.award) }
        for some in ordered.slices(of: Limits.awardPairsMax) { try await reconcile(some, onlyMissing: onlyMissing) }
    }

    /// Decides about some pairs, in halves where all of them take too long.
    private func reconcile(_ pairs: ArraySlice<AwardPair>, onlyMissing: Bool) async throws(StoreError) {
        do throws(StoreError) { note(try await store.reconcileAwards(Array(pairs), onlyMissing: onlyMissing)) } catch {
            guard error == .overloaded, pairs.count > 1, !Task.isCancelled else { throw error }
            let half = pairs.count / 2
            try await reconcile(pairs.prefix(half), onlyMissing: onlyMissing)
            try await reconcile(pairs.dropFirst(half), onlyMissing: onlyMissing)
        }
    }

    private func reconcile(_ occasion: AwardOccasion) async throws(StoreError) {
        var hasMore = true
        while hasMore, !Task.isCancelled {
            let changes: AwardChanges
            (changes, hasMore) = try await store.reconcileRanks(occasion, now: clock.now)
            note(changes)
        }
    }

    private func note(_ changes: AwardChanges) {
        if changes.given > 0 { counters.given.increment(by: changes.given) }
        if changes.withdrawn > 0 { counters.withdrawn.increment(by: changes.withdrawn) }
        if changes.moved > 0 { counters.moved.increment(by: changes.moved) }
    }

    // MARK: - Sweeps

    private func sweep() async {
        while !Task.isCancelled {
            await candidates.untilSweep()
            // Several awards are often made at once.
            try? await Task.sleep(for: .seconds(1))
            if Task.isCancelled { return }
            candidates.beginSweep()
            do throws(StoreError) { try await sweepAll() } catch {
                candidates.wantSweep()
                try? await Task.sleep(for: .seconds(Limits.awardSweepRetrySeconds))
            }
        }
    }

    /// Checks every board, season and campaign with awards, and all players who have an award and whose rows were
    /// corrected.
    package func sweepAll() async throws(StoreError) {
        var board: Board.ID? = Board.ID(rawValue: 0)
        while let after = board {
            let boards = try await store.awardBoards(after: after)
            for board in boards { try await sweep(board) }
            board = boards.last
        }
        var holder: Player.ID? = Player.ID(rawValue: 0)
        while let after = holder {
            let (players, last) = try await store.awardHoldersCorrected(after: after)
            for some in players.slices(of: Limits.awardPlayersAtOnce) {
                try await reconcile(store.awardPairs(of: Array(some)), onlyMissing: false)
                await pause()
            }
            holder = last
        }
        var occasion: AwardOccasion?
        repeat {
            let occasions = try await store.awardOccasions(after: occasion, now: clock.now)
            for occasion in occasions {
                try await reconcile(occasion)
                await pause()
            }
            occasion = occasions.last
        } while occasion != nil && !Task.isCancelled
    }

    private func sweep(_ board: Board.ID) async throws(StoreError) {
        // Anonymous donations have negative ids.
        var player: Int64? = 0
        while let after = player, !Task.isCancelled {
            let (pairs, last) = try await store.awardsDue(on: board, after: after)
            for some in pairs.slices(of: Limits.awardPairsMax) {
                try await reconcile(some, onlyMissing: true)
                await pause()
            }
            player = last
        }
    }

    private func pause() async { try? await Task.sleep(for: .milliseconds(Limits.awardSweepPauseMilliseconds)) }
}
