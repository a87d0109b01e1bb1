/// Consecutive rows of a board, best first, as they are read for a ``PageRequest``: with rows beyond those that are
/// shown, on either side.
package struct Page: Sendable {
    package var rows: [Standing]
    /// Of the first row, from 1, in the one total order; nil without rows.
    package var position: Int64?
    /// At which the first row's equals begin: less than its position if the row before it has the same points.
    package var sharedPosition: Int64?
    /// How many are ranked in all; nil where that takes a count of its own.
    package var size: Int64?

    package init(rows: [Standing], position: Int64?, sharedPosition: Int64?, size: Int64?) {
        self.rows = rows
        self.position = position
        self.sharedPosition = sharedPosition
        self.size = size
    }
}

/// Which rows of a ranking are asked for.
package enum PageRequest: Sendable, Equatable {
    /// From this position on, from 1.
    case from(Int64)
    /// Those that follow a place; whether its row still stands there does not matter, so pages neither skip nor repeat
    /// a row while posts arrive.
    case after(SortKey)
    /// The nearest ones before a place.
    case before(SortKey)

    package static let top = PageRequest.from(1)
}
