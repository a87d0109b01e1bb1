/// A charity's row of the charity board.
package struct Charity: Sendable, Equatable {
    package let slug: String
    package let name: String
    /// All that was given to it; wider than 64 bits.
    package let points: Int128
    package let contributors: Int64
    /// When the last point arrived; nil before the first.
    package let reachedAt: Instant?
    /// What it hopes to receive.
    package let goal: Int64?
    package let url: String?
    package let description: String?
    /// No more gifts come.
    package let isFinal: Bool

    package init(
        slug: String, name: String, points: Int128, contributors: Int64, reachedAt: Instant?, goal: Int64?, url: String?,
        description: String?, isFinal: Bool
    ) {
        self.slug = slug
        self.name = name
        self.points = points
        self.contributors = contributors
        self.reachedAt = reachedAt
        self.goal = goal
        self.url = url
        self.description = description
        self.isFinal = isFinal
    }

    /// How much of the goal is reached, in tenths of a percent, cut off; above 1,000 when it is passed, nil without a goal.
    package var progressTenths: Int64? {
        goal.map { goal in
            let (thousandfold, over) = points.multipliedReportingOverflow(by: 1_000)
            // What overflows here is past 64 bits whatever the goal, since a goal has 63.
            if over { return points < 0 ? .min : .max }
            return Int64(clamping: thousandfold / Int128(max(goal, 1)))
        }
    }
}
