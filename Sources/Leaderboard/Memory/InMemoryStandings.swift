package import Domain
package import OrderStatistics
import Storage
import Synchronization

/// The standings of this process: a memory of what the database ranks, kept by the stream. It may be lost at any time
/// and nothing is lost with it; while it is not there, or not up to date, ranks come from SQL.
package final class InMemoryStandings: Sendable {
    fileprivate struct Registry {
        var sets: [InMemoryWindow.ID: InMemoryWindow] = [:]
        /// The windows of each board, for changes of days.
        var windows: [Board.ID: [InMemoryWindow]] = [:]
        /// Asked for, and not loaded yet.
        var wanted: [InMemoryWindow.ID] = []
        /// Past windows that somebody has asked for once, and when.
        var askedOnce: [InMemoryWindow.ID: Int64] = [:]
        var hidden: Set<Int64> = []
        /// Boards of those who give.
        var giving: Set<Board.ID> = []
        /// Where a stream is followed: sets can be had.
        var isFollowing = false
    }

    private let registry = Mutex(Registry())
    private let isCurrent = Atomic(false)
    private let seconds = Atomic<Int64>(0)
    private let givingCount = Atomic<UInt64>(0)
    /// Signals when something is wanted, and when the stream is lost.
    private let wakeup = AsyncSignal()

    package init() {}

    // MARK: - Readers

    /// Lends the rows of a board, in one state.
    /// - Parameters:
    ///   - days: Nil for all time of the season.
    ///   - body: Gets the rows, and a number that grows with every change of them. It must not wait.
    /// - Returns: Nil while they are not in memory: then SQL knows. They are loaded for the next who asks.
    package func read<T>(
        _ board: Board,
        days: ClosedRange<Day>?,
        _ body: (borrowing RankedSet, _ version: UInt64) -> T
    ) -> T? {
        set(of: board, days: days)?.read(body)
    }

    /// The same for all time of a season, when only its id is known; nothing is loaded for it.
    package func read<T>(_ board: Board.ID, _ body: (borrowing RankedSet) -> T) -> T? {
        guard areCurrent else { return nil }
        let set = registry.withLock { $0.sets[InMemoryWindow.ID(board: board, days: nil)] }
        return set?.read { rows, _ in body(rows) }
    }

    /// Everything that was committed before a question is in its answer.
    var areCurrent: Bool { isCurrent.load(ordering: .acquiring) }

    /// Grows with every donation that is committed.
    var givingVersion: UInt64 { givingCount.load(ordering: .acquiring) }

    /// The rows of a board, to be asked for their version; nil while they are not in memory.
    func set(of board: Board, days: ClosedRange<Day>?) -> InMemoryWindow? {
        guard areCurrent else { return nil }
        let id = InMemoryWindow.ID(board: board.id, days: days)
        let now = seconds.load(ordering: .relaxed)
        var isWanted = false
        let set = registry.withLock { registry -> InMemoryWindow? in
            if let set = registry.sets[id] { return set }
            guard registry.isFollowing, registry.wanted.count < Limits.windowsMax else { return nil }
            // A past window is worth its memory for those who come back.
            if let days, !days.contains(board.today), !registry.isAskedAgain(id, at: now) { return nil }
            // From now on the stream's changes are kept for it, and only then are its rows read.
            _ = registry.add(id, rule: WindowRule(policy: board.policy, lowestFirst: board.lowestFirst), at: now)
            registry.wanted.append(id)
            isWanted = true
            return nil
        }
        if isWanted { wakeup.signal() }
        if days != nil { set?.touch(at: now) }
        return set
    }

    // MARK: - The follower

    /// Begins to follow, with nothing loaded yet.
    func begin(hidden: Set<Int64>) {
        registry.withLock { registry in
            registry.reset()
            registry.hidden = hidden
            registry.isFollowing = true
        }
    }

    /// Forgets everything: the stream is lost.
    func end() {
        isCurrent.store(false, ordering: .releasing)
        registry.withLock { $0.reset() }
        wakeup.signal()
    }

    /// Says whether what was committed before now has been applied.
    func setCurrent(_ current: Bool) {
        isCurrent.store(current, ordering: .releasing)
    }

    /// All time of a board's season, to be loaded by the caller.
    func prepare(_ board: FollowedBoard) -> InMemoryWindow {
        registry.withLock { registry in
            if board.isGiving { registry.giving.insert(board.id) }
            return registry.add(
                InMemoryWindow.ID(board: board.id, days: nil),
                rule: WindowRule(policy: board.policy, lowestFirst: board.lowestFirst),
                at: 0
            )
        }
    }

    /// A board that has come to be: nobody has played on it.
    func add(_ board: FollowedBoard) {
        install(RankedSet(), in: prepare(board), readAt: 0)
    }

    /// Gives a set the rows that were read for it.
    /// - Parameter position: Where the log stood when they were read.
    func install(_ rows: consuming RankedSet, in set: InMemoryWindow, readAt position: UInt64) {
        var rows: RankedSet? = rows
        // The follower changes who is hidden under the same lock, so that no change falls between.
        registry.withLock { registry in
            if let rows = rows.take() { set.install(rows, readAt: position, hidden: registry.hidden) }
        }
    }

    /// Whether a stream is followed; then sets are loaded when they are asked for.
    var areFollowed: Bool { registry.withLock { $0.isFollowing } }

    /// Waits for sets that somebody has asked for.
    /// - Returns: None when the task is cancelled.
    func wanted() async -> [InMemoryWindow] {
        while !Task.isCancelled {
            let sets = registry.withLock { registry -> [InMemoryWindow]? in
                guard !registry.wanted.isEmpty else { return nil }
                defer { registry.wanted = [] }
                return registry.wanted.compactMap { registry.sets[$0] }
            }
            if let sets { return sets }
            await wakeup.wait()
        }
        return []
    }

    /// Gives up a set that could not be loaded; who asks again has it tried again.
    func drop(_ set: InMemoryWindow) {
        registry.withLock { $0.remove(set.id) }
    }

    /// Applies what one commit changed, each set at once.
    func apply(_ changes: [RollupChange], committedAt position: UInt64) {
        if changes.isEmpty { return }
        let (targets, hidden, isGiving) = registry.withLock { registry in
            (registry.targets(of: changes), registry.hidden, changes.contains { registry.giving.contains($0.board) })
        }
        defer { if isGiving { givingCount.wrappingAdd(1, ordering: .acquiringAndReleasing) } }
        for (set, changes) in targets
        where !set.apply(changes, committedAt: position, isHidden: { hidden.contains(abs($0)) }) {
            drop(set)
        }
    }

    func setHidden(_ player: Int64, _ isHidden: Bool) {
        let sets = registry.withLock { registry -> [InMemoryWindow] in
            let changed = isHidden ? registry.hidden.insert(player).inserted : registry.hidden.remove(player) != nil
            return changed ? Array(registry.sets.values) : []
        }
        for set in sets { set.setHidden(player, isHidden) }
    }

    /// Drops windows that nobody asks for any more, and the longest unasked of too many.
    /// - Parameter now: Seconds of a clock that goes on.
    func tidy(at now: Int64) {
        seconds.store(now, ordering: .relaxed)
        registry.withLock { registry in
            let windows = registry.windows.values.flatMap { $0 }.sorted { $0.lastAsked > $1.lastAsked }
            var rowsCount = 0
            for (index, set) in windows.enumerated() {
                rowsCount += set.read { rows, _ in rows.count } ?? 0
                if index >= Limits.windowsMax || (index > 0 && rowsCount > Limits.windowRowsMax)
                    || now - set.lastAsked > Limits.windowSecondsMax
                {
                    registry.remove(set.id)
                }
            }
        }
    }

    /// How many rows are ranked, in all boards and windows.
    package var rowsCount: Int {
        registry.withLock { Array($0.sets.values) }.reduce(0) { $0 + ($1.read { set, _ in set.count } ?? 0) }
    }
}

extension InMemoryStandings.Registry {
    fileprivate mutating func reset() {
        for set in sets.values { set.retire() }
        giving = []
        sets = [:]
        windows = [:]
        wanted = []
        askedOnce = [:]
        hidden = []
        isFollowing = false
    }

    fileprivate mutating func isAskedAgain(_ id: InMemoryWindow.ID, at seconds: Int64) -> Bool {
        if let before = askedOnce.removeValue(forKey: id), seconds - before <= Limits.windowSecondsMax { return true }
        if askedOnce.count >= Limits.windowsMax { askedOnce = [:] }
        askedOnce[id] = seconds
        return false
    }

    fileprivate mutating func add(_ id: InMemoryWindow.ID, rule: WindowRule, at seconds: Int64) -> InMemoryWindow {
        let set = InMemoryWindow(id, rule: rule, askedAt: seconds)
        sets[id] = set
        if id.days != nil { windows[id.board, default: []].append(set) }
        return set
    }

    fileprivate mutating func remove(_ id: InMemoryWindow.ID) {
        sets.removeValue(forKey: id)?.retire()
        windows[id.board]?.removeAll { $0.id == id }
    }

    /// Which sets a commit changes, and what in each, in its order.
    fileprivate func targets(of changes: [RollupChange]) -> [(InMemoryWindow, [RollupChange])] {
        var targets: [(set: InMemoryWindow, changes: [RollupChange])] = []
        func add(_ change: RollupChange, to set: InMemoryWindow) {
            // A commit is of few boards.
            if let index = targets.firstIndex(where: { $0.set === set }) {
                targets[index].changes.append(change)
            } else {
                targets.append((set, [change]))
            }
        }
        for change in changes {
            if let day = change.day {
                for set in windows[change.board] ?? [] where set.id.days?.contains(day) ?? false {
                    add(change, to: set)
                }
            } else if let set = sets[InMemoryWindow.ID(board: change.board, days: nil)] {
                add(change, to: set)
            }
        }
        return targets
    }
}
