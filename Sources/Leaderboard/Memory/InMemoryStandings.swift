package import Domain
package import OrderStatistics
import Storage
import Synchronization

/// The standings that this process keeps in memory and updates from the database's stream. They hold no data of their
/// own: while they are missing or not current, ranks come from SQL.
package final class InMemoryStandings: Sendable {
    fileprivate struct Registry {
        var windows: [InMemoryWindow.ID: InMemoryWindow] = [:]
        /// The windows of each board other than all time, which changes of days concern.
        var datedWindows: [Board.ID: [InMemoryWindow]] = [:]
        /// Windows that were asked for and that the follower has not taken to load yet.
        var wanted: [InMemoryWindow.ID] = []
        /// When each past window was asked for, for those that were asked for once.
        var askedOnce: [InMemoryWindow.ID: Int64] = [:]
        var hidden: Set<Int64> = []
        /// The ids of giving boards.
        var giving: Set<Board.ID> = []
        /// True while a stream is followed, so that windows can be loaded.
        var isFollowing = false
    }

    private let registry = Mutex(Registry())
    private let isCurrent = Atomic(false)
    private let seconds = Atomic<Int64>(0)
    private let givingCount = Atomic<UInt64>(0)
    /// Signals that a window is wanted, or that the stream is lost.
    private let wakeup = AsyncSignal()

    package init() {}

    // MARK: - Readers

    /// Lends the rows of a board in one consistent state.
    /// - Parameters:
    ///   - days: Nil for all time of the season.
    ///   - body: Receives the rows, and a number that increases with every change of them. It runs under a lock and
    ///     must not wait.
    /// - Returns: Nil while the rows are not in memory, so that the caller asks SQL. They are then loaded for later
    ///   calls, a past window from its second call on.
    package func read<T>(
        _ board: Board,
        days: ClosedRange<Day>?,
        _ body: (borrowing RankedSet, _ version: UInt64) -> T
    ) -> T? {
        window(of: board, days: days)?.read(body)
    }

    /// Lends the rows of all time of a season when only its id is known. Nothing is loaded for it.
    package func read<T>(_ board: Board.ID, _ body: (borrowing RankedSet) -> T) -> T? {
        guard areCurrent else { return nil }
        let window = registry.withLock { $0.windows[InMemoryWindow.ID(board: board, days: nil)] }
        return window?.read { rows, _ in body(rows) }
    }

    /// Whether the standings contain everything that was committed before this call.
    var areCurrent: Bool { isCurrent.load(ordering: .acquiring) }

    /// Increases with every committed donation.
    var givingVersion: UInt64 { givingCount.load(ordering: .acquiring) }

    /// The window of a board, without reading its rows; nil while they are not current.
    func window(of board: Board, days: ClosedRange<Day>?) -> InMemoryWindow? {
        guard areCurrent else { return nil }
        let id = InMemoryWindow.ID(board: board.id, days: days)
        let now = seconds.load(ordering: .relaxed)
        var isWanted = false
        let window = registry.withLock { registry -> InMemoryWindow? in
            if let window = registry.windows[id] { return window }
            guard registry.isFollowing, registry.wanted.count < Limits.windowsMax else { return nil }
            // A past window is only worth its memory when it is asked for again.
            if let days, !days.contains(board.today), !registry.isAskedAgain(id, at: now) { return nil }
            // The window keeps the stream's changes from now on, and its rows are read only after that, so no change is
            // missed.
            _ = registry.add(id, rule: WindowRule(policy: board.policy, lowestFirst: board.lowestFirst), at: now)
            registry.wanted.append(id)
            isWanted = true
            return nil
        }
        if isWanted { wakeup.signal() }
        if days != nil { window?.touch(at: now) }
        return window
    }

    // MARK: - The follower

    /// Begins to follow a stream, with nothing loaded yet.
    /// - Parameter hidden: The players that are hidden in the snapshot.
    func begin(hidden: Set<Int64>) {
        registry.withLock { registry in
            registry.reset()
            registry.hidden = hidden
            registry.isFollowing = true
        }
    }

    /// Drops everything, because the stream is lost.
    func end() {
        isCurrent.store(false, ordering: .releasing)
        registry.withLock { $0.reset() }
        wakeup.signal()
    }

    /// Sets whether everything that was committed before now has been applied.
    func setCurrent(_ current: Bool) {
        isCurrent.store(current, ordering: .releasing)
    }

    /// Adds all time of a board's season, which the caller then loads.
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

    /// Adds a new board, which has no rows yet.
    func add(_ board: FollowedBoard) {
        install(RankedSet(), in: prepare(board), readAt: 0)
    }

    /// Installs the rows that were read for a window.
    /// - Parameter position: The WAL position of the snapshot that they were read from.
    func install(_ rows: consuming RankedSet, in window: InMemoryWindow, readAt position: UInt64) {
        var rows: RankedSet? = rows
        // The set of hidden players changes under the same lock, so that no change of it is missed.
        registry.withLock { registry in
            if let rows = rows.take() { window.install(rows, readAt: position, hidden: registry.hidden) }
        }
    }

    /// Whether a stream is followed, so that windows are loaded on demand.
    var areFollowed: Bool { registry.withLock { $0.isFollowing } }

    /// Waits until windows are wanted, and takes them all.
    /// - Returns: Empty when the task is cancelled, or when the wanted windows were dropped meanwhile.
    func wanted() async -> [InMemoryWindow] {
        while !Task.isCancelled {
            let windows = registry.withLock { registry -> [InMemoryWindow]? in
                guard !registry.wanted.isEmpty else { return nil }
                defer { registry.wanted = [] }
                return registry.wanted.compactMap { registry.windows[$0] }
            }
            if let windows { return windows }
            await wakeup.wait()
        }
        return []
    }

    /// Drops a window that could not be loaded; the next read asks for it again.
    func drop(_ window: InMemoryWindow) {
        registry.withLock { $0.remove(window.id) }
    }

    /// Applies the changes of one commit. Each window changes in one step, and one that cannot tell its new rows is
    /// dropped.
    func apply(_ changes: [RollupChange], committedAt position: UInt64) {
        if changes.isEmpty { return }
        let (targets, hidden, isGiving) = registry.withLock { registry in
            (registry.targets(of: changes), registry.hidden, changes.contains { registry.giving.contains($0.board) })
        }
        defer { if isGiving { givingCount.wrappingAdd(1, ordering: .acquiringAndReleasing) } }
        for (window, changes) in targets
        where !window.apply(changes, committedAt: position, isHidden: { hidden.contains(abs($0)) }) {
            drop(window)
        }
    }

    func setHidden(_ player: Int64, _ isHidden: Bool) {
        let windows = registry.withLock { registry -> [InMemoryWindow] in
            let changed = isHidden ? registry.hidden.insert(player).inserted : registry.hidden.remove(player) != nil
            return changed ? Array(registry.windows.values) : []
        }
        for window in windows { window.setHidden(player, isHidden) }
    }

    /// Drops the windows that were not read for too long, and of too many those that were not read for the longest
    /// time.
    /// - Parameter now: Seconds of a monotonic clock.
    func tidy(at now: Int64) {
        seconds.store(now, ordering: .relaxed)
        registry.withLock { registry in
            let windows = registry.datedWindows.values.flatMap { $0 }.sorted { $0.lastAsked > $1.lastAsked }
            var rowsCount = 0
            for (index, window) in windows.enumerated() {
                rowsCount += window.read { rows, _ in rows.count } ?? 0
                if index >= Limits.windowsMax || (index > 0 && rowsCount > Limits.windowRowsMax)
                    || now - window.lastAsked > Limits.windowSecondsMax
                {
                    registry.remove(window.id)
                }
            }
        }
    }

    /// The number of rows in all boards and windows.
    package var rowsCount: Int {
        registry.withLock { Array($0.windows.values) }.reduce(0) { $0 + ($1.read { rows, _ in rows.count } ?? 0) }
    }
}

extension InMemoryStandings.Registry {
    fileprivate mutating func reset() {
        for window in windows.values { window.retire() }
        giving = []
        windows = [:]
        datedWindows = [:]
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
        let window = InMemoryWindow(id, rule: rule, askedAt: seconds)
        windows[id] = window
        if id.days != nil { datedWindows[id.board, default: []].append(window) }
        return window
    }

    fileprivate mutating func remove(_ id: InMemoryWindow.ID) {
        windows.removeValue(forKey: id)?.retire()
        datedWindows[id.board]?.removeAll { $0.id == id }
    }

    /// The windows that a commit changes, each with its changes in the commit's order.
    fileprivate func targets(of changes: [RollupChange]) -> [(InMemoryWindow, [RollupChange])] {
        var targets: [(window: InMemoryWindow, changes: [RollupChange])] = []
        func add(_ change: RollupChange, to window: InMemoryWindow) {
            // A commit concerns few boards, so a linear search is enough.
            if let index = targets.firstIndex(where: { $0.window === window }) {
                targets[index].changes.append(change)
            } else {
                targets.append((window, [change]))
            }
        }
        for change in changes {
            if let day = change.day {
                for window in datedWindows[change.board] ?? [] where window.id.days?.contains(day) ?? false {
                    add(change, to: window)
                }
            } else if let window = windows[InMemoryWindow.ID(board: change.board, days: nil)] {
                add(change, to: window)
            }
        }
        return targets
    }
}
