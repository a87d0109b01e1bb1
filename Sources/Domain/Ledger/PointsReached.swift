/// What a player has on a board, or on one day of it: points, and when they were reached.
package struct PointsReached: Sendable, Hashable {
    package let points: Int64
    package let reachedAt: Instant

    package init(points: Int64, reachedAt: Instant) {
        self.points = points
        self.reachedAt = reachedAt
    }

    /// What becomes of points before when another post arrives, in any order of arrivals.
    /// - Parameter before: Nil before the first post.
    /// - Returns: Nil when the sum leaves the range from -(2^63-1) to 2^63-1, which can be negated.
    static func after(_ before: PointsReached?, _ post: PointsReached, _ rules: ScoreRules) -> PointsReached? {
        guard let before else { return post }
        let latest = max(before.reachedAt, post.reachedAt)
        switch rules.policy {
        case .sum:
            let (sum, isOver) = before.points.addingReportingOverflow(post.points)
            return isOver || sum == .min ? nil : PointsReached(points: sum, reachedAt: latest)
        case .best:
            if rules.isBetter(post.points, than: before.points) { return post }
            let isEqual = post.points == before.points
            return isEqual
                ? PointsReached(points: before.points, reachedAt: min(before.reachedAt, post.reachedAt)) : before
        case .latest:
            let isNewer = post.reachedAt > before.reachedAt
            let wins = post.reachedAt == before.reachedAt && !rules.isBetter(before.points, than: post.points)
            return PointsReached(points: isNewer || wins ? post.points : before.points, reachedAt: latest)
        }
    }
}
