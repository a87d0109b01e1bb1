/// A row of a ranking of players.
package struct Standing: Sendable, Equatable {
    /// Nil in the row of what somebody gave anonymously.
    package let player: Player.ID?
    package let name: String
    package let avatar: AvatarHash?
    /// Wider than 64 bits: sums across days or players may pass them.
    package let points: Int128
    package let reachedAt: Instant
    package let sortKey: SortKey

    /// - Parameters:
    ///   - row: The player's id, or its negative for what the player gave anonymously: then the name and the picture
    ///     stay out.
    ///   - orderKey: Points as the board orders them.
    package init(row: Int64, name: String, avatar: AvatarHash?, points: Int128, reachedAt: Instant, orderKey: Int128) {
        let isAnonymous = row < 0
        self.player = isAnonymous ? nil : Player.ID(rawValue: row)
        self.name = isAnonymous ? Self.anonymousName : name
        self.avatar = isAnonymous ? nil : avatar
        self.points = points
        self.reachedAt = reachedAt
        self.sortKey = SortKey(orderKey: orderKey, reachedAt: reachedAt, row: row)
    }

    /// What nobody else may be called.
    package static let anonymousName = "Anonymous"
}

/// Where a row stands in the one total order: better points first, then who was there first, then the row's id.
package struct SortKey: Sendable, Hashable {
    /// Points as the board orders them: smaller is better.
    package let orderKey: Int128
    package let reachedAt: Instant
    /// The player's id, negative for what the player gave anonymously; of the charity board a charity's.
    package let row: Int64

    package init(orderKey: Int128, reachedAt: Instant, row: Int64) {
        self.orderKey = orderKey
        self.reachedAt = reachedAt
        self.row = row
    }

    /// Whether this place is the better one.
    package func precedes(_ other: SortKey) -> Bool {
        if orderKey != other.orderKey { return orderKey < other.orderKey }
        if reachedAt != other.reachedAt { return reachedAt < other.reachedAt }
        return row < other.row
    }
}
