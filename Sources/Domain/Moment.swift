package import FoundationEssentials

/// Where a row stands in a player's own history, which is ordered by arrival and then by id.
package struct Moment: Sendable, Equatable {
    package let reachedAt: Instant
    package let id: UUID

    package init(reachedAt: Instant, id: UUID) {
        self.reachedAt = reachedAt
        self.id = id
    }
}
