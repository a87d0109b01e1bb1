import Domain

/// What became of one row of a rollup, as the stream tells it.
struct LineChange: Sendable {
    /// What a rollup says of a player.
    struct Line: Sendable, Equatable {
        let points: Int64
        let reachedAt: Instant

        init(points: Int64, reachedAt: Instant) {
            self.points = points
            self.reachedAt = reachedAt
        }
    }

    let board: Board.ID
    /// Nil for all time of the season.
    let day: Day?
    /// The player's id, negative for what the player gave anonymously.
    let row: Int64
    /// Nil when there was none, and for all time, where nobody needs it.
    let old: Line?
    /// Nil when there is none any more.
    let new: Line?

    init(board: Board.ID, day: Day?, row: Int64, old: Line?, new: Line?) {
        self.board = board
        self.day = day
        self.row = row
        self.old = old
        self.new = new
    }
}
