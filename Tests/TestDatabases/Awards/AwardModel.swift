package import Domain

/// What counts of a player, from which follows since when it holds awards.
package struct AwardModel: Sendable {
    package struct Post: Sendable {
        package let board: Slug
        package let season: Int32
        package let day: Day
        package let points: Int64
        package let at: Instant

        package init(board: Slug, season: Int32, day: Day, points: Int64, at: Instant) {
            (self.board, self.season, self.day, self.points, self.at) = (board, season, day, points, at)
        }
    }

    /// Funded points that were donated by name.
    package struct Donation: Sendable {
        package let charity: String
        package let points: Int64
        package let at: Instant

        package init(charity: String, points: Int64, at: Instant) {
            (self.charity, self.points, self.at) = (charity, points, at)
        }
    }

    package var posts: [Post] = []
    package var donations: [Donation] = []

    package init() {}

    /// The first moment at which a rule held; nil if it never did, and for rules that follow from more than this.
    /// - Parameter boards: How each board counts.
    package func since(_ rule: AwardRule, boards: [Slug: (policy: Board.Policy, lowestFirst: Bool)]) -> Instant? {
        switch rule {
        case .points(let board, let season, let window, let atLeast):
            guard let (policy, lowestFirst) = boards[board] else { return nil }
            let counted = posts.filter { $0.board == board && (season ?? $0.season) == $0.season }
            let groups = Dictionary(grouping: counted) { "\($0.season) \(window == .day ? $0.day.isoDate : "")" }
            return groups.values.compactMap { group in
                Self.moments(of: group.map(\.at)).first { moment in
                    let points = Self.points(of: group.filter { $0.at <= moment }, policy, lowestFirst)
                    return lowestFirst ? points <= atLeast : points >= atLeast
                }
            }.min()
        case .days(let board, let atLeast):
            return firstDay(on: board) { days, day in
                days.count { $0 <= day && Self.distance($0, day) <= 365 } >= atLeast
            }
        case .streak(let board, let atLeast):
            return firstDay(on: board) { days, day in
                (0..<atLeast).allSatisfy { back in days.contains { Self.distance($0, day) == back } }
            }
        case .given(let atLeast):
            return Self.moments(of: donations.map(\.at)).first { moment in
                donations.filter { $0.at <= moment }.reduce(0) { $0 + $1.points } >= atLeast
            }
        case .charities(let atLeast):
            return Self.moments(of: donations.map(\.at)).first { moment in
                Set(donations.filter { $0.at <= moment }.map(\.charity)).count >= atLeast
            }
        case .rank, .contestRank, .granted: return nil
        }
    }

    /// How many points better than these others have, by the points of all.
    package static func better(_ points: Int64, among all: some Sequence<Int64>, lowestFirst: Bool) -> Int64 {
        Int64(all.count { lowestFirst ? $0 < points : $0 > points })
    }

    package static func points(of posts: [Post], _ policy: Board.Policy, _ lowestFirst: Bool) -> Int64 {
        func best(_ points: [Int64]) -> Int64 { (lowestFirst ? points.min() : points.max()) ?? 0 }
        switch policy {
        case .sum: return posts.reduce(0) { $0 + $1.points }
        case .best: return best(posts.map(\.points))
        case .latest:
            let newest = posts.map(\.at).max()
            return best(posts.filter { $0.at == newest }.map(\.points))
        }
    }

    /// The moment of the first day that holds: that of its first post, but none before those of earlier days.
    private func firstDay(on board: Slug?, _ holds: (Set<Day>, Day) -> Bool) -> Instant? {
        var firsts: [Day: Instant] = [:]
        for post in posts where board ?? post.board == post.board {
            firsts[post.day] = min(post.at, firsts[post.day] ?? post.at)
        }
        let days = Set(firsts.keys)
        guard let day = days.sorted().first(where: { holds(days, $0) }) else { return nil }
        return firsts.filter { $0.key <= day }.values.max()
    }

    private static func moments(of instants: [Instant]) -> [Instant] { Set(instants).sorted() }

    private static func distance(_ earlier: Day, _ later: Day) -> Int64 {
        Int64(later.daysSince1970) - Int64(earlier.daysSince1970)
    }
}
