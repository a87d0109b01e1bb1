import Domain
import Storage

/// Which windows are in memory, which are wanted, and which have to go. A plain value under the standings' lock.
///
/// All time of the seasons that are played belongs in memory. Everything else is there because readers asked for it:
/// past seasons and windows of days. These share one bound on their number and one on their rows; those that were not
/// read for the longest time make room, and what is too large alone is read by SQL.
struct WindowRegistry {
    /// A window that was asked for and is not loaded.
    private struct Wish {
        let id: InMemoryWindow.ID
        let rule: WindowRule
    }

    private(set) var windows: [InMemoryWindow.ID: InMemoryWindow] = [:]
    /// The windows of each board other than all time, which changes of days concern.
    private(set) var datedWindows: [Board.ID: [InMemoryWindow]] = [:]
    /// The boards whose season is played.
    private var played: Set<Board.ID> = []
    private var wishes: [Wish] = []
    /// When each past window was asked for, for those that were asked for once.
    private var askedOnce: [InMemoryWindow.ID: Int64] = [:]
    /// When each window turned out to have too many rows.
    private var tooLarge: [InMemoryWindow.ID: Int64] = [:]
    private(set) var hidden = HiddenPlayers()
    /// The ids of donation boards.
    private(set) var donationBoards: Set<Board.ID> = []
    /// True while a stream is followed, so that windows can be loaded.
    private(set) var isFollowing = false

    /// Drops everything.
    mutating func reset() {
        for window in windows.values { window.retire() }
        self = WindowRegistry()
    }

    /// Begins to follow a stream, with nothing in memory yet.
    mutating func begin(hidden: Set<Int64>) {
        reset()
        self.hidden = HiddenPlayers(hidden)
        isFollowing = true
    }

    /// Adds all time of a season that is played. What was in memory of it is dropped.
    mutating func prepare(_ board: FollowedBoard) -> InMemoryWindow {
        if board.isDonationBoard { donationBoards.insert(board.id) }
        played.insert(board.id)
        let id = InMemoryWindow.ID(board: board.id, days: nil)
        return add(id, rule: WindowRule(policy: board.policy, lowestFirst: board.lowestFirst), at: 0)
    }

    /// A season has ended. It stays in memory while it is read.
    mutating func end(_ board: Board.ID, at seconds: Int64) {
        played.remove(board)
        windows[InMemoryWindow.ID(board: board, days: nil)]?.touch(at: seconds)
    }

    // MARK: - On demand

    var hasWishes: Bool { !wishes.isEmpty }

    /// Notes that a reader asks for a window that is not in memory.
    /// - Returns: Whether it is to be loaded. A past window, or one of a past season, is only worth its memory when it
    ///   is asked for again.
    mutating func wish(for id: InMemoryWindow.ID, of board: Board, at seconds: Int64) -> Bool {
        guard isFollowing, wishes.count < Limits.windowsMax, !wishes.contains(where: { $0.id == id }) else {
            return false
        }
        if let found = tooLarge[id], seconds - found <= Limits.windowSecondsMax { return false }
        let isPast = !played.contains(board.id) || id.days.map { !$0.contains(board.today) } ?? false
        if isPast, !isAskedAgain(id, at: seconds) { return false }
        wishes.append(Wish(id: id, rule: WindowRule(policy: board.policy, lowestFirst: board.lowestFirst)))
        return true
    }

    /// Adds the windows that were asked for first, which the caller then loads from a snapshot that it makes now. They
    /// keep the stream's changes from here on, so no change is missed.
    mutating func takeWishes(_ countMax: Int, at seconds: Int64) -> [InMemoryWindow] {
        let taken = wishes.prefix(countMax)
        wishes.removeFirst(taken.count)
        return taken.map { add($0.id, rule: $0.rule, at: seconds) }
    }

    /// Makes room for a window that is being loaded: drops what was not read for the longest time.
    /// - Returns: False when it has too many rows, however many others are dropped; then it is dropped itself.
    mutating func makeRoom(for window: InMemoryWindow, rowsCount: Int, at seconds: Int64) -> Bool {
        guard isOnDemand(window.id) else { return true }
        guard rowsCount <= Limits.windowRowsMax else {
            if tooLarge.count >= Limits.windowsMax { tooLarge = [:] }
            tooLarge[window.id] = seconds
            remove(window)
            return false
        }
        evict(besides: window, windowsMax: Limits.windowsMax - 1, rowsMax: Limits.windowRowsMax - rowsCount)
        return true
    }

    /// Drops the windows that were not read for too long, and of too many those that were not read for the longest
    /// time.
    mutating func tidy(at seconds: Int64) {
        for window in windows.values where isOnDemand(window.id) && seconds - window.lastAsked > Limits.windowSecondsMax
        { remove(window) }
        evict(besides: nil, windowsMax: Limits.windowsMax, rowsMax: Limits.windowRowsMax)
    }

    /// Drops a window, unless another one has taken its place.
    mutating func remove(_ window: InMemoryWindow) {
        window.retire()
        if windows[window.id] === window { windows[window.id] = nil }
        datedWindows[window.id.board]?.removeAll { $0 === window }
        if datedWindows[window.id.board]?.isEmpty ?? false { datedWindows[window.id.board] = nil }
    }

    private func isOnDemand(_ id: InMemoryWindow.ID) -> Bool { id.days != nil || !played.contains(id.board) }

    private mutating func evict(besides spared: InMemoryWindow?, windowsMax: Int, rowsMax: Int) {
        let others = windows.values.filter { isOnDemand($0.id) && $0 !== spared }.sorted { $0.lastAsked > $1.lastAsked }
        var rowsCount = 0
        for (index, window) in others.enumerated() {
            rowsCount += window.rowsCount
            if index >= windowsMax || rowsCount > rowsMax {
                rowsCount -= window.rowsCount
                remove(window)
            }
        }
    }

    private mutating func isAskedAgain(_ id: InMemoryWindow.ID, at seconds: Int64) -> Bool {
        if let before = askedOnce.removeValue(forKey: id), seconds - before <= Limits.windowSecondsMax { return true }
        if askedOnce.count >= Limits.windowsMax { askedOnce = [:] }
        askedOnce[id] = seconds
        return false
    }

    private mutating func add(_ id: InMemoryWindow.ID, rule: WindowRule, at seconds: Int64) -> InMemoryWindow {
        if let former = windows[id] { remove(former) }
        let window = InMemoryWindow(id, rule: rule, hidden: hidden, askedAt: seconds)
        windows[id] = window
        if id.days != nil { datedWindows[id.board, default: []].append(window) }
        return window
    }
}
