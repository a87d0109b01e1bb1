/// The displayed rank of a row, and whether a neighbour has the same points.
package struct Rank: Sendable, Equatable {
    /// From 1.
    package let number: Int
    package let isTied: Bool
}

/// The one rule that turns an ordered list into displayed ranks.
package enum Ranks {
    /// Ranks for rows that begin at the top of a board, in the board's order.
    /// - Parameters:
    ///   - points: Of the rows, and of one row more if there is one, so that a tie with the row after the last is seen.
    ///   - limitRows: How many are shown.
    ///   - ties: Whether equal points share a rank: 1, 2, 2, 4; else 1, 2, 3, 4.
    package static func fromTop(_ points: [Int128], limitRows: Int, ties: Board.Ties) -> [Rank] {
        var ranks: [Rank] = []
        var shared = 1
        for index in points.indices.prefix(limitRows) {
            let equalsPrevious = index > 0 && points[index - 1] == points[index]
            let equalsNext = index + 1 < points.count && points[index + 1] == points[index]
            if !equalsPrevious { shared = index + 1 }
            ranks.append(Rank(number: ties == .shared ? shared : index + 1, isTied: equalsPrevious || equalsNext))
        }
        return ranks
    }
}
