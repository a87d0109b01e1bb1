/// A row of a board by its place, 24 bytes.
///
/// The one total order: order key, then `reachedAt`, then `row`; the smaller row stands better.
package struct RankedRow: Sendable, Hashable, Comparable {
    /// Points as the board orders them: smaller is better.
    package let orderKey: Int64
    /// Microseconds since 1970.
    package let reachedAt: Int64
    /// Whose row it is: a player's id, negative for what the player gave anonymously.
    package let row: Int64

    package init(orderKey: Int64, reachedAt: Int64, row: Int64) {
        self.orderKey = orderKey
        self.reachedAt = reachedAt
        self.row = row
    }

    @inline(__always)
    package static func < (one: RankedRow, other: RankedRow) -> Bool {
        if one.orderKey != other.orderKey { return one.orderKey < other.orderKey }
        if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
        return one.row < other.row
    }

    /// Stands before every row with this order key.
    static func first(ofOrderKey orderKey: Int64) -> RankedRow {
        RankedRow(orderKey: orderKey, reachedAt: .min, row: .min)
    }
}
