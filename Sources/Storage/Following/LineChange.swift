package import Domain

/// What became of one row of a rollup, as the stream tells it.
package struct LineChange: Sendable {
    /// What a rollup says of a player.
    package struct Line: Sendable, Equatable {
        package let points: Int64
        package let reachedAt: Instant

        package init(points: Int64, reachedAt: Instant) {
            self.points = points
            self.reachedAt = reachedAt
        }
    }

    package let board: Board.ID
    /// Nil for all time of the season.
    package let day: Day?
    /// The player's id, negative for what the player gave anonymously.
    package let row: Int64
    /// Nil when there was none, and for all time, where nobody needs it.
    package let old: Line?
    /// Nil when there is none any more.
    package let new: Line?

    package init(board: Board.ID, day: Day?, row: Int64, old: Line?, new: Line?) {
        self.board = board
        self.day = day
        self.row = row
        self.old = old
        self.new = new
    }
}
