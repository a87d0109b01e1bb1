/// Who stood first in seasons of a score board that have ended.
package struct PastSeasons: Sendable, Equatable {
    /// One of these seasons.
    package struct Season: Sendable, Equatable {
        package let number: Int32
        package let endedAt: Instant
        /// How its points are shown.
        package let display: PointsDisplay
        /// Best first, at most ``winnersMax``; empty for a season that nobody played.
        package let winners: [Standing]
        /// One rank for each winner.
        package let ranks: [Rank]

        /// - Parameter rows: Best first, one more than are shown if there is one.
        package init(number: Int32, endedAt: Instant, ties: Board.Ties, display: PointsDisplay, rows: [Standing]) {
            (self.number, self.endedAt, self.display) = (number, endedAt, display)
            winners = Array(rows.prefix(PastSeasons.winnersMax))
            ranks = Ranks.consecutive(rows.map(\.points), limitRows: PastSeasons.winnersMax, ties: ties)
        }
    }

    /// The season that is played.
    package let board: Board
    /// The season with which the list was asked to begin; nil for the last that has ended.
    package let newest: Int32?
    /// The newest first.
    package let seasons: [Season]
    /// The newest of the seasons before these; nil when there are none.
    package let next: Int32?

    package init(board: Board, newest: Int32?, seasons: [Season], next: Int32?) {
        (self.board, self.newest, self.seasons, self.next) = (board, newest, seasons, next)
    }

    /// The players of each season that are shown.
    package static let winnersMax = 3
}
