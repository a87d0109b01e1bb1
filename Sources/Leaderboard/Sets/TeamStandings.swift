import Domain
import Storage
import Synchronization

/// The rankings of teams that somebody asked for within a minute, and who was in which team, so that a change of a
/// player marks its teams. A post costs nothing on boards whose teams nobody asks for, and else a look at its player.
final class TeamStandings: Sendable {
    private struct Span {
        let firstDay: Day
        let team: Int64
    }

    private struct State {
        var isFollowing = false
        var windows: [InMemoryWindow.ID: TeamWindow] = [:]
        var windowsOfBoards: [Board.ID: [TeamWindow]] = [:]
        /// The teams that each player is or was in, by the player of the membership.
        var spans: [Int64: [Span]] = [:]
        /// Those who were merged into a player.
        var merged: [Int64: Set<Int64>] = [:]
        var survivors: [Int64: Int64] = [:]
        var seconds: Int64 = 0
        /// The first day on which anybody was in a team.
        var firstDay = Day(daysSince1970: .max)

        /// The teams of a player and of all who are one with it.
        func teams(of player: Int64) -> Set<Int64> {
            let survivor = survivors[player] ?? player
            var teams = Set((spans[survivor] ?? []).map(\.team))
            for other in merged[survivor] ?? [] { teams.formUnion((spans[other] ?? []).map(\.team)) }
            return teams
        }

        mutating func drop(_ window: TeamWindow) {
            window.retire()
            windows[window.id] = nil
            windowsOfBoards[window.id.board]?.removeAll { $0 === window }
            if windowsOfBoards[window.id.board]?.isEmpty ?? false { windowsOfBoards[window.id.board] = nil }
        }
    }

    private let state = Mutex(State())

    /// The window of a board, which is added if it is not there.
    /// - Returns: Nil while no stream is followed that tells of teams.
    func window(of board: Board, days: ClosedRange<Day>?) -> TeamWindow? {
        let id = InMemoryWindow.ID(board: board.id, days: days)
        return state.withLock { state in
            guard state.isFollowing else { return nil }
            if let window = state.windows[id] {
                window.touch(at: state.seconds)
                return window
            }
            if state.windows.count >= Limits.teamWindowsMax,
                let oldest = state.windows.values.min(by: { $0.lastAsked < $1.lastAsked })
            {
                state.drop(oldest)
            }
            let window = TeamWindow(id, lowestFirst: board.lowestFirst, askedAt: state.seconds)
            state.windows[id] = window
            state.windowsOfBoards[board.id, default: []].append(window)
            return window
        }
    }

    /// The first day on which anybody was in a team.
    var firstDay: Day { state.withLock { $0.firstDay } }

    /// A reader was answered from what was read from a window.
    func touch(_ window: TeamWindow) { window.touch(at: state.withLock { $0.seconds }) }

    // MARK: - The follower

    /// Begins to follow a stream.
    /// - Parameter isPublished: Whether the stream tells of teams.
    func begin(
        _ members: [(player: Player.ID, firstDay: Day, team: Team.ID)],
        merged: [(player: Player.ID, survivor: Player.ID)], isPublished: Bool
    ) {
        var next = State()
        next.isFollowing = isPublished
        if isPublished {
            for member in members {
                next.firstDay = min(next.firstDay, member.firstDay)
                next.spans[member.player.rawValue, default: []].append(
                    Span(firstDay: member.firstDay, team: member.team.rawValue))
            }
            for merge in merged {
                next.survivors[merge.player.rawValue] = merge.survivor.rawValue
                next.merged[merge.survivor.rawValue, default: []].insert(merge.player.rawValue)
            }
        }
        state.withLock { state in
            next.seconds = state.seconds
            for window in state.windows.values { window.retire() }
            state = next
        }
    }

    /// Drops everything, because the stream is lost.
    func end() {
        state.withLock { state in
            let seconds = state.seconds
            for window in state.windows.values { window.retire() }
            state = State()
            state.seconds = seconds
        }
    }

    /// Marks the teams that a commit concerns.
    func apply(_ changes: CommittedChanges) {
        let isWatched = state.withLock { state -> Bool in
            guard state.isFollowing else { return false }
            // What a board counts may be something else now.
            if changes.invalidatesBoards { for window in Array(state.windows.values) { state.drop(window) } }
            var teams = Set<Int64>()
            for change in changes.members { teams.formUnion(Self.note(change, in: &state)) }
            for merge in changes.merges { teams.formUnion(Self.note(merge, in: &state)) }
            if state.windows.isEmpty { return false }
            teams.formUnion(changes.teams)
            if !teams.isEmpty { for window in state.windows.values { window.mark(teams) } }
            return true
        }
        guard isWatched else { return }
        for players in changes.players.slices(of: Limits.windowChangesMax) {
            state.withLock { state in
                let teams = players.reduce(into: Set<Int64>()) { $0.formUnion(state.teams(of: $1.player)) }
                if !teams.isEmpty { for window in state.windows.values { window.mark(teams) } }
            }
        }
        for rollups in changes.rollups.slices(of: Limits.windowChangesMax) {
            state.withLock { state in
                for change in rollups {
                    guard let day = change.day, let windows = state.windowsOfBoards[change.board] else { continue }
                    let teams = state.teams(of: change.row)
                    if teams.isEmpty { continue }
                    for window in windows where window.id.days?.contains(day) ?? true { window.mark(teams) }
                }
            }
        }
    }

    /// - Returns: The teams that the merge concerns.
    private static func note(_ merge: CommittedChanges.Merge, in state: inout State) -> Set<Int64> {
        var teams = state.teams(of: merge.player)
        if let former = state.survivors.removeValue(forKey: merge.player) { state.merged[former]?.remove(merge.player) }
        if let survivor = merge.survivor {
            state.survivors[merge.player] = survivor
            state.merged[survivor, default: []].insert(merge.player)
        }
        teams.formUnion(state.teams(of: merge.player))
        return teams
    }

    /// - Returns: The teams that the change concerns.
    private static func note(_ change: CommittedChanges.MemberChange, in state: inout State) -> [Int64] {
        var spans = state.spans[change.player] ?? []
        let former = spans.filter { $0.firstDay == change.firstDay }.map(\.team)
        spans.removeAll { $0.firstDay == change.firstDay }
        if let team = change.team {
            spans.append(Span(firstDay: change.firstDay, team: team))
            state.firstDay = min(state.firstDay, change.firstDay)
        }
        state.spans[change.player] = spans.isEmpty ? nil : spans
        return former + [change.team].compactMap(\.self)
    }

    /// Marks what this process has just changed. Others learn of it by the stream.
    func note(_ teams: [Team.ID], of players: [Player.ID]) {
        state.withLock { state in
            if state.windows.isEmpty { return }
            var marked = Set(teams.map(\.rawValue))
            for player in players { marked.formUnion(state.teams(of: player.rawValue)) }
            for window in state.windows.values { window.mark(marked) }
        }
    }

    /// Another second has begun: windows that nobody reads are dropped.
    func tidy(at seconds: Int64) {
        state.withLock { state in
            state.seconds = seconds
            for window in state.windows.values {
                if seconds - window.lastAsked > Limits.teamWindowSecondsMax {
                    state.drop(window)
                } else {
                    window.tick()
                }
            }
        }
    }

    /// The number of windows.
    var windowsCount: Int { state.withLock { $0.windows.count } }
}
