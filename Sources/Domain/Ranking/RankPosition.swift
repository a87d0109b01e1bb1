/// Where one player stands on a board.
package struct RankPosition: Sendable, Equatable {
    package let sortKey: SortKey
    package let points: Int128
    /// The position from 1, in the one total order.
    package let position: Int64
    /// The position at which the rows with the player's points begin.
    package let sharedPosition: Int64
    /// Number of rows with these points, including the player's.
    package let equals: Int64
    /// Points of the row directly above; nil at the top.
    package let pointsAbove: Int128?
    /// The next better points; nil when there are none.
    package let betterPoints: Int128?

    package init(
        sortKey: SortKey, points: Int128, position: Int64, sharedPosition: Int64, equals: Int64, pointsAbove: Int128?,
        betterPoints: Int128?
    ) {
        self.sortKey = sortKey
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

    /// The rank if another row moves.
    /// - Parameters:
    ///   - from: The other row's place when the position was taken; nil if it had none.
    ///   - place: The other row's new place.
    package func rank(_ ties: Board.Ties, whenMoved from: SortKey?, to place: SortKey) -> Rank {
        var (position, shared, equals) = (position, sharedPosition, equals)
        for (key, step) in [(from, Int64(-1)), (place, 1)] {
            guard let key else { continue }
            if key.precedes(sortKey) { position += step }
            if key.orderKey < sortKey.orderKey { shared += step }
            if key.orderKey == sortKey.orderKey { equals += step }
        }
        return Rank(number: Ranks.number(position: position, sharedPosition: shared, ties: ties), isTied: equals > 1)
    }

    /// The percentile in tenths of a percent, halves rounded up: 100 x players ranked worse / (players - 1). So the
    /// first of all is better than 100 % of the others, and the last is better than none.
    /// - Parameter size: Number of all ranked rows. It may come from an earlier count; it is raised to what the
    ///   position itself implies.
    /// - Returns: Nil where there are no others.
    package func percentileTenths(of size: Int64, _ ties: Board.Ties) -> Int64? {
        let lastEqual = sharedPosition - 1 + equals
        let size = max(size, lastEqual)
        guard size >= 2 else { return nil }
        let others = Int128(size) - 1
        let worse = Int128(size) - Int128(ties == .shared ? lastEqual : position)
        return Int64(clamping: (2_000 * worse + others) / (2 * others))
    }

    /// The least change of points that reaches the next better rank, negative where low is good; nil at rank 1. Where
    /// equal points share a rank it reaches the next better points; elsewhere it passes the row above by one, because
    /// that row was there first.
    package func changeToNext(_ board: Board) -> Int128? {
        guard rank(board.ties).number > 1 else { return nil }
        return board.changeToNext(from: points, above: pointsAbove, better: betterPoints)
    }
}

/// A position that only its player is told, as scores are held that others do not see.
package struct OwnPosition: Sendable {
    package let position: RankPosition
    /// The number of ranked rows with this one.
    package let size: Int64

    package init(position: RankPosition, size: Int64) {
        self.position = position
        self.size = size
    }
}

extension Board {
    /// See ``RankPosition/changeToNext(_:)``.
    /// - Parameters:
    ///   - above: The points of the row directly above; nil at the top, or when they are not known.
    ///   - better: The next better points; nil when there are none, or when they are not known.
    package func changeToNext(from points: Int128, above: Int128?, better: Int128?) -> Int128? {
        switch ties {
        case .shared: better.map { $0 - points }
        case .first: above.map { $0 - points + (lowestFirst ? -1 : 1) }
        }
    }
}

/// Where given points would stand if a new player posted them now.
package struct PointsPosition: Sendable {
    /// The position from 1, after all rows that already have these points.
    package let position: Int64
    package let sharedPosition: Int64

    package init(position: Int64, sharedPosition: Int64) {
        self.position = position
        self.sharedPosition = sharedPosition
    }
}

/// A row of a ranking with its position.
package struct PositionedStanding: Sendable {
    package let standing: Standing
    package let rankPosition: RankPosition

    package init(standing: Standing, rankPosition: RankPosition) {
        self.standing = standing
        self.rankPosition = rankPosition
    }
}
