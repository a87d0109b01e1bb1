/// One row of a board's window, 24 bytes; the smaller of two rows stands better.
///
/// Rows are in one total order: by `orderKey`, then by `reachedAt`, then by `row`. Every `Int64` is taken in all three.
package struct RankedRow: Sendable, Hashable {
    /// What the board ranks by, turned so that less is better.
    package let orderKey: Int64
    /// When the points were reached, in microseconds since 1970: of equal keys the earlier stands better.
    package let reachedAt: Int64
    /// Whose row it is: a player's id, or a negative number for gifts without a name.
    package let row: Int64

    package init(orderKey: Int64, reachedAt: Int64, row: Int64) {
        self.orderKey = orderKey
        self.reachedAt = reachedAt
        self.row = row
    }

    /// The least of all places with this key: every row that stands before it has a strictly better key.
    static func first(ofOrderKey orderKey: Int64) -> RankedRow {
        RankedRow(orderKey: orderKey, reachedAt: .min, row: .min)
    }
}

extension RankedRow: Comparable {
    package static func < (one: RankedRow, other: RankedRow) -> Bool {
        if one.orderKey != other.orderKey { return one.orderKey < other.orderKey }
        if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
        return one.row < other.row
    }
}
