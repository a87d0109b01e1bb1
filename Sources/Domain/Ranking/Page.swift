/// Consecutive rows of a board, best first, as they are read for a ``PageRequest``. They include rows beyond those that
/// are shown, on either side.
package struct Page: Sendable {
    package var rows: [Standing]
    /// The position of the first row, from 1, in the one total order; nil without rows.
    package var position: Int64?
    /// The position at which the rows with the first row's points begin: less than `position` if the row before has the
    /// same points.
    package var sharedPosition: Int64?
    /// Number of all ranked rows; nil when that would take a separate count.
    package var size: Int64?

    package init(rows: [Standing], position: Int64?, sharedPosition: Int64?, size: Int64?) {
        self.rows = rows
        self.position = position
        self.sharedPosition = sharedPosition
        self.size = size
    }
}

/// Which rows of a ranking a caller asks for.
package enum PageRequest: Sendable, Equatable {
    /// Rows from this position on, counted from 1.
    case from(Int64)
    /// Rows after this sort key. It need not belong to a row that still exists, so pages neither skip nor repeat a row
    /// while posts arrive.
    case after(SortKey)
    /// The nearest rows before this sort key.
    case before(SortKey)

    package static let top = PageRequest.from(1)
}
