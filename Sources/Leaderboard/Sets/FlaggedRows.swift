import Domain
import OrderStatistics
import Storage
import Synchronization

/// The rows of one window by the flags that their players show: a ranking for each country, and for each region.
///
/// It is filled from the window's rows in memory, a step at a time, and then follows them: whatever changes a row there
/// has it looked up again here. A row that is looked up twice is right, so the order of fills and changes does not
/// matter. The window's lock is taken first and held while a row is copied, so nothing older comes later.
final class FlaggedRows: Sendable {
    private enum Phase {
        /// - Parameter after: The last row that was copied; nil at the beginning.
        case filling(after: RankedRow?)
        case ready
        case dropped
    }

    /// The ranking of one country or region.
    private final class Group { var rows = RankedSet() }

    private struct State {
        var phase = Phase.filling(after: nil)
        var groups: [CountryFlag: Group] = [:]
        /// Counts changes.
        var version: UInt64 = 0
    }

    private let window: InMemoryWindow
    private let flags: ShownFlags
    private let state = Mutex(State())
    private let askedAt: Atomic<Int64>

    init(of window: InMemoryWindow, flags: ShownFlags, askedAt: Int64) {
        (self.window, self.flags) = (window, flags)
        self.askedAt = Atomic(askedAt)
    }

    /// When it was last read, in seconds of a monotonic clock.
    var lastAsked: Int64 { askedAt.load(ordering: .relaxed) }

    func touch(at seconds: Int64) { if lastAsked != seconds { askedAt.store(seconds, ordering: .relaxed) } }

    /// Increases with every change; nil while it is filled, and once it was dropped.
    var version: UInt64? { state.withLock { state in if case .ready = state.phase { state.version } else { nil } } }

    /// About how many rows of a window take as much memory.
    var rowsCount: Int {
        state.withLock { state in state.groups.values.reduce(0) { $0 + max($1.rows.count, Limits.rowsOfGroupMin) } }
    }

    // MARK: - Changes

    /// Copies some more of the window's rows.
    /// - Returns: Whether more are left.
    func fill() -> Bool {
        let isLeft = window.read { rows, _ in
            state.withLock { state in
                guard case .filling(let after) = state.phase else { return false }
                let start = after.map { rows.position(of: $0) + (rows.find($0.row) == $0 ? 1 : 0) } ?? 0
                let some = rows.rows(from: start, limit: Limits.windowChangesMax)
                for (row, flag) in zip(some, flags.find(some.map(\.row))) {
                    if let flag { Self.place(row, row.row, under: flag, in: &state) }
                }
                state.phase = some.count < Limits.windowChangesMax ? .ready : .filling(after: some.last)
                return some.count == Limits.windowChangesMax
            }
        }
        if isLeft == nil { drop() }
        return isLeft ?? false
    }

    /// Looks rows up again that have changed in the window.
    func follow(_ changed: some Collection<Int64>) {
        let players = zip(changed, flags.find(changed)).compactMap { player, flag in flag.map { (player, $0) } }
        if players.isEmpty { return }
        for start in stride(from: 0, to: players.count, by: Limits.windowChangesMax) {
            let some = players[start..<min(start + Limits.windowChangesMax, players.count)]
            let isFollowed: Void? = window.read { rows, _ in
                state.withLock { state in
                    if case .dropped = state.phase { return }
                    for (player, flag) in some { Self.place(rows.find(player), player, under: flag, in: &state) }
                    state.version &+= 1
                }
            }
            if isFollowed == nil { return drop() }
        }
    }

    /// A player shows another flag, or none.
    func move(_ player: Int64, from former: CountryFlag?, to flag: CountryFlag?) {
        let isMoved: Void? = window.read { rows, _ in
            state.withLock { state in
                if case .dropped = state.phase { return }
                if let former { Self.place(nil, player, under: former, in: &state) }
                if let flag { Self.place(rows.find(player), player, under: flag, in: &state) }
                state.version &+= 1
            }
        }
        if isMoved == nil { drop() }
    }

    func drop() { state.withLock { state in (state.phase, state.groups) = (.dropped, [:]) } }

    /// - Parameter row: Nil where the player has none.
    private static func place(_ row: RankedRow?, _ player: Int64, under flag: CountryFlag, in state: inout State) {
        for flag in flag.isRegion ? [flag, flag.country] : [flag] {
            if let row {
                if state.groups[flag] == nil { state.groups[flag] = Group() }
                state.groups[flag]?.rows.set(row)
            } else if let group = state.groups[flag] {
                group.rows.remove(player)
                if group.rows.count == 0 { state.groups[flag] = nil }
            }
        }
    }

    // MARK: - Readers

    /// Consecutive rows of the players who show a flag, with their positions in the window.
    /// - Returns: Nil while the rows are not there.
    func page(of flag: CountryFlag, pageRequest: PageRequest, limitRows: Int) -> (
        page: InMemoryPage, positions: [RankedPosition?]
    )? {
        let found = window.read { rows, _ in
            state.withLock { state -> (InMemoryPage, [RankedPosition?])? in
                guard case .ready = state.phase else { return nil }
                let group = state.groups[flag] ?? Group()
                let page = InMemoryPage(group.rows, pageRequest: pageRequest, limitRows: limitRows)
                return (page, page.rows.map { rows.rankedPosition(of: $0.row) })
            }
        }
        return found ?? nil
    }

    /// What countries come to, or the regions of one, in any order.
    /// - Parameters:
    ///   - best: How many players of each count.
    /// - Returns: Nil while the rows are not there.
    func sums(in country: CountryFlag?, best: Int, lowestFirst: Bool) -> [CountrySum]? {
        state.withLock { state in
            guard case .ready = state.phase else { return nil }
            return state.groups.compactMap { flag, group in
                let isAsked = country.map { flag.isRegion && flag.country == $0 } ?? !flag.isRegion
                guard isAsked, !lowestFirst || group.rows.count >= best else { return nil }
                let counted = group.rows.rows(from: 0, limit: best)
                guard let newest = counted.map(\.reachedAt).max() else { return nil }
                let points = counted.reduce(Int128(0)) { $0 + $1.points(lowestFirst: lowestFirst) }
                return CountrySum(
                    country: flag, points: max(Int64(clamping: points), -.max),
                    reachedAt: Instant(microsecondsSince1970: newest), players: Int64(group.rows.count))
            }
        }
    }
}
