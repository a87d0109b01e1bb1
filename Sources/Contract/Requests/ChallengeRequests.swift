/// The body of PUT `/v1/games/{game}/boards/{board}/challenges/{id}`.
public struct ChallengeMaking: Sendable, Hashable, Codable {
    /// Days after today: 1 to 14.
    public let days: Int
    /// The players to invite: 1 to 49.
    public let players: [Int64]
    /// The points that each who enters gives to the charities of the winners; nil for none.
    public let stake: Int64?
    /// The charity that gets the stakes if the caller wins. A stake needs one.
    public let charity: String?

    public init(days: Int, players: [Int64], stake: Int64? = nil, charity: String? = nil) {
        (self.days, self.players, self.stake, self.charity) = (days, players, stake, charity)
    }

    public enum CodingKeys: String, MessageKey { case days, players, stake, charity }
}

/// The body of PUT `/v1/games/{game}/boards/{board}/challenges/{id}/entry`.
public struct ChallengeEntry: Sendable, Hashable, Codable {
    /// The charity that gets the stakes if the caller wins. A challenge with a stake needs one.
    public let charity: String?

    public init(charity: String? = nil) { self.charity = charity }

    public enum CodingKeys: String, MessageKey { case charity }
}
