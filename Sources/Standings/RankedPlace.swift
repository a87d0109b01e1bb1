/// Where a row stands among the others.
package struct RankedPlace: Sendable, Equatable {
    package let row: RankedRow
    /// How many stand before it.
    package let position: Int
    /// How many have a better order key.
    package let better: Int
    /// How many have the same order key, itself too.
    package let equals: Int
    /// The row directly before it.
    package let above: RankedRow?
    /// The nearest row with a better order key.
    package let nextBetter: RankedRow?
}
