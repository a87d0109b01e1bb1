package import Domain

/// Teams and their points in the plainest way: all posts and all days of membership, looked through for each question.
package struct TeamModel: Sendable {
    package struct Post: Sendable {
        package let player: Player.ID
        package let board: String
        package let day: Day
        package let points: Int64
        package let at: Instant
        package var counts = true
    }

    package struct Span: Sendable {
        package let team: Team.ID
        package let first: Day
        package var last: Day?

        package func covers(_ day: Day) -> Bool { first <= day && (last.map { day <= $0 } ?? true) }
    }

    package struct Rules: Sendable {
        package let policy: Board.Policy
        package let lowestFirst: Bool
        /// 0 for all members.
        package let best: Int

        package init(policy: Board.Policy, lowestFirst: Bool, best: Int) {
            (self.policy, self.lowestFirst, self.best) = (policy, lowestFirst, best)
        }
    }

    package struct Row: Sendable, Equatable, CustomStringConvertible {
        package let team: Team.ID
        package let points: Int128
        package let reachedAt: Instant
        package let members: Int64

        package init(team: Team.ID, points: Int128, reachedAt: Instant, members: Int64) {
            (self.team, self.points, self.reachedAt, self.members) = (team, points, reachedAt, members)
        }

        package var description: String {
            "\(team.rawValue): \(points) of \(members) at \(reachedAt.microsecondsSince1970)"
        }
    }

    package var rules: [String: Rules] = [:]
    package var posts: [Post] = []
    package var spans: [Player.ID: [Span]] = [:]
    /// With whom players are one who were merged.
    package var survivors: [Player.ID: Player.ID] = [:]
    package var hiddenPlayers: Set<Player.ID> = []
    package var hiddenTeams: Set<Team.ID> = []

    package init() {}

    package func survivor(of player: Player.ID) -> Player.ID { survivors[player] ?? player }

    package func members(of survivor: Player.ID) -> [Player.ID] {
        [survivor] + survivors.filter { $0.value == survivor }.map(\.key).sorted()
    }

    /// The team that a player is in, or will be in tomorrow.
    package func team(of player: Player.ID) -> Team.ID? {
        members(of: player).lazy.flatMap { spans[$0] ?? [] }.first { $0.last == nil }?.team
    }

    package mutating func join(_ player: Player.ID, _ team: Team.ID, on today: Day) {
        let all = members(of: player)
        for member in all {
            if let index = spans[member]?.firstIndex(where: { $0.team == team && $0.last == today }) {
                spans[member]?[index].last = nil
                return
            }
        }
        let end = all.flatMap { spans[$0] ?? [] }.compactMap(\.last).max()
        let first = max(today, end.map { $0.advanced(byDays: 1) } ?? today)
        spans[player, default: []].append(Span(team: team, first: first, last: nil))
    }

    package mutating func leave(_ player: Player.ID, on today: Day) {
        for member in members(of: player) {
            spans[member] = (spans[member] ?? []).compactMap { span in
                guard span.last == nil else { return span }
                return span.first > today ? nil : Span(team: span.team, first: span.first, last: today)
            }
        }
    }

    /// The team that a day of a player belongs to.
    private func team(of survivor: Player.ID, on day: Day) -> Team.ID? {
        for member in members(of: survivor) {
            if let span = spans[member]?.first(where: { $0.covers(day) }) { return span.team }
        }
        return nil
    }

    /// The teams on a board in a range of days, best first.
    package func ranking(_ board: String, _ days: ClosedRange<Day>?) -> [Row] {
        guard let rules = rules[board] else { return [] }
        struct Key: Hashable {
            let team: Team.ID
            let player: Player.ID
        }
        var counted: [Key: [Post]] = [:]
        for post in posts where post.board == board && post.counts && days?.contains(post.day) ?? true {
            let player = survivor(of: post.player)
            guard !hiddenPlayers.contains(player), let team = team(of: player, on: post.day),
                !hiddenTeams.contains(team)
            else { continue }
            counted[Key(team: team, player: player), default: []].append(post)
        }
        let sign: Int128 = rules.lowestFirst ? 1 : -1
        var teams: [Team.ID: [(key: Int128, at: Instant, player: Player.ID)]] = [:]
        for (key, posts) in counted {
            let points: Int128
            let at: Instant
            switch rules.policy {
            case .sum:
                points = posts.reduce(0) { $0 + Int128($1.points) }
                at = posts.map(\.at).max() ?? .noon(after: 0)
            case .latest:
                let last = posts.max { $0.at < $1.at }
                (points, at) = (Int128(last?.points ?? 0), last?.at ?? .noon(after: 0))
            case .best:
                let best = posts.min { (sign * Int128($0.points), $0.at) < (sign * Int128($1.points), $1.at) }
                (points, at) = (Int128(best?.points ?? 0), best?.at ?? .noon(after: 0))
            }
            teams[key.team, default: []].append((sign * points, at, key.player))
        }
        var rows: [Row] = []
        for (team, members) in teams {
            if rules.best > 0, rules.lowestFirst, members.count < rules.best { continue }
            let ordered = members.sorted { ($0.key, $0.at, $0.player.rawValue) < ($1.key, $1.at, $1.player.rawValue) }
            let best = rules.best > 0 ? Array(ordered.prefix(rules.best)) : ordered
            let sum = best.reduce(0) { $0 + $1.key } * sign
            rows.append(
                Row(
                    team: team, points: max(-Int128(Int64.max), min(Int128(Int64.max), sum)),
                    reachedAt: best.map(\.at).max() ?? .noon(after: 0), members: Int64(members.count)))
        }
        return rows.sorted { one, other in
            (sign * one.points, one.reachedAt, one.team.rawValue) < (
                sign * other.points, other.reachedAt, other.team.rawValue
            )
        }
    }
}
