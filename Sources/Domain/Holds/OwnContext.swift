/// What a player of whom scores are held is told, beside what everybody sees.
package struct OwnContext: Sendable, Equatable {
    /// The player's place on the board.
    package let standing: PointsReached?
    /// What the player has on the day of the score.
    package let tally: PointsReached?
    /// What scores earned that are held, or voided since then, which the player is not told.
    package let secretPoints: Int64

    package init(standing: PointsReached?, tally: PointsReached?, secretPoints: Int64) {
        self.standing = standing
        self.tally = tally
        self.secretPoints = secretPoints
    }
}
