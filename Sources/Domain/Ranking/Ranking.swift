/// A page of one board in one window, as every format shows it.
package struct Ranking: Sendable, Equatable {
    package let board: Board
    package let window: Window
    /// The days of the window when it was read; nil for all time.
    package let days: ClosedRange<Day>?
    /// The instants between which the window lies; nil for all time.
    package let span: Range<Instant>?
    /// Whether nothing can change any more.
    package let isFinal: Bool
    /// Number of all ranked rows; nil when it was not requested.
    package let size: Int64?
    /// Best first, in the one total order.
    package let rows: [Standing]
    /// One rank for each row.
    package let ranks: [Rank]
    /// Whether rows follow these.
    package let hasNext: Bool
    /// Whether rows precede these.
    package let hasPrevious: Bool
    /// Whether the detail of some row is not known yet, so that nobody may keep this.
    package let awaitsDetails: Bool

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
        hasPrevious: Bool,
        awaitsDetails: Bool = false
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
        self.awaitsDetails = awaitsDetails
    }
}
