package import Domain

/// The settings of a score board that is to be added.
package struct NewBoard: Sendable {
    package var game: Slug
    package var slug: Slug
    package var name: DisplayName
    package var policy: Board.Policy
    package var lowestFirst: Bool
    package var bounds: ClosedRange<Int64>
    package var zone: String
    package var ties: Board.Ties
    package var earning: Earning
    package var earnMax: Int64?
    package var earnDay: Int64?
    package var opensAt: Instant?
    package var closesAt: Instant?

    package init(
        game: Slug, slug: Slug, name: DisplayName, policy: Board.Policy, lowestFirst: Bool, bounds: ClosedRange<Int64>, zone: String,
        ties: Board.Ties,
        earning: Earning, earnMax: Int64?, earnDay: Int64?, opensAt: Instant?, closesAt: Instant?
    ) {
        self.game = game
        self.slug = slug
        self.name = name
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.bounds = bounds
        self.zone = zone
        self.ties = ties
        self.earning = earning
        self.earnMax = earnMax
        self.earnDay = earnDay
        self.opensAt = opensAt
        self.closesAt = closesAt
    }
}
