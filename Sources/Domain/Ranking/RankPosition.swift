/// Where one player stands on a board.
package struct RankPosition: Sendable, Equatable {
    package let sortKey: SortKey
    package let points: Int128
    /// From 1, in the one total order.
    package let position: Int64
    /// At which the player's equals begin.
    package let sharedPosition: Int64
    /// How many have these points, the player too.
    package let equals: Int64
    /// Points of the row directly above; nil at the top.
    package let pointsAbove: Int128?
    /// The next points that are better; nil when there are none.
    package let betterPoints: Int128?

    package init(
        sortKey: SortKey,
        points: Int128,
        position: Int64,
        sharedPosition: Int64,
        equals: Int64,
        pointsAbove: Int128?,
        betterPoints: Int128?
    ) {
        self.place = place
        self.points = points
        self.position = position
        self.sharedPosition = sharedPosition
        self.equals = equals
        self.pointsAbove = pointsAbove
        self.betterPoints = betterPoints
    }

    package func rank(_ ties: Board.Ties) -> Rank {
        Rank(number: Ranks.number(position: position, sharedPosition: sharedPosition, ties: ties), isTied: equals > 1)
    }

    /// 100 x (players ranked worse + half of the equals) / all, in tenths of a percent, halves rounded up.
    /// - Parameter size: How many are ranked in all; who was counted a moment earlier is among them.
    package func percentileTenths(of size: Int64) -> Int64 {
        let size = max(size, sharedPosition - 1 + equals)
        let worse = Int128(size) - Int128(sharedPosition) + 1 - Int128(equals)
        let twice = 2 * worse + Int128(equals)
        return Int64(clamping: (1_000 * twice + Int128(size)) / (2 * Int128(size)))
    }

    /// The least change of points that takes the next better position, negative where low is good; nil at rank 1. Where
    /// equal points share a rank they take it; else it takes one more than the row above has, who was there first.
    package func changeToNext(_ board: Board) -> Int128? {
        guard rank(board.ties).number > 1, let target = board.ties == .shared ? betterPoints : pointsAbove else {
            return nil
        }
        let change = target - points
        return board.ties == .shared ? change : change + (board.lowestFirst ? -1 : 1)
    }
}

/// Where points that somebody new posted now would stand.
package struct PointsPosition: Sendable {
    /// From 1: after all who have them already.
    package let position: Int64
    package let sharedPosition: Int64

    package init(position: Int64, sharedPosition: Int64) {
        self.position = position
        self.sharedPosition = sharedPosition
    }
}

/// A row of a ranking, and where it stands.
package struct PositionedStanding: Sendable {
    package let standing: Standing
    package let rankPosition: RankPosition

    package init(standing: Standing, rankPosition: RankPosition) {
        self.standing = standing
        self.place = place
    }
}
