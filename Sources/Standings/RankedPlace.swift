/// Where one row stands among the rows of its set.
package struct RankedPlace: Sendable, Hashable {
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
