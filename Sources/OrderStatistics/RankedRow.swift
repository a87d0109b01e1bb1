/// One row of a board's window, 24 bytes; the smaller of two rows ranks better.
///
/// Rows have one total order: by `orderKey`, then by `reachedAt`, then by `row`. All three take any `Int64`.
package struct RankedRow: Sendable, Hashable {
    /// The points as a sort key: smaller is better.
    package let orderKey: Int64
    /// When the points were reached, in microseconds since 1970; among equal keys the earlier row ranks better.
    package let reachedAt: Int64
    /// The owner of the row: a player's id, or a negative number for an anonymous donation.
    package let row: Int64

    package init(orderKey: Int64, reachedAt: Int64, row: Int64) {
        self.orderKey = orderKey
        self.reachedAt = reachedAt
        self.row = row
    }

    /// The least row that can have this key: every row before it has a strictly better key.
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

/// The position of one row among the rows of its set.
package struct RankedPosition: Sendable, Hashable {
    package let row: RankedRow
    /// Number of rows before it, ties broken by the total order: 0 for the best row.
    package let position: Int
    /// Number of rows with a strictly better order key: `better + 1` is the shared rank (1, 1, 3).
    package let better: Int
    /// Number of rows with this order key, including the row itself: 1 or more.
    package let equals: Int
    /// The row directly before it; nil for the best row.
    package let above: RankedRow?
    /// The last row with a strictly better order key; nil when there is none.
    package let nextBetter: RankedRow?
}
