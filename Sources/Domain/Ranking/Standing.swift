/// A row of a ranking of players.
package struct Standing: Sendable, Equatable {
    /// Nil in the row of an anonymous donation, and of a player who was erased.
    package let player: Player.ID?
    package let name: String
    package let avatar: AvatarHash?
    /// Nil unless the player shows one.
    package let flag: CountryFlag?
    /// Wider than 64 bits, because sums across days or players may exceed them.
    package let points: Int128
    package let reachedAt: Instant
    package let sortKey: SortKey
    /// What came with the score, as JSON; nil unless it was asked for.
    package var detail: String?

    /// - Parameters:
    ///   - row: The player's id, or a negative number for an anonymous donation, whose name and picture are withheld.
    ///   - name: Empty for a player who was erased.
    ///   - orderKey: Points as a sort key: smaller is better.
    package init(
        row: Int64, name: String, avatar: AvatarHash?, flag: CountryFlag? = nil, points: Int128, reachedAt: Instant,
        orderKey: Int128
    ) {
        let isAnonymous = row < 0
        self.player = isAnonymous || name.isEmpty ? nil : Player.ID(rawValue: row)
        self.name = isAnonymous ? Self.anonymousName : name.isEmpty ? Self.formerName : name
        self.avatar = isAnonymous ? nil : avatar
        self.flag = isAnonymous ? nil : flag
        self.points = points
        self.reachedAt = reachedAt
        self.sortKey = SortKey(orderKey: orderKey, reachedAt: reachedAt, row: row)
    }

    /// The name that stands for anonymous donors; it is reserved.
    package static let anonymousName = "Anonymous"
    /// The name that stands for players who were erased; it is reserved.
    package static let formerName = "A former player"

    /// Whether it is what somebody donated without a name.
    package var isAnonymous: Bool { player == nil && name == Self.anonymousName }
}

/// A row's place in the one total order: better points first, then the earlier row, then the smaller row id.
package struct SortKey: Sendable, Hashable {
    /// Points as a sort key: smaller is better.
    package let orderKey: Int128
    package let reachedAt: Instant
    /// The player's id, negative for an anonymous donation; on the charity board a charity's id.
    package let row: Int64

    package init(orderKey: Int128, reachedAt: Instant, row: Int64) {
        self.orderKey = orderKey
        self.reachedAt = reachedAt
        self.row = row
    }

    /// Whether this sort key ranks before another one.
    package func precedes(_ other: SortKey) -> Bool {
        if orderKey != other.orderKey { return orderKey < other.orderKey }
        if reachedAt != other.reachedAt { return reachedAt < other.reachedAt }
        return row < other.row
    }
}

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
