import Concurrency
import Domain
import Storage

/// Which windows are in memory, and which have to go. A plain value under the standings' lock.
///
/// All time of the seasons that are played belongs in memory. Everything else is there because readers asked for it.
/// Today, yesterday, the week and the month of each board come first: nobody can invent more of them. Other ranges of
/// days and ended seasons share what is left. They are kept by a segmented LRU: a window that is loaded is on probation
/// until it is read in a later second; windows on probation never take the place of the others.
/// ``WindowLoads`` decides which one is loaded next.
struct WindowRegistry {
    private(set) var windows: [InMemoryWindow.ID: InMemoryWindow] = [:]
    /// The windows of each board other than all time, which changes of days concern.
    private(set) var datedWindows: [Board.ID: [InMemoryWindow]] = [:]
    /// The boards whose season is played.
    private var played: Set<Board.ID> = []
    /// The day of each board whose season is played, as the latest reader found it.
    private var todays: [Board.ID: Day] = [:]
    private var loads = WindowLoads()
    /// When each other window was last asked for while it was not in memory.
    private var asked = GenerationalCache<InMemoryWindow.ID, AskedAt>(bytesMax: 2 * Limits.windowAsksMax)
    /// When each window turned out to have too many rows.
    private var tooLarge: [InMemoryWindow.ID: Int64] = [:]
    private(set) var hidden = HiddenPlayers()
    /// The ids of donation boards.
    private(set) var donationBoards: Set<Board.ID> = []
    /// True while a stream is followed, so that windows can be loaded.
    private(set) var isFollowing = false

    private struct AskedAt: CacheSized {
        let seconds: Int64
        /// The cache counts entries.
        var bytesInCache: Int { 1 }
    }

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
        todays[board] = nil
        windows[InMemoryWindow.ID(board: board, days: nil)]?.touch(at: seconds)
    }

    // MARK: - On demand

    /// Whether a window may be loaded now.
    var hasWishes: Bool { loads.areDue }

    /// Notes that a reader asks for a window that is not in memory. The current windows of a board are loaded at once,
    /// other windows when they are asked for again.
    /// - Returns: Whether it may be loaded now.
    mutating func wish(for id: InMemoryWindow.ID, of board: Board, by client: ClientKey, at seconds: Int64) -> Bool {
        guard isFollowing else { return false }
        if played.contains(board.id) { todays[board.id] = board.today }
        if let found = tooLarge[id], seconds - found <= Limits.windowSecondsMax { return false }
        let isCurrent = isCurrent(id)
        if !isCurrent, !isAskedAgain(id, at: seconds) { return false }
        let rule = WindowRule(policy: board.policy, lowestFirst: board.lowestFirst)
        return loads.wish(for: id, rule, isCurrent: isCurrent, by: client, at: seconds)
    }

    /// Adds the windows whose turn it is, which the caller then loads from a snapshot that it makes now. They keep the
    /// stream's changes from here on, so no change is missed. Each load ends with ``endLoad(of:milliseconds:at:)``.
    mutating func takeWishes(_ countMax: Int, at seconds: Int64) -> [InMemoryWindow] {
        loads.take(countMax).map { wish in
            let window = add(wish.id, rule: wish.rule, at: seconds)
            loads.begin(window, wish)
            return window
        }
    }

    /// A load has ended, also one that failed. The next one gets its turn.
    /// - Parameter milliseconds: How long it took.
    mutating func endLoad(of window: InMemoryWindow, milliseconds: Int64, at seconds: Int64) {
        loads.end(window, milliseconds: milliseconds, at: seconds)
    }

    /// Makes room for a window that is being loaded: drops windows of lower priority, least recently read first.
    /// - Returns: False when it has too many rows, or when others that are worth more leave too little room; then it is
    ///   dropped itself.
    mutating func makeRoom(for window: InMemoryWindow, rowsCount: Int, at seconds: Int64) -> Bool {
        guard isOnDemand(window.id) else { return true }
        if rowsCount <= Limits.windowRowsMax, fit(window, rowsCount: rowsCount, at: seconds) { return true }
        if tooLarge.count >= Limits.windowsMax { tooLarge = [:] }
        tooLarge[window.id] = seconds
        remove(window)
        return false
    }

    /// Drops the windows that were not read for too long, and of too many those that are worth least.
    mutating func tidy(at seconds: Int64) {
        for window in windows.values where isOnDemand(window.id) && seconds - window.lastAsked > Limits.windowSecondsMax
        { remove(window) }
        for window in windows.values {
            if let flagged = window.flagged, seconds - flagged.lastAsked > Limits.windowSecondsMax {
                window.dropFlagged()
            }
        }
        fitFlaggedSeasons(at: seconds)
        _ = fit(nil, rowsCount: 0, at: seconds)
    }

    /// Drops a window, unless another one has taken its place.
    mutating func remove(_ window: InMemoryWindow) {
        window.retire()
        if windows[window.id] === window { windows[window.id] = nil }
        datedWindows[window.id.board]?.removeAll { $0 === window }
        if datedWindows[window.id.board]?.isEmpty ?? false { datedWindows[window.id.board] = nil }
    }

    /// Drops a window that cannot tell its rows. It was asked for before, so the next reader alone has it loaded again.
    mutating func removeBroken(_ window: InMemoryWindow, at seconds: Int64) {
        if windows[window.id] === window { _ = isAskedAgain(window.id, at: seconds) }
        remove(window)
    }

    private func isOnDemand(_ id: InMemoryWindow.ID) -> Bool { id.days != nil || !played.contains(id.board) }

    /// Whether the window is all time, the current day, the day before, the current week or month of a season that is
    /// played.
    private func isCurrent(_ id: InMemoryWindow.ID) -> Bool {
        guard isOnDemand(id) else { return true }
        guard let days = id.days, let today = todays[id.board] else { return false }
        return Self.currentWindows.contains { $0.days(today: today) == days }
    }

    private static let currentWindows: [Window] = [.today, .yesterday, .week, .month]

    /// Drops what does not fit into the bounds.
    /// - Parameters:
    ///   - newcomer: The window that is being loaded.
    ///   - rowsCount: Its rows.
    /// - Returns: False when the newcomer does not fit beside what is worth more.
    private mutating func fit(_ newcomer: InMemoryWindow?, rowsCount: Int, at seconds: Int64) -> Bool {
        var (current, read, onProbation): ([InMemoryWindow], [InMemoryWindow], [InMemoryWindow]) = ([], [], [])
        for window in windows.values where isOnDemand(window.id) && window !== newcomer {
            if isCurrent(window.id) {
                current.append(window)
            } else if window.wasReadAgain {
                read.append(window)
            } else {
                onProbation.append(window)
            }
        }
        let isNewcomerCurrent = newcomer.map { isCurrent($0.id) } ?? false
        var room = Room(count: Limits.currentWindowsMax, rows: Limits.windowRowsMax)
        if isNewcomerCurrent { _ = room.take(rowsCount) }
        for window in Self.latestFirst(current) where !Self.take(window, of: &room, at: seconds) { remove(window) }
        room.count = Limits.windowsMax
        var share = Room(
            count: Limits.windowsMax * Limits.windowsReadAgainPercent / 100,
            rows: Limits.windowRowsMax / 100 * Limits.windowsReadAgainPercent)
        for window in Self.latestFirst(read) {
            if Self.take(window, of: &share, at: seconds), Self.take(window, of: &room, at: seconds) { continue }
            window.putOnProbation()
            onProbation.append(window)
        }
        if newcomer != nil, !isNewcomerCurrent, !room.take(rowsCount) { return false }
        for window in Self.latestFirst(onProbation) where !Self.take(window, of: &room, at: seconds) { remove(window) }
        return true
    }

    /// Drops rows by flags of the seasons that are played, least recently read first. All time of a season belongs in
    /// memory, but these rows are there because readers asked for them. Their bound is as large as that of the windows
    /// which readers ask for.
    private func fitFlaggedSeasons(at seconds: Int64) {
        var room = Room(count: Limits.windowsMax, rows: Limits.windowRowsMax)
        let asked = windows.values.filter { !isOnDemand($0.id) }.compactMap { window in
            window.flagged.map { (window: window, flagged: $0) }
        }
        for (window, flagged) in asked.sorted(by: { $0.flagged.lastAsked > $1.flagged.lastAsked })
        where !room.take(flagged.rowsCount) { window.dropFlagged(refusingUntil: seconds + Limits.windowSecondsMax) }
    }

    /// Takes room for a window with its rows by flags, or without these if both do not fit.
    private static func take(_ window: InMemoryWindow, of room: inout Room, at seconds: Int64) -> Bool {
        let rows = window.rowsCount
        if let flagged = window.flagged {
            if room.take(rows + flagged.rowsCount) { return true }
            window.dropFlagged(refusingUntil: seconds + Limits.windowSecondsMax)
        }
        return room.take(rows)
    }

    private static func latestFirst(_ windows: [InMemoryWindow]) -> [InMemoryWindow] {
        windows.map { (window: $0, asked: $0.lastAsked) }.sorted { $0.asked > $1.asked }.map(\.window)
    }

    /// What is left of a bound on windows and one on their rows.
    private struct Room {
        var count: Int
        var rows: Int

        /// - Returns: False when a window with these rows does not fit.
        mutating func take(_ rowsCount: Int) -> Bool {
            guard count > 0, rowsCount <= rows else { return false }
            count -= 1
            rows -= rowsCount
            return true
        }
    }

    private mutating func isAskedAgain(_ id: InMemoryWindow.ID, at seconds: Int64) -> Bool {
        let before = asked.find(id).value
        _ = asked.set(AskedAt(seconds: seconds), for: id)
        return before.map { seconds - $0.seconds <= Limits.windowSecondsMax } ?? false
    }

    private mutating func add(_ id: InMemoryWindow.ID, rule: WindowRule, at seconds: Int64) -> InMemoryWindow {
        if let former = windows[id] { remove(former) }
        let window = InMemoryWindow(id, rule: rule, hidden: hidden, askedAt: seconds)
        windows[id] = window
        if id.days != nil { datedWindows[id.board, default: []].append(window) }
        return window
    }
}
