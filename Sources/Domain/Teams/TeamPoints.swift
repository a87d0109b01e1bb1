/// Where a team stands on a board in a range of days.
package struct TeamPoints: Sendable, Equatable {
    package let team: Team.ID
    /// Sums stop at ±(2^63-1).
    package let points: Int64
    /// When the newest of what counts was reached.
    package let reachedAt: Instant
    /// How many members have points.
    package let membersCount: Int64

    package init(team: Team.ID, points: Int64, reachedAt: Instant, membersCount: Int64) {
        (self.team, self.points, self.reachedAt, self.membersCount) = (team, points, reachedAt, membersCount)
    }

    /// The points of teams by what their members made of each of their days: the rule of `team_window_standing` in SQL.
    /// A team is left out if none of its members has points, and where low is good if too few have.
    package static func of(_ tallies: [TeamTally], policy: Board.Policy, lowestFirst: Bool, scoring: TeamScoring)
        -> [TeamPoints]
    {
        var teams: [Team.ID: [Player.ID: [TeamTally]]] = [:]
        for tally in tallies { teams[tally.team, default: [:]][tally.player, default: []].append(tally) }
        let best: Int? = if case .best(let count) = scoring { Int(count) } else { nil }
        return teams.compactMap { team, players in
            let members = players.compactMap { member($0, $1, policy, lowestFirst) }
            if lowestFirst, let best, members.count < best { return nil }
            let counted = best.map { members.sorted { $0.precedes($1) }.prefix($0) } ?? members[...]
            guard let newest = counted.map(\.reachedAt).max() else { return nil }
            let sum = counted.reduce(0) { $0 + $1.orderKey }
            let points = lowestFirst ? sum : -sum
            return TeamPoints(
                team: team, points: Int64(clamping: max(points, -Int128(Int64.max))), reachedAt: newest,
                membersCount: Int64(members.count))
        }
    }

    /// Where a member stands by its days; nil without any.
    private static func member(_ player: Player.ID, _ days: [TeamTally], _ policy: Board.Policy, _ lowestFirst: Bool)
        -> SortKey?
    {
        func key(_ points: Int128, _ reachedAt: Instant) -> SortKey {
            SortKey(orderKey: lowestFirst ? points : -points, reachedAt: reachedAt, row: player.rawValue)
        }
        let keys = days.map { key(Int128($0.points), $0.reachedAt) }
        switch policy {
        case .sum: return keys.map(\.reachedAt).max().map { key(days.reduce(0) { $0 + Int128($1.points) }, $0) }
        case .best: return keys.min { $0.precedes($1) }
        case .latest: return keys.max { $0.reachedAt < $1.reachedAt }
        }
    }
}

/// What a member of a team made of a day on which it was one.
package struct TeamTally: Sendable {
    package let team: Team.ID
    package let player: Player.ID
    package let points: Int64
    package let reachedAt: Instant

    package init(team: Team.ID, player: Player.ID, points: Int64, reachedAt: Instant) {
        (self.team, self.player, self.points, self.reachedAt) = (team, player, points, reachedAt)
    }
}
