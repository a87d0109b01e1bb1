import Concurrency
import Domain
import OrderStatistics
import Synchronization

/// The ranked teams of one board in one window, as far as they were read. A change of what a member has marks its team,
/// and a reader has the marked teams read again.
///
/// A commit is in the stream a moment before other transactions see it, and a read in between returns what was before.
/// So a team stays marked for one to two seconds, and each reader until then has it read again.
final class TeamWindow: Sendable {
    /// What has to be read before the rows are current.
    enum Due: Sendable {
        case nothing
        case all
        case teams([Team.ID])
    }

    private struct Mark {
        /// How often the second has to change until others see what marked it.
        var ticks = TeamWindow.ticksMax
        /// Counts up with each mark.
        var number: UInt64
        var isRead = false
    }

    private struct State: ~Copyable {
        /// Nil until all teams were read.
        var ranked: RankedSet?
        var members: [Int64: Int64] = [:]
        var marks: [Int64: Mark] = [:]
        /// Whether all teams have to be read again, until the marks of then are old.
        var all: Mark? = Mark(number: 0)
        var number: UInt64 = 0
        var version: UInt64 = 0
        var isTooLarge = false
        var isRetired = false
        var lastAsked: Int64
    }

    let id: InMemoryWindow.ID
    /// Reads of what is due. One runs at a time, so that an older one never replaces a newer one.
    let reads = SingleFlight<Void>()
    private let lowestFirst: Bool
    private let state: Mutex<State>

    private static let ticksMax = 2

    init(_ id: InMemoryWindow.ID, lowestFirst: Bool, askedAt: Int64) {
        (self.id, self.lowestFirst) = (id, lowestFirst)
        state = Mutex(State(lastAsked: askedAt))
    }

    /// Increases with every change, and until all transactions see it. Nil once the window was dropped.
    var version: UInt64? { state.withLock { $0.isRetired ? nil : $0.version } }

    /// Marks the window as dropped, so that nothing that was read from it counts as current any more.
    func retire() { state.withLock { $0.isRetired = true } }

    var lastAsked: Int64 { state.withLock { $0.lastAsked } }

    /// Whether it has more teams than are kept.
    var isTooLarge: Bool { state.withLock { $0.isTooLarge } }

    func touch(at seconds: Int64) { state.withLock { $0.lastAsked = seconds } }

    /// Marks teams of which something has changed.
    func mark(_ teams: some Sequence<Int64>) {
        state.withLock { state in
            for team in teams {
                state.number &+= 1
                state.marks[team] = Mark(number: state.number)
            }
            if state.marks.count > Limits.teamMarksMax { markAll(&state) }
            state.version &+= 1
        }
    }

    private func markAll(_ state: inout State) {
        state.number &+= 1
        state.all = Mark(number: state.number)
        state.marks = [:]
    }

    /// Another second has begun.
    func tick() {
        state.withLock { state in
            let hadMarks = state.all != nil || !state.marks.isEmpty
            if var all = state.all {
                all.ticks = max(0, all.ticks - 1)
                all.isRead = false
                state.all = all
            }
            for (team, mark) in state.marks {
                var mark = mark
                mark.ticks = max(0, mark.ticks - 1)
                mark.isRead = false
                state.marks[team] = mark
            }
            if hadMarks { state.version &+= 1 }
        }
    }

    /// What has to be read now, and the number up to which a read that begins now sees the marks.
    func due() -> (due: Due, number: UInt64) {
        state.withLock { state in
            if state.ranked == nil { return (.all, state.number) }
            if let all = state.all, all.ticks > 0 || !all.isRead { return (.all, state.number) }
            let teams = state.marks.filter { $0.value.ticks > 0 || !$0.value.isRead }.keys.sorted()
            return (teams.isEmpty ? .nothing : .teams(teams.map(Team.ID.init)), state.number)
        }
    }

    /// Splits teams into those that one statement reads.
    /// - Parameter daysCount: Days of the window on which there may be members.
    /// - Returns: Nil where it is cheaper to read all teams.
    func batches(of teams: [Team.ID], daysCount: Int) -> [[Team.ID]]? {
        let members = state.withLock { state in teams.map { Int(clamping: state.members[$0.rawValue] ?? 1) } }
        var batches: [[Team.ID]] = []
        var (lookups, inAll) = (0, 0)
        for (team, members) in zip(teams, members) {
            let more = members * daysCount
            inAll += more
            if batches.isEmpty || lookups + more > Limits.teamLookupsMax
                || batches[batches.count - 1].count >= Limits.teamsReadMax
            {
                batches.append([])
                lookups = 0
            }
            batches[batches.count - 1].append(team)
            lookups += more
        }
        return inAll > Limits.teamLookupsInAllMax ? nil : batches
    }

    /// Installs all teams, which were read after ``due()`` returned a number.
    func install(_ rows: [TeamPoints], at number: UInt64) {
        if rows.count > Limits.teamRowsMax {
            return state.withLock { state in
                state.isTooLarge = true
                state.ranked = nil
                state.members = [:]
            }
        }
        var ranked: RankedSet? = RankedSet()
        for row in rows { ranked?.set(self.row(row)) }
        let members = Dictionary(rows.map { ($0.team.rawValue, $0.membersCount) }) { first, _ in first }
        state.withLock { state in
            state.ranked = ranked.take()
            state.members = members
            if let all = state.all, all.number <= number {
                state.all = all.ticks == 0 ? nil : Mark(ticks: all.ticks, number: all.number, isRead: true)
            }
            settle(state.marks.keys.map(\.self), at: number, in: &state)
        }
    }

    /// Installs some teams, which were read after ``due()`` returned a number. Those without a row have none any more.
    func install(_ rows: [TeamPoints], of teams: [Team.ID], at number: UInt64) {
        let rows = Dictionary(rows.map { ($0.team, $0) }) { first, _ in first }
        state.withLock { state in
            for team in teams {
                if let row = rows[team] {
                    state.ranked?.set(self.row(row))
                    state.members[team.rawValue] = row.membersCount
                } else {
                    state.ranked?.remove(team.rawValue)
                    state.members[team.rawValue] = nil
                }
            }
            settle(teams.map(\.rawValue), at: number, in: &state)
        }
    }

    /// Removes the marks that a read has seen, once all transactions saw what marked them.
    private func settle(_ teams: [Int64], at number: UInt64, in state: inout State) {
        for team in teams {
            guard let mark = state.marks[team], mark.number <= number else { continue }
            state.marks[team] = mark.ticks == 0 ? nil : Mark(ticks: mark.ticks, number: mark.number, isRead: true)
        }
    }

    /// Lends the rows, and how many members of each have points. `body` runs under a lock and must not wait.
    /// - Returns: Nil until they were read.
    func read<T>(_ body: (borrowing RankedSet, _ members: [Int64: Int64]) -> T) -> T? {
        state.withLock { state in
            let members = state.members
            guard let ranked = state.ranked.take() else { return nil }
            let value = body(ranked, members)
            state.ranked = consume ranked
            return value
        }
    }

    private func row(_ row: TeamPoints) -> RankedRow {
        RankedRow(
            orderKey: lowestFirst ? row.points : 0 - row.points, reachedAt: row.reachedAt.microsecondsSince1970,
            row: row.team.rawValue)
    }
}
