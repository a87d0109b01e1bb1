package import FoundationEssentials

/// Which players of a game may challenge each other.
package enum ChallengeRules: String, Sendable, CaseIterable {
    case off
    case friends
    /// Friends, and those who are in one team.
    case team
}

package enum ChallengeState: String, Sendable, CaseIterable {
    case open
    /// Its days are over, and its points have time to settle.
    case over
    /// Who has won is final, and stakes are given.
    case settled
    /// Fewer than two players had entered.
    case lapsed
}

/// What a player has answered to a challenge.
package enum ChallengeAnswer: String, Sendable, CaseIterable {
    case invited, entered, declined, left
    /// The maker has blocked the player, who no longer finds the challenge.
    case withdrawn
}

/// A challenge of one player to others on a board, as a player sees it who is invited.
package struct Challenge: Sendable {
    package let id: UUID
    package let game: Slug
    package let board: Slug
    /// The season of the board. Posts to a later one do not count.
    package let season: Int32
    package let ties: Board.Ties
    /// Nil once the maker was erased.
    package let maker: Player.ID?
    /// In the board's zone.
    package let days: ClosedRange<Day>
    /// From the start of the first day to the end of the last one, or to the end of the season.
    package let span: Range<Instant>
    package let state: ChallengeState
    /// The points that each who enters gives to the charities of the winners; 0 for none.
    package let stake: Int64
    package let madeAt: Instant
    package let settledAt: Instant?
    /// What the player who asks has answered.
    package let answer: ChallengeAnswer

    package init(
        id: UUID, game: Slug, board: Slug, season: Int32, ties: Board.Ties, maker: Player.ID?, days: ClosedRange<Day>,
        span: Range<Instant>, state: ChallengeState, stake: Int64, madeAt: Instant, settledAt: Instant?,
        answer: ChallengeAnswer
    ) {
        (self.id, self.game, self.board, self.season, self.ties) = (id, game, board, season, ties)
        (self.maker, self.days, self.span, self.state, self.stake) = (maker, days, span, state, stake)
        (self.madeAt, self.settledAt, self.answer) = (madeAt, settledAt, answer)
    }
}

/// A challenge that a player makes.
package struct NewChallenge: Sendable {
    package let id: UUID
    package let game: Slug
    package let board: Slug
    /// Days after today, ``Limits/challengeDays``.
    package let days: Int32
    /// Each once, without the maker.
    package let players: [Player.ID]
    /// 0 for none.
    package let stake: Int64
    /// Who gets the stakes if the maker wins; nil without a stake.
    package let charity: Slug?

    package init(
        id: UUID, game: Slug, board: Slug, days: Int32, players: [Player.ID], stake: Int64 = 0, charity: Slug? = nil
    ) {
        (self.id, self.game, self.board, self.days) = (id, game, board, days)
        (self.players, self.stake, self.charity) = (players, stake, charity)
    }
}

/// A player who has an answer to a challenge.
package struct Entrant: Sendable {
    package let player: PublicProfile
    package let isHidden: Bool
    package let answer: ChallengeAnswer
    /// The charity that it named.
    package let charity: Slug?
    /// Whether it had won when the challenge was settled.
    package let hasWon: Bool
    /// The points that it gave; nil until that is known, and for who gives nothing.
    package let gave: Int64?
    /// Nil for who has no row, and for who has not entered.
    package let result: ContestResult?

    package init(
        player: PublicProfile, isHidden: Bool, answer: ChallengeAnswer, charity: Slug?, hasWon: Bool, gave: Int64?,
        result: ContestResult?
    ) {
        (self.player, self.isHidden, self.answer, self.charity) = (player, isHidden, answer, charity)
        (self.hasWon, self.gave, self.result) = (hasWon, gave, result)
    }
}

/// A challenge as a player's own profile lists it.
package struct ChallengeNotice: Sendable, Equatable {
    package let id: UUID
    package let state: ChallengeState
    package let answer: ChallengeAnswer

    package init(id: UUID, state: ChallengeState, answer: ChallengeAnswer) {
        (self.id, self.state, self.answer) = (id, state, answer)
    }
}
