/// What somebody has made of the days of a contest.
package struct ContestResult: Sendable, Equatable {
    package let points: Int128
    /// The place in the order of the board.
    package let sortKey: SortKey

    package init(points: Int128, sortKey: SortKey) { (self.points, self.sortKey) = (points, sortKey) }
}

/// Who stands where in a contest: those who entered and have a row, by the order and the tie rule of the board.
package struct ContestOutcome: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package let result: ContestResult
        /// From 1, among the contestants.
        package let rank: Int64
        /// Whether another contestant has the same points.
        package let isTied: Bool
        /// Whether this is one of the winners: all who have rank 1.
        package var hasWon: Bool { rank == 1 }
    }

    /// Best first.
    package let places: [Place]

    package init(_ results: [ContestResult], ties: Board.Ties) {
        let sorted = results.sorted { $0.sortKey.precedes($1.sortKey) }
        let ranks = Ranks.places(sorted.map(\.points), ties: ties)
        places = sorted.indices.map { index in
            let isTied = [index - 1, index + 1].contains {
                sorted.indices.contains($0) && sorted[$0].points == sorted[index].points
            }
            return Place(result: sorted[index], rank: ranks[index], isTied: isTied)
        }
    }

    /// The row ids of the winners, best first.
    package var winners: [Int64] { places.filter(\.hasWon).map(\.result.sortKey.row) }

    /// The place of a player; nil without a row.
    package func place(of player: Player.ID) -> Place? { places.first { $0.result.sortKey.row == player.rawValue } }
}

/// A charity that a contestant has named.
package struct StakeCharity: Sendable, Hashable {
    package let id: Int32
    package let slug: Slug

    package init(id: Int32, slug: Slug) { (self.id, self.slug) = (id, slug) }
}

/// A player who has entered a challenge that is to be settled.
package struct Contestant: Sendable {
    package let player: Player.ID
    /// Whose answer it is: the player, or one that was merged into it.
    package let entrant: Player.ID
    /// The charity that it named; nil without a stake.
    package let charity: StakeCharity?
    /// The points that it could donate now, 0 or more.
    package let ready: Int64
    package let result: ContestResult?

    package init(player: Player.ID, entrant: Player.ID, charity: StakeCharity?, ready: Int64, result: ContestResult?) {
        (self.player, self.entrant, self.charity) = (player, entrant, charity)
        (self.ready, self.result) = (ready, result)
    }
}

/// What becomes of a challenge when it is settled.
package struct ChallengeSettlement: Sendable, Equatable {
    /// What one contestant gives to one charity.
    package struct Share: Sendable, Equatable {
        /// Whose answer it is.
        package let entrant: Player.ID
        package let charity: StakeCharity
        /// 1 or more.
        package let points: Int64

        package init(entrant: Player.ID, charity: StakeCharity, points: Int64) {
            (self.entrant, self.charity, self.points) = (entrant, charity, points)
        }
    }

    package let state: ChallengeState
    /// Whose answers have won.
    package let winners: [Player.ID]
    package let shares: [Share]

    /// - Parameter stake: What each contestant promised, as far as it has that much. It is split evenly among the
    ///   winners, in their order, and goes to the charities that these named. Nothing goes to anybody if nobody won.
    package init(of contestants: [Contestant], stake: Int64, ties: Board.Ties) {
        guard contestants.count >= 2 else {
            (state, winners, shares) = (.lapsed, [], [])
            return
        }
        let outcome = ContestOutcome(contestants.compactMap(\.result), ties: ties)
        let won = outcome.winners.compactMap { row in contestants.first { $0.player.rawValue == row } }
        (state, winners) = (.settled, won.map(\.entrant))
        let charities = won.compactMap(\.charity)
        shares = contestants.flatMap { giver in
            Self.split(min(stake, giver.ready), among: charities).map {
                Share(entrant: giver.entrant, charity: $0.charity, points: $0.points)
            }
        }
    }

    /// Splits points evenly among charities; one that is there twice gets two parts.
    private static func split(_ points: Int64, among charities: [StakeCharity]) -> [(
        charity: StakeCharity, points: Int64
    )] {
        guard points > 0, let parts = Allotment.split(points, byShares: charities.map { _ in 1 }) else { return [] }
        var sums: [(charity: StakeCharity, points: Int64)] = []
        for (charity, part) in zip(charities, parts) {
            if let index = sums.firstIndex(where: { $0.charity == charity }) {
                sums[index].points += part
            } else {
                sums.append((charity, part))
            }
        }
        return sums.filter { $0.points > 0 }
    }
}
