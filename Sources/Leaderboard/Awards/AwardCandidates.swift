import Concurrency
import Domain
import Storage
import Synchronization

/// Players whose awards may have changed, according to the replication stream: pairs of an award and a player whose row
/// changed, and players whose rows were corrected. It is bounded; when it overflows, a sweep checks all players.
final class AwardCandidates: Sendable {
    /// What is to be decided.
    struct Work: Sendable {
        /// Awards that players may have reached.
        var pairs: Set<AwardPair> = []
        /// Players whose rows were corrected, or who were merged.
        var players: Set<Int64> = []
        /// Boards of seasons that are over, on which rows have changed.
        var boards: Set<Board.ID> = []
        /// Awards for ranks in campaigns that have ended, or that are over and on whose days rows have changed.
        var contests: Set<Award.ID> = []
        /// Players who were hidden, or no longer are.
        var hidden: Set<Int64> = []

        var count: Int { pairs.count + players.count + boards.count + contests.count + hidden.count }
        var isEmpty: Bool { count == 0 }

        mutating func add(_ other: Work) {
            pairs.formUnion(other.pairs)
            players.formUnion(other.players)
            boards.formUnion(other.boards)
            contests.formUnion(other.contests)
            hidden.formUnion(other.hidden)
        }
    }

    private struct State {
        var conditions = AwardConditions()
        /// Nil until they are read.
        var contests: AwardContests?
        var isFollowing = false
        var work = Work()
        /// How often the conditions are still to be read: twice, because the stream may tell of a commit before other
        /// transactions see it.
        var conditionReads = 2
        /// Whether a sweep follows when they are known.
        var sweepsThen = true
        var needsSweep = false
    }

    private let state = Mutex(State())
    private let wakeup = AsyncSignal()
    private let sweepWakeup = AsyncSignal()

    /// Changes with the awards that games have.
    let version = LedgerVersion()

    /// How many wait.
    var count: Int { state.withLock { $0.work.count } }

    /// Whether the stream tells of changes.
    var isFollowing: Bool { state.withLock { $0.isFollowing } }

    // MARK: - The follower

    /// Begins to follow a stream, or ends it. What has changed in between is found by a sweep.
    func setFollowing(_ isFollowing: Bool) {
        state.withLock { state in
            state.isFollowing = isFollowing
            (state.conditionReads, state.sweepsThen) = (2, true)
        }
        wakeup.signal()
    }

    /// Compares what a commit changes with what awards ask for. It comes before the commit is applied to memory.
    func note(_ changes: CommittedChanges, before memory: LeaderboardMemory) {
        if changes.changesAwards { version.changed() }
        // A campaign over a season ends with it.
        let mayEndContests = changes.changesCampaigns || !changes.endedBoards.isEmpty
        if changes.changesAwards || changes.invalidatesBoards || mayEndContests {
            state.withLock { state in
                state.conditionReads = 2
                if changes.changesAwards { state.sweepsThen = true }
            }
            wakeup.signal()
        }
        let (conditions, contests, isKnown, isNew) = state.withLock { state in
            (state.isFollowing ? state.conditions : nil, state.contests, state.conditionReads == 0, state.sweepsThen)
        }
        guard let conditions, conditions.areAny || !isKnown else { return }
        var work = Work()
        for change in changes.rollups where change.row > 0 && work.count <= Limits.awardCandidatesMax {
            if !isKnown, isNew || conditions[change.board] == nil { work.players.insert(change.row) }
            Self.note(change, conditions, memory, in: &work)
            contests?.note(change, in: &work)
        }
        work.players.formUnion(changes.heldPlayers)
        work.players.formUnion(changes.donors)
        for merge in changes.merges {
            let former = memory.merged.survivor(of: Player.ID(rawValue: merge.player)).rawValue
            work.players.formUnion([merge.player, former])
            if let survivor = merge.survivor { work.players.insert(survivor) }
        }
        if conditions.hasRanks || !isKnown {
            work.boards.formUnion(changes.endedBoards)
            for player in changes.players where player.isHidden != memory.standings.isHidden(player.player) {
                work.hidden.insert(player.player)
            }
        }
        add(work)
    }

    private static func note(
        _ change: RollupChange, _ conditions: AwardConditions, _ memory: LeaderboardMemory, in work: inout Work
    ) {
        guard let board = conditions[change.board] else {
            // A board that is not known to be played has a season that is over, where rows change by corrections.
            if conditions.hasRanks, change.day == nil { work.boards.insert(change.board) }
            return
        }
        let player = Player.ID(rawValue: change.row)
        func add(_ awards: [Award.ID]) {
            for award in awards { work.pairs.insert(AwardPair(award: award, player: player)) }
        }
        if change.day != nil {
            if board.isDonationBoard, let old = change.old, old.points > change.new?.points ?? 0 {
                // Donations turn anonymous; what stops or starts counting otherwise is in the stream itself.
                work.players.insert(change.row)
            }
            guard let new = change.new else { return }
            if change.old == nil { add(board.newDay) }
            if !board.day.isEmpty { add(board.reached(board.day, from: change.old?.points, to: new.points)) }
        } else if let new = change.new, !(board.season.isEmpty && board.newRow.isEmpty) {
            var old: Int64?
            if case .at(let orderKey, _) = memory.standings.place(of: player, on: change.board) {
                old = board.lowestFirst ? orderKey : 0 &- orderKey
            }
            if old == nil { add(board.newRow) }
            add(board.reached(board.season, from: old, to: new.points))
        }
    }

    // MARK: - Who decides

    /// Adds what is to be decided, also what could not be.
    func add(_ work: Work) {
        if work.isEmpty { return }
        let isFull = state.withLock { state in
            state.work.add(work)
            guard state.work.count > Limits.awardCandidatesMax else { return false }
            state.work = Work()
            state.needsSweep = true
            return true
        }
        if isFull { sweepWakeup.signal() }
        wakeup.signal()
    }

    /// Waits until something is to be decided, or the conditions are to be read, or until the task is cancelled. Only
    /// one task may wait.
    func untilWork() async {
        while !Task.isCancelled, !state.withLock({ !$0.work.isEmpty || $0.conditionReads > 1 }) { await wakeup.wait() }
    }

    /// Takes everything that is to be decided.
    func take() -> Work {
        state.withLock { state in
            defer { state.work = Work() }
            return state.work
        }
    }

    /// How often the conditions are still to be read.
    var conditionReads: Int { state.withLock { $0.conditionReads } }

    /// The conditions were read.
    /// - Parameter reads: How often they were to be read before that.
    func set(_ conditions: AwardConditions, reads: Int) {
        let sweeps = state.withLock { state in
            state.conditions = conditions
            // They may have changed meanwhile.
            guard state.conditionReads == reads else { return false }
            state.conditionReads = max(0, reads - 1)
            guard state.conditionReads == 0, state.sweepsThen else { return false }
            (state.sweepsThen, state.needsSweep) = (false, true)
            return true
        }
        if sweeps { sweepWakeup.signal() }
    }

    /// Whether one of the campaigns that were not over has ended by a time.
    func hasEndedContest(by now: Instant) -> Bool { state.withLock { $0.contests?.hasEnded(by: now) ?? false } }

    /// The awards for ranks in campaigns were read. Those are decided that were not over before; when none were read
    /// before, a sweep follows.
    func set(_ contests: [AwardContest], now: Instant) {
        let read = AwardContests(contests, now: now)
        let ended = state.withLock { state in
            defer { state.contests = read }
            return state.contests.map { read.ended.subtracting($0.ended) } ?? []
        }
        add(Work(contests: ended))
    }

    /// Waits until a sweep is wanted, or until the task is cancelled. Only one task may wait.
    func untilSweep() async { while !Task.isCancelled, !state.withLock({ $0.needsSweep }) { await sweepWakeup.wait() } }

    func beginSweep() { state.withLock { $0.needsSweep = false } }

    func wantSweep() {
        state.withLock { $0.needsSweep = true }
        sweepWakeup.signal()
    }
}
