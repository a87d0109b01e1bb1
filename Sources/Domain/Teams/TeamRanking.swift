/// A page of the ranking of teams on a board in one window. In its rows, a row id is a team's id.
package struct TeamRanking: Sendable, Equatable {
    package let ranking: Ranking
    /// How many members of the team of each row have points.
    package let members: [Int64]

    package init(_ ranking: Ranking, members: [Int64]) { (self.ranking, self.members) = (ranking, members) }
}
