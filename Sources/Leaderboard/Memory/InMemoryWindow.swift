import Domain
import OrderStatistics
import Storage
import Synchronization

/// The ranked rows of one board in one window, updated by the stream's changes.
final class InMemoryWindow: Sendable {
    /// A board's season and the window's days; nil days mean all time.
    struct ID: Hashable, Sendable {
        let board: Board.ID
        let days: ClosedRange<Day>?
    }

    private struct State: ~Copyable {
        var ranked = RankedSet()
        /// Rows of hidden players, which are updated and not ranked.
        var hidden: [Int64: RankedRow] = [:]
        /// The changes since before the rows were read, each commit with its WAL position; nil once the rows are
        /// loaded.
        var backlog: [(position: UInt64, changes: [RollupChange])]? = []
        /// Counts applied changes.
        var version: UInt64 = 0
        var isBroken = false
    }

    let id: ID
    let rule: WindowRule
    private let state: Mutex<State>
    private let askedAt: Atomic<Int64>

    init(_ id: ID, rule: WindowRule, askedAt: Int64) {
        self.id = id
        self.rule = rule
        self.state = Mutex(State())
        self.askedAt = Atomic(askedAt)
    }

    /// When the window was last read, in seconds of a monotonic clock.
    var lastAsked: Int64 { askedAt.load(ordering: .relaxed) }

    func touch(at seconds: Int64) {
        askedAt.store(seconds, ordering: .relaxed)
    }

    /// Lends the rows in one consistent state. `body` runs under a lock and must not wait.
    /// - Returns: Nil while the rows are not loaded, or when the window was dropped.
    func read<T>(_ body: (borrowing RankedSet, _ version: UInt64) -> T) -> T? {
        state.withLock { state in state.backlog == nil && !state.isBroken ? body(state.ranked, state.version) : nil }
    }

    /// Increases with every applied change; nil while the rows are not loaded, or when the window was dropped.
    var version: UInt64? {
        state.withLock { state in state.backlog == nil && !state.isBroken ? state.version : nil }
    }

    /// Installs the rows that were read, and applies the backlog of changes to them.
    /// - Parameters:
    ///   - ranked: The rows, those of hidden players included.
    ///   - position: The WAL position of the snapshot. The rows contain the commits before it and no others.
    ///   - hidden: The players that are hidden now.
    func install(_ ranked: consuming RankedSet, readAt position: UInt64, hidden: Set<Int64>) {
        var ranked: RankedSet? = consume ranked
        state.withLock { state in
            guard let backlog = state.backlog, let ranked = ranked.take() else { return }
            state.ranked = ranked
            for player in hidden {
                for row in [player, 0 &- player] { state.hidden[row] = state.ranked.remove(row) }
            }
            state.backlog = nil
            for (committedAt, changes) in backlog where committedAt >= position {
                for change in changes { apply(change, isHidden: hidden.contains(abs(change.row)), to: &state) }
            }
        }
    }

    /// Applies the changes of one commit to this window.
    /// - Returns: False when the rows have to be read again.
    func apply(_ changes: [RollupChange], committedAt position: UInt64, isHidden: (Int64) -> Bool) -> Bool {
        state.withLock { state in
            if state.backlog != nil {
                state.backlog?.append((position, changes))
                return true
            }
            for change in changes { apply(change, isHidden: isHidden(change.row), to: &state) }
            return !state.isBroken
        }
    }

    /// Marks the window as dropped: a caller that still holds it reads nothing from it.
    func retire() {
        state.withLock { $0.isBroken = true }
    }

    /// Hides a player's rows from the ranking, or shows them again.
    func setHidden(_ player: Int64, _ isHidden: Bool) {
        state.withLock { state in
            guard state.backlog == nil else { return }
            for row in [player, 0 &- player] {
                if isHidden {
                    if let gone = state.ranked.remove(row) { state.hidden[row] = gone }
                } else if let back = state.hidden.removeValue(forKey: row) {
                    _ = state.ranked.set(back)
                }
            }
            state.version &+= 1
        }
    }

    private func apply(_ change: RollupChange, isHidden: Bool, to state: inout State) {
        let current = isHidden ? state.hidden[change.row] : state.ranked.find(change.row)
        let isWhole = id.days.map { $0.lowerBound == $0.upperBound } ?? true
        switch rule.outcome(of: change, current: current, isWhole: isWhole) {
        case .nothing: return
        case .unknown: state.isBroken = true
        case .remove: _ = isHidden ? state.hidden.removeValue(forKey: change.row) : state.ranked.remove(change.row)
        case .set(let row):
            if isHidden { state.hidden[change.row] = row } else { _ = state.ranked.set(row) }
        }
        state.version &+= 1
    }
}
