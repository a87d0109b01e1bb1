/// A challenge on a board, as one of its players sees it.
public struct Challenge: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case open
        /// Its days are over, and its points have time to settle.
        case over
        /// Who has won is final.
        case settled
        /// Fewer than two players had entered.
        case lapsed
    }

    public let id: String
    public let game: String
    public let board: String
    public let season: Int
    /// Who made it; nil once that player has left for good.
    public let by: Int64?
    /// From the start of its first day to the end of its last one, or of the season.
    public let from: Timestamp
    public let until: Timestamp
    /// Days in the board's time zone, such as `2026-11-26`.
    public let firstDay: String
    public let lastDay: String
    public let state: State
    /// The points that each who enters gives to the charities of the winners; 0 for none.
    public let stake: Int64
    /// What the caller has answered.
    public let answer: ChallengeAnswer
    /// True when ranks have changed since it was settled, so that other players would have won. Donations stay.
    public let corrected: Bool?
    /// Who has entered, best first. The maker sees the others, too. Absent in lists.
    public let entrants: [Entrant]?

    /// A player of a challenge.
    public struct Entrant: Sendable, Hashable, Codable {
        public let player: Int64
        public let name: String
        /// Where the picture is, as a path on the server.
        public let avatar: String?
        public let state: ChallengeAnswer
        /// From 1, among those who entered; nil without points.
        public let rank: Int?
        /// Whether another player has the same points.
        public let tied: Bool?
        public let points: Int128?
        /// The charity that gets the stakes if the player wins.
        public let charity: String?
        /// The points that the player gave, once that is known.
        public let gave: Int64?

        package init(
            player: Int64, name: String, avatar: String?, state: ChallengeAnswer, rank: Int?, tied: Bool?,
            points: Int128?, charity: String?, gave: Int64?
        ) {
            (self.player, self.name, self.avatar, self.state) = (player, name, avatar, state)
            (self.rank, self.tied, self.points) = (rank, tied, points)
            (self.charity, self.gave) = (charity, gave)
        }

        public enum CodingKeys: String, MessageKey {
            case player, name, avatar, state, rank, tied, points, charity, gave
        }
    }

    package init(
        id: String, game: String, board: String, season: Int, by: Int64?, from: Timestamp, until: Timestamp,
        firstDay: String, lastDay: String, state: State, stake: Int64, answer: ChallengeAnswer, corrected: Bool?,
        entrants: [Entrant]?
    ) {
        (self.id, self.game, self.board, self.season, self.by) = (id, game, board, season, by)
        (self.from, self.until, self.firstDay, self.lastDay) = (from, until, firstDay, lastDay)
        (self.state, self.stake, self.answer) = (state, stake, answer)
        (self.corrected, self.entrants) = (corrected, entrants)
    }

    public enum CodingKeys: String, MessageKey {
        case id, game, board, season, by, from, until
        case firstDay = "first_day"
        case lastDay = "last_day"
        case state, stake, answer, corrected, entrants
    }
}

/// What a player has answered to a challenge.
public enum ChallengeAnswer: String, Sendable, Hashable, Codable, CaseIterable { case invited, entered, declined, left }

/// A challenge that the caller has entered or not answered.
public struct ChallengeNotice: Sendable, Hashable, Codable {
    public let id: String
    public let state: Challenge.State
    public let answer: ChallengeAnswer

    package init(id: String, state: Challenge.State, answer: ChallengeAnswer) {
        (self.id, self.state, self.answer) = (id, state, answer)
    }

    public enum CodingKeys: String, MessageKey { case id, state, answer }
}
