/// A page of the ranking of teams on a board in one window. In its rows, a row id is a team's id.
package struct TeamRanking: Sendable, Equatable {
    package let ranking: Ranking
    /// How many members of the team of each row have points.
    package let members: [Int64]

    /// When a team reached its points, as everybody is told. The exact time is that of one member's score, so it would
    /// tell who is in the team: without public rosters it is the beginning of the day in UTC.
    package func shownTime(of team: Standing) -> Instant {
        ranking.board.showsRosters ? team.reachedAt : team.reachedAt.dayInUTC.startInUTC
    }

    package init(_ ranking: Ranking, members: [Int64]) { (self.ranking, self.members) = (ranking, members) }
}
