/// Where a row stands in the one total order: better points first, then who was there first, then the row's id.
package struct Place: Sendable, Hashable {
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
    package func precedes(_ other: Place) -> Bool {
        if orderKey != other.orderKey { return orderKey < other.orderKey }
        if reachedAt != other.reachedAt { return reachedAt < other.reachedAt }
        return row < other.row
    }
}
