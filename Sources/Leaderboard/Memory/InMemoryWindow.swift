import Domain
import OrderStatistics
import Storage
import Synchronization

/// The ranked rows of one board in one window, updated by the stream's changes.
///
/// Readers on event loops wait for the window's lock, so nobody holds it for more than `Limits.windowChangesMax`
/// changes. A larger commit is applied in several steps, in its order. Between two of them a reader sees a prefix of
/// the commit's changes: every row is a whole row, every rank is right for the rows that are there, and the version
/// tells each state from the next. The batches of posts are smaller than one step, so each of them shows as a whole,
/// and no post is acknowledged before all of its commit is applied.
final class InMemoryWindow: Sendable {
    /// A board's season and the window's days; nil days mean all time.
    struct ID: Hashable, Sendable {
        let board: Board.ID
        let days: ClosedRange<Day>?
    }

    private enum Phase {
        /// The rows are being read; changes go to the backlog.
        case loading
        /// The rows are there, and the backlog is being applied to them.
        case catchingUp
        case ready
        /// The window was dropped, or cannot tell its rows any more.
        case broken
    }

    private struct State: ~Copyable {
        var phase = Phase.loading
        var ranked = RankedSet()
        /// Rows of hidden players, which are updated and not ranked.
        var unranked: [Int64: RankedRow] = [:]
        /// The sum of the order keys of the unranked rows.
        var unrankedSum: Int128 = 0
        /// The commits since before the rows were read, each with its WAL position.
        var backlog: [(position: UInt64, changes: ArraySlice<RollupChange>)] = []
        /// Commits of the backlog that are applied.
        var backlogDone = 0
        var backlogRows = 0
        /// The WAL position of the snapshot. The rows contain the commits before it, also those that the stream has yet
        /// to bring.
        var readAt: UInt64 = 0
        /// Counts applied changes.
        var version: UInt64 = 0
    }

    let id: ID
    let rule: WindowRule
    private let hidden: HiddenPlayers
    private let state = Mutex(State())
    private let askedAt: Atomic<Int64>
    private let readAgain = Atomic(false)
    /// Its rows by flags, if somebody asks for them; and until when they are refused because they had too little room.
    private let byFlags = Mutex<(rows: FlaggedRows?, refusedUntil: Int64)>((nil, .min))

    init(_ id: ID, rule: WindowRule, hidden: HiddenPlayers, askedAt: Int64) {
        self.id = id
        self.rule = rule
        self.hidden = hidden
        self.askedAt = Atomic(askedAt)
    }

    /// When the window was last read, in seconds of a monotonic clock.
    var lastAsked: Int64 { askedAt.load(ordering: .relaxed) }

    /// Whether it was read in another second than the one in which its load began, so that it leaves probation: see
    /// ``WindowRegistry``.
    var wasReadAgain: Bool { readAgain.load(ordering: .relaxed) }

    /// A reader uses the window.
    func touch(at seconds: Int64) {
        if lastAsked == seconds { return }
        askedAt.store(seconds, ordering: .relaxed)
        if !wasReadAgain { readAgain.store(true, ordering: .relaxed) }
    }

    func putOnProbation() { readAgain.store(false, ordering: .relaxed) }

    /// Lends the rows in one consistent state. `body` runs under a lock and must not wait.
    /// - Returns: Nil while the rows are not loaded, or when the window was dropped.
    func read<T>(_ body: (borrowing RankedSet, _ version: UInt64) -> T) -> T? {
        state.withLock { state in state.phase == .ready ? body(state.ranked, state.version) : nil }
    }

    /// Increases with every applied change; nil while the rows are not loaded, or when the window was dropped.
    var version: UInt64? { state.withLock { state in state.phase == .ready ? state.version : nil } }

    /// All rows added up, those of hidden players included; nil while they are not loaded, or when the window was
    /// dropped.
    var total: WindowTotal? {
        state.withLock { state in
            guard state.phase == .ready else { return nil }
            let sum = state.ranked.orderKeySum + state.unrankedSum
            return WindowTotal(
                points: rule.lowestFirst ? sum : 0 - sum,
                playersCount: state.ranked.count - state.ranked.negativeCount + state.unranked.count)
        }
    }

    /// The number of rows, 0 while they are not loaded.
    var rowsCount: Int { read { rows, _ in rows.count } ?? 0 }

    /// Installs the rows that were read, and applies the backlog of changes to them.
    /// - Parameters:
    ///   - ranked: The rows, those of hidden players included.
    ///   - position: The WAL position of the snapshot. The rows contain the commits before it and no others.
    /// - Returns: False when the rows have to be read again.
    func install(_ ranked: consuming RankedSet, readAt position: UInt64) -> Bool {
        var ranked: RankedSet? = consume ranked
        let isExpected = state.withLock { state in
            guard state.phase == .loading, let ranked = ranked.take() else { return false }
            state.ranked = ranked
            state.readAt = position
            state.backlog.removeAll { $0.position < position }
            state.phase = .catchingUp
            return true
        }
        guard isExpected else { return false }
        // Players who are hidden or shown from here on are told of by ``setHidden(_:_:)``.
        for players in Array(hidden.all).slices(of: Limits.windowChangesMax) {
            state.withLock { state in
                for player in players where hidden.contains(player) { setHidden(player, true, in: &state) }
            }
        }
        while true {
            let phase = state.withLock { state in
                applyBacklog(to: &state)
                return state.phase
            }
            if phase != .catchingUp { return phase == .ready }
        }
    }

    /// Applies the changes of one commit to this window.
    /// - Returns: False when the rows have to be read again.
    func apply(_ changes: [RollupChange], committedAt position: UInt64) -> Bool {
        for changes in changes.slices(of: Limits.windowChangesMax) {
            let isIntact = state.withLock { state in
                switch state.phase {
                case .loading, .catchingUp: keep(changes, committedAt: position, in: &state)
                case .ready where position >= state.readAt: for change in changes { apply(change, to: &state) }
                case .ready, .broken: break
                }
                return state.phase != .broken
            }
            guard isIntact else { return false }
        }
        return true
    }

    /// Marks the window as dropped: a caller that still holds it reads nothing from it.
    func retire() {
        state.withLock { discard(&$0) }
        dropFlagged()
    }

    /// The rows by the flags of their players, once somebody has asked for them.
    var flagged: FlaggedRows? { byFlags.withLock { $0.rows } }

    /// Adds the rows by flags, which the caller then fills.
    /// - Returns: Nil where they are there, or had too little room a short time ago.
    func addFlagged(_ flags: ShownFlags, at seconds: Int64) -> FlaggedRows? {
        byFlags.withLock { byFlags in
            guard byFlags.rows == nil, byFlags.refusedUntil < seconds else { return nil }
            let rows = FlaggedRows(of: self, flags: flags, askedAt: seconds)
            byFlags.rows = rows
            return rows
        }
    }

    /// - Parameter seconds: Until when they are refused; nil if they may be asked for again.
    func dropFlagged(refusingUntil seconds: Int64? = nil) {
        let rows = byFlags.withLock { byFlags in
            defer { byFlags.rows = nil }
            if let seconds { byFlags.refusedUntil = seconds }
            return byFlags.rows
        }
        rows?.drop()
    }

    /// Hides a player's rows from the ranking, or shows them again.
    func setHidden(_ player: Int64, _ isHidden: Bool) {
        state.withLock { state in
            if state.phase == .catchingUp || state.phase == .ready { setHidden(player, isHidden, in: &state) }
        }
    }

    private func setHidden(_ player: Int64, _ isHidden: Bool, in state: inout State) {
        if isHidden {
            if let gone = state.ranked.remove(player) { setUnranked(gone, of: player, in: &state) }
        } else if let back = setUnranked(nil, of: player, in: &state) {
            _ = state.ranked.set(back)
        }
        state.version &+= 1
    }

    private func keep(_ changes: ArraySlice<RollupChange>, committedAt position: UInt64, in state: inout State) {
        state.backlogRows += changes.count
        guard state.backlogRows <= Limits.windowBacklogRowsMax else { return discard(&state) }
        state.backlog.append((position, changes))
    }

    /// Applies the next commits of the backlog, or a part of one of them.
    private func applyBacklog(to state: inout State) {
        var appliedCount = 0
        while state.phase == .catchingUp, state.backlogDone < state.backlog.count {
            guard appliedCount < Limits.windowChangesMax else { return }
            let changes = state.backlog[state.backlogDone].changes
            let some = changes.prefix(Limits.windowChangesMax - appliedCount)
            for change in some { apply(change, to: &state) }
            appliedCount += some.count
            if state.phase != .catchingUp { return }
            if some.count == changes.count {
                state.backlogDone += 1
            } else {
                state.backlog[state.backlogDone].changes = changes.dropFirst(some.count)
            }
        }
        if state.phase == .catchingUp { (state.phase, state.backlog, state.backlogRows) = (.ready, [], 0) }
    }

    private func apply(_ change: RollupChange, to state: inout State) {
        guard state.phase != .broken else { return }
        let unranked = state.unranked.isEmpty ? nil : state.unranked[change.row]
        let current = unranked ?? state.ranked.find(change.row)
        // A row is where it was; a new one is where its player is.
        let isHidden = unranked != nil || current == nil && hidden.contains(change.row)
        // Without a row of the season a player has none on any of its days.
        let isWhole = change.day == nil || id.days.map { $0.lowerBound == $0.upperBound } ?? true
        switch rule.outcome(of: change, current: current, isWhole: isWhole) {
        case .nothing: return
        case .unknown: return discard(&state)
        case .remove:
            if isHidden { setUnranked(nil, of: change.row, in: &state) } else { state.ranked.remove(change.row) }
        case .set(let row): if isHidden { setUnranked(row, of: change.row, in: &state) } else { state.ranked.set(row) }
        }
        state.version &+= 1
    }

    /// - Parameter row: Nil removes it.
    /// - Returns: The former row.
    @discardableResult private func setUnranked(_ row: RankedRow?, of player: Int64, in state: inout State)
        -> RankedRow?
    {
        let former = state.unranked[player]
        state.unranked[player] = row
        state.unrankedSum += Int128(row?.orderKey ?? 0) - Int128(former?.orderKey ?? 0)
        return former
    }

    private func discard(_ state: inout State) {
        state.phase = .broken
        (state.backlog, state.backlogRows) = ([], 0)
    }
}

/// All rows of a window added up.
struct WindowTotal: Sendable, Equatable {
    let points: Int128
    /// Rows of players. Anonymous donations have rows of their own, which are not counted.
    let playersCount: Int
}

extension Array {
    /// The elements in order, in slices of at most `count` each.
    func slices(of count: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: self.count, by: count).lazy.map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
