/// One row of a board's window, 24 bytes; the smaller of two rows stands better.
///
/// Rows are in one total order: by `orderKey`, then by `reachedAt`, then by `row`. Every `Int64` is taken in all three.
package struct RankedRow: Sendable, Hashable {
    /// What the board ranks by, turned so that less is better.
    package let orderKey: Int64
    /// When the points were reached, in microseconds since 1970: of equal keys the earlier stands better.
    package let reachedAt: Int64
    /// Whose row it is: a player's id, or a negative number for donations without a name.
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

/// Where one row stands among the rows of its set.
package struct RankedPosition: Sendable, Hashable {
    package let row: RankedRow
    /// How many rows stand before it, ties broken by the total order: 0 for the best row.
    package let position: Int
    /// How many rows have a strictly better order key: `better + 1` is the shared rank (1, 1, 3).
    package let better: Int
    /// How many rows have this order key, itself included: 1 or more.
    package let equals: Int
    /// The row right above; nil for the best row.
    package let above: RankedRow?
    /// The last row with a strictly better order key; nil when nobody has one.
    package let nextBetter: RankedRow?
}
