package import Domain

/// A board whose rows are kept in order somewhere else, and how it orders them.
package struct FollowedBoard: Sendable {
    package let id: Board.ID
    package let policy: Board.Policy
    package let lowestFirst: Bool
    /// Ranks by what was given, not by what was played.
    package let isGiving: Bool

    package init(id: Board.ID, policy: Board.Policy, lowestFirst: Bool, isGiving: Bool) {
        self.id = id
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.isGiving = isGiving
    }
}
