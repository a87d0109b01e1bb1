/// One of a board's best posts: a score with the name that it came with, or else its player's.
package struct BestPost: Sendable, Equatable {
    package let name: String
    package let points: Int64
    package let reachedAt: Instant
    /// What identifies the post, which nobody may see.
    package let entry: String

    /// - Parameter name: Empty for a player who was erased.
    package init(name: String, points: Int64, reachedAt: Instant, entry: String) {
        self.entry = entry
        self.name = name.isEmpty ? Standing.formerName : name
        self.points = points
        self.reachedAt = reachedAt
    }
}
