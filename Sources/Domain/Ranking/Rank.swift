/// The displayed rank of a row, and whether a neighbour has the same points.
package struct Rank: Sendable, Equatable {
    /// The displayed rank, from 1.
    package let number: Int64
    package let isTied: Bool
}

/// The one rule that turns positions into displayed ranks.
package enum Ranks {
    /// Ranks for consecutive rows of a board.
    /// - Parameters:
    ///   - points: Points of the rows in the board's order, with one row more if there is one, so that a tie with the
    ///     row after the last is seen.
    ///   - position: The position of the first row, from 1.
    ///   - sharedPosition: The position at which the rows with the first row's points begin.
    ///   - limitRows: Number of rows that are shown, and so of ranks returned.
    ///   - ties: `shared` gives 1, 2, 2, 4; `first` gives 1, 2, 3, 4.
    package static func consecutive(
        _ points: [Int128], from position: Int64 = 1, sharedFrom sharedPosition: Int64 = 1, limitRows: Int,
        ties: Board.Ties
    ) -> [Rank] {
        var ranks: [Rank] = []
        var shared = sharedPosition
        for index in points.indices.prefix(limitRows) {
            let here = position + Int64(index)
            let equalsPrevious = index > 0 ? points[index - 1] == points[index] : sharedPosition < position
            let equalsNext = index + 1 < points.count && points[index + 1] == points[index]
            if !equalsPrevious { shared = here }
            ranks.append(
                Rank(
                    number: number(position: here, sharedPosition: shared, ties: ties),
                    isTied: equalsPrevious || equalsNext))
        }
        return ranks
    }

    /// The ranks of some rows among themselves, from 1.
    /// - Parameter points: Points of the rows, in the board's order.
    package static func places(_ points: [Int128], ties: Board.Ties) -> [Int64] {
        var places: [Int64] = []
        places.reserveCapacity(points.count)
        for index in points.indices {
            let isShared = ties == .shared && index > 0 && points[index - 1] == points[index]
            places.append(isShared ? places[index - 1] : Int64(index) + 1)
        }
        return places
    }

    /// The displayed rank of a position whose equals begin at `sharedPosition`.
    package static func number(position: Int64, sharedPosition: Int64, ties: Board.Ties) -> Int64 {
        ties == .shared ? sharedPosition : position
    }
}
