/// Consecutive rows of a board, best first, as they are read for a ``Cut``: with rows beyond those that are shown, on either side.
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
