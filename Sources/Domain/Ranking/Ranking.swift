/// Rows of a board in one window, as every format shows them.
package struct Ranking: Sendable, Equatable {
    package let board: Board
    package let window: Window
    /// What the window meant when it was read; nil for all time.
    package let days: ClosedRange<Day>?
    /// When the window begins and ends; nil for all time.
    package let span: Range<Instant>?
    /// Nothing can change any more.
    package let isFinal: Bool
    /// How many are ranked in all; nil when nobody asked.
    package let size: Int64?
    /// Best first, in the one total order.
    package let rows: [Standing]
    /// One for each row.
    package let ranks: [Rank]
    /// Rows follow, or precede.
    package let hasNext: Bool
    package let hasPrevious: Bool

    package init(
        board: Board,
        window: Window,
        days: ClosedRange<Day>?,
        span: Range<Instant>?,
        isFinal: Bool,
        size: Int64?,
        rows: [Standing],
        ranks: [Rank],
        hasNext: Bool,
        hasPrevious: Bool
    ) {
        self.board = board
        self.window = window
        self.days = days
        self.span = span
        self.isFinal = isFinal
        self.size = size
        self.rows = rows
        self.ranks = ranks
        self.hasNext = hasNext
        self.hasPrevious = hasPrevious
    }
}
