import Concurrency
package import Domain
package import OrderStatistics
import Storage
import Synchronization

/// The standings that this process keeps in memory and updates from the database's stream. They hold no data of their
/// own: while they are missing or not current, ranks come from SQL.
package final class InMemoryStandings: Sendable {
    private let registry = Mutex(WindowRegistry())
    /// Whether the standings may answer; the commit barrier sets it.
    let freshness = StreamFreshness()
    private let seconds = Atomic<Int64>(0)
    /// All donations.
    let donations = LedgerVersion()
    /// The posts on the board of classic clients.
    let bestPosts = LedgerVersion()
    /// The details of scores that somebody took down.
    let details = LedgerVersion()
    /// Signals that a window is wanted, or that the stream is lost.
    private let wakeup = AsyncSignal()
    /// The flags that players chose to show.
    let flags = ShownFlags()
    /// What has to be filled; at most one of each window.
    private let flaggedWanted = Mutex<[FlaggedRows]>([])
    private let flaggedWakeup = AsyncSignal()

    package init() {}

    // MARK: - Readers

    /// Lends the rows of a board in one consistent state.
    /// - Parameters:
    ///   - days: Nil for all time of the season.
    ///   - body: Receives the rows, and a number that increases with every change of them. It runs under a lock and
    ///     must not wait.
    /// - Returns: Nil while the rows are not in memory, so that the caller asks SQL. They are then loaded for later
    ///   calls: the current day, week and month at once, other windows and ended seasons from the second call on.
    package func read<T>(_ board: Board, days: ClosedRange<Day>?, _ body: (borrowing RankedSet, _ version: UInt64) -> T)
        -> T?
    { window(of: board, days: days)?.read(body) }

    /// The same for what a reader reads beside the rows. It is no call that loads a window.
    func readAlong<T>(_ board: Board, days: ClosedRange<Day>?, _ body: (borrowing RankedSet, _ version: UInt64) -> T)
        -> T?
    { loadedWindow(of: board, days: days)?.read(body) }

    /// Lends the rows of all time of a season when only its id is known. Nothing is loaded for it.
    package func read<T>(_ board: Board.ID, _ body: (borrowing RankedSet) -> T) -> T? {
        guard areCurrent else { return nil }
        let window = registry.withLock { $0.windows[InMemoryWindow.ID(board: board, days: nil)] }
        return window?.read { rows, _ in body(rows) }
    }

    /// Where a player stands for all time of a season, so that a batch is judged by it.
    func place(of player: Player.ID, on board: Board.ID) -> BatchMemory.Place {
        let found = read(board) { rows -> BatchMemory.Place in
            guard let row = rows.find(player.rawValue) else { return .none }
            return .at(orderKey: row.orderKey, reachedAt: Instant(microsecondsSince1970: row.reachedAt))
        }
        // Whoever is hidden has a row that is not among the ranked ones.
        if found == BatchMemory.Place.none, isHidden(player.rawValue) { return .unknown }
        return found ?? .unknown
    }

    /// Whether a player is hidden from all rankings.
    func isHidden(_ player: Int64) -> Bool { registry.withLock { $0.hidden }.contains(player) }

    /// Whether the standings contain everything that this process has acknowledged, and everything that any process had
    /// two seconds ago.
    var areCurrent: Bool { freshness.isCurrent() }

    /// Increases with every committed donation.
    var donationVersion: UInt64 { donations.number }

    /// The window of a board, without reading its rows; nil while they are not in memory or not current. Then it is
    /// asked for in the turn of the client that this task serves.
    func window(of board: Board, days: ClosedRange<Day>?) -> InMemoryWindow? {
        guard areCurrent else { return nil }
        let id = InMemoryWindow.ID(board: board.id, days: days)
        let now = seconds.load(ordering: .relaxed)
        var isDue = false
        let window = registry.withLock { registry -> InMemoryWindow? in
            if let window = registry.windows[id] { return window }
            isDue = registry.wish(for: id, of: board, by: .current, at: now)
            return nil
        }
        if isDue { wakeup.signal() }
        window?.touch(at: now)
        return window
    }

    /// The window of a board; nil while it is not in memory or not current. It is not asked for.
    func loadedWindow(of board: Board, days: ClosedRange<Day>?) -> InMemoryWindow? {
        guard areCurrent else { return nil }
        let window = registry.withLock { $0.windows[InMemoryWindow.ID(board: board.id, days: days)] }
        if let window { touch(window) }
        return window
    }

    /// The rows of a board by the flags of players; nil while they are not in memory or not current. Then they are
    /// asked for.
    func flaggedRows(of board: Board, days: ClosedRange<Day>?) -> FlaggedRows? {
        guard flags.areFollowed, let window = window(of: board, days: days) else { return nil }
        let now = seconds.load(ordering: .relaxed)
        if let rows = window.flagged {
            rows.touch(at: now)
            return rows
        }
        guard window.version != nil, let rows = window.addFlagged(flags, at: now) else { return nil }
        flaggedWanted.withLock { $0.append(rows) }
        flaggedWakeup.signal()
        return nil
    }

    /// A reader was answered from what was read from a window.
    func touch(_ window: InMemoryWindow) { window.touch(at: seconds.load(ordering: .relaxed)) }

    /// The same of rows by flags.
    func touch(_ rows: FlaggedRows) { rows.touch(at: seconds.load(ordering: .relaxed)) }

    /// A donation is about to be acknowledged.
    func noteDonation() { donations.acknowledged() }

    /// A moderation action, a verdict or a merge is about to be acknowledged.
    func noteCorrection() {
        donations.acknowledged()
        bestPosts.acknowledged()
        details.acknowledged()
    }

    // MARK: - The follower

    /// Begins to follow a stream, with nothing loaded yet.
    /// - Parameter hidden: The players that are hidden in the snapshot.
    func begin(hidden: Set<Int64>) { registry.withLock { $0.begin(hidden: hidden) } }

    /// Drops everything, because the stream is lost.
    func end() {
        registry.withLock { $0.reset() }
        wakeup.signal()
    }

    /// Adds all time of a board's season, which the caller then loads.
    func prepare(_ board: FollowedBoard) -> InMemoryWindow { registry.withLock { $0.prepare(board) } }

    /// Adds a new board, which has no rows yet.
    func add(_ board: FollowedBoard) { install(RankedSet(), in: prepare(board), readAt: 0) }

    /// A board's season has ended. From now on it is kept in memory only while it is read.
    func end(_ board: Board.ID) { registry.withLock { $0.end(board, at: seconds.load(ordering: .relaxed)) } }

    /// Makes room for a window that is being loaded.
    /// - Parameter rowsCount: The rows that were read so far.
    /// - Returns: False when the window has too many rows and is given up.
    func makeRoom(for window: InMemoryWindow, rowsCount: Int) -> Bool {
        registry.withLock { $0.makeRoom(for: window, rowsCount: rowsCount, at: seconds.load(ordering: .relaxed)) }
    }

    /// Installs the rows that were read for a window. One that cannot apply its backlog is dropped, and the next read
    /// asks for it again.
    /// - Parameter position: The WAL position of the snapshot that they were read from.
    func install(_ rows: consuming RankedSet, in window: InMemoryWindow, readAt position: UInt64) {
        if !window.install(rows, readAt: position) { dropBroken(window) }
    }

    /// Whether a stream is followed, so that windows are loaded on demand.
    var areFollowed: Bool { registry.withLock { $0.isFollowing } }

    /// Waits until windows are wanted, or until the task is cancelled.
    func untilWanted() async { while !Task.isCancelled, !registry.withLock({ $0.hasWishes }) { await wakeup.wait() } }

    /// Takes some of the wanted windows, which the caller loads from a snapshot that it makes after this call.
    func takeWanted(_ countMax: Int) -> [InMemoryWindow] {
        registry.withLock { $0.takeWishes(countMax, at: seconds.load(ordering: .relaxed)) }
    }

    /// Fills rows by flags that readers ask for, one window after the other, until the task is cancelled.
    func fillFlagged() async {
        while !Task.isCancelled {
            let wanted = flaggedWanted.withLock { wanted in
                defer { wanted = [] }
                return wanted
            }
            for rows in wanted { while !Task.isCancelled, rows.fill() { await Task.yield() } }
            if wanted.isEmpty { await flaggedWakeup.wait() }
        }
    }

    /// Drops a window that could not be loaded.
    func drop(_ window: InMemoryWindow) { registry.withLock { $0.remove(window) } }

    /// A load has ended, also one that failed. The next one gets its turn.
    func endLoad(of window: InMemoryWindow, took duration: Duration) {
        let milliseconds = Int64(duration / .milliseconds(1))
        registry.withLock { $0.endLoad(of: window, milliseconds: milliseconds, at: seconds.load(ordering: .relaxed)) }
    }

    private func dropBroken(_ window: InMemoryWindow) {
        registry.withLock { $0.removeBroken(window, at: seconds.load(ordering: .relaxed)) }
    }

    /// Applies the changes of one commit. One window after the other changes, and one that cannot tell its new rows is
    /// dropped.
    func apply(_ changes: [RollupChange], committedAt position: UInt64) {
        if changes.isEmpty { return }
        // A window that is added after this is read from a snapshot that already contains the commit.
        let (windows, datedWindows, donationBoards) = registry.withLock {
            ($0.windows, $0.datedWindows, $0.donationBoards)
        }
        for (window, changes) in Self.targets(of: changes, windows, datedWindows) {
            if !window.apply(changes, committedAt: position) { dropBroken(window) }
            window.flagged?.follow(changes.map(\.row))
        }
        if changes.contains(where: { donationBoards.contains($0.board) }) { donations.changed() }
    }

    /// A repair has changed something that SQL reads.
    func noteRepair() {
        donations.changed()
        bestPosts.changed()
        details.changed()
    }

    func setHidden(_ player: Int64, _ isHidden: Bool) {
        let windows = registry.withLock { registry -> [InMemoryWindow] in
            registry.hidden.set(player, isHidden) ? Array(registry.windows.values) : []
        }
        for window in windows {
            window.setHidden(player, isHidden)
            window.flagged?.follow(CollectionOfOne(player))
        }
    }

    /// A player shows a flag, or none. Nothing happens where it showed the same before.
    func setFlag(_ player: Int64, _ flag: CountryFlag?) {
        let former = flags.set(player, flag)
        if former == flag { return }
        for window in registry.withLock({ Array($0.windows.values) }) {
            window.flagged?.move(player, from: former, to: flag)
        }
    }

    /// Drops windows that nobody reads and what is beyond the bounds; called about once a second.
    /// - Parameter now: Seconds of a monotonic clock.
    func tidy(at now: Int64) {
        seconds.store(now, ordering: .relaxed)
        registry.withLock { $0.tidy(at: now) }
        donations.changedAgain()
        bestPosts.changedAgain()
        details.changedAgain()
    }

    /// The number of rows in all boards and windows.
    package var rowsCount: Int { registry.withLock { Array($0.windows.values) }.reduce(0) { $0 + $1.rowsCount } }

    /// The number of boards and windows.
    var windowsCount: Int { registry.withLock { $0.windows.count } }

    /// A player's row on a board.
    private struct Place: Hashable {
        let board: Board.ID
        let row: Int64
    }

    /// The windows that a commit changes, each with its changes in the commit's order.
    private static func targets(
        of changes: [RollupChange], _ windows: [InMemoryWindow.ID: InMemoryWindow],
        _ datedWindows: [Board.ID: [InMemoryWindow]]
    ) -> [(InMemoryWindow, [RollupChange])] {
        var targets: [(window: InMemoryWindow, changes: [RollupChange])] = []
        func add(_ change: RollupChange, to window: InMemoryWindow) {
            // A commit concerns few boards, so a linear search is enough.
            if let index = targets.firstIndex(where: { $0.window === window }) {
                targets[index].changes.append(change)
            } else {
                targets.append((window, [change]))
            }
        }
        // A player who loses the season's row, as by an erasure, loses all days. Report it as one change, since a
        // window cannot tell what is left of a player who loses a day.
        var gone: Set<Place> = []
        for change in changes where change.day == nil {
            let place = Place(board: change.board, row: change.row)
            if change.new == nil { gone.insert(place) } else { gone.remove(place) }
        }
        var removals: [(window: InMemoryWindow, change: RollupChange)] = []
        for change in changes {
            if let day = change.day {
                let isGone = change.new == nil && gone.contains(Place(board: change.board, row: change.row))
                for window in datedWindows[change.board] ?? [] where window.id.days?.contains(day) ?? false {
                    guard isGone else {
                        add(change, to: window)
                        continue
                    }
                    removals.append(
                        (window, RollupChange(board: change.board, day: nil, row: change.row, old: nil, new: nil)))
                }
            } else if let window = windows[InMemoryWindow.ID(board: change.board, days: nil)] {
                add(change, to: window)
            }
        }
        for (window, change) in removals { add(change, to: window) }
        return targets
    }
}

/// A number that increases whenever data that SQL reads from the ledgers changes.
///
/// A commit reaches the stream a moment before other transactions see it. A read in between gets old data under the
/// newest version. So the number increases again when the commit is acknowledged, and once more a little later.
final class LedgerVersion: Sendable {
    private let count = Atomic<UInt64>(0)
    /// Whether the stream brought changes since the last call of ``changedAgain()``, and before it.
    private let hasNew = Atomic(false)
    private let hadNew = Atomic(false)

    var number: UInt64 { count.load(ordering: .acquiring) }

    /// The stream has brought a change.
    func changed() {
        hasNew.store(true, ordering: .relaxed)
        acknowledged()
    }

    /// A change is about to be acknowledged.
    func acknowledged() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Called about once a second. Everybody sees by now what the stream brought before the previous call.
    func changedAgain() {
        if hadNew.exchange(hasNew.exchange(false, ordering: .relaxed), ordering: .relaxed) { acknowledged() }
    }
}

/// Whether memory may answer instead of SQL. Readers ask this on every request, so it takes no lock; the commit barrier
/// sets it.
final class StreamFreshness: Sendable {
    private let began = ContinuousClock.now
    private let hasCaughtUp = Atomic(false)
    /// In ticks since `began`; 0 while there is no stream.
    private let until = Atomic<Int64>(0)

    /// Whether memory contains everything that was committed two seconds ago, by whichever process.
    func isFresh(at now: ContinuousClock.Instant = .now) -> Bool {
        let until = until.load(ordering: .acquiring)
        return until > 0 && ticks(now) < until
    }

    /// Whether memory is fresh and also contains every commit that this process has acknowledged.
    func isCurrent(at now: ContinuousClock.Instant = .now) -> Bool {
        hasCaughtUp.load(ordering: .acquiring) && isFresh(at: now)
    }

    /// - Parameters:
    ///   - isCurrent: Whether memory contains every commit that this process has acknowledged.
    ///   - freshUntil: Nil while no heartbeat has come back.
    func set(isCurrent: Bool, freshUntil: ContinuousClock.Instant?) {
        let ticks = freshUntil.map(ticks) ?? 0
        // Most calls change nothing, and a store would take the cache line from all who read it.
        if until.load(ordering: .relaxed) != ticks { until.store(ticks, ordering: .releasing) }
        if hasCaughtUp.load(ordering: .relaxed) != isCurrent { hasCaughtUp.store(isCurrent, ordering: .releasing) }
    }

    /// A tick is 2^30 attoseconds, a little more than a nanosecond: a shift is cheaper than a division of 128 bits.
    private func ticks(_ instant: ContinuousClock.Instant) -> Int64 {
        Int64(clamping: (instant - began).attoseconds >> 30)
    }
}
