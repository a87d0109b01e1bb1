/// The body of a score's PUT.
public struct ScorePost: Sendable, Hashable, Codable {
    public let points: Int64
    /// When it was played; it is kept and shown and never ranks.
    public let playedAt: Timestamp?
    /// What the game sends along: at most 1,024 bytes of JSON.
    public let detail: Detail?

    public init(points: Int64, playedAt: Timestamp? = nil, detail: Detail? = nil) {
        (self.points, self.playedAt, self.detail) = (points, playedAt, detail)
    }

    public enum CodingKeys: String, MessageKey {
        case points, detail
        case playedAt = "played_at"
    }
}

/// The body of a donation's PUT.
public struct Donation: Sendable, Hashable, Codable {
    /// At least 1.
    public let points: Int64
    /// Whether rankings leave the name out.
    public let anonymous: Bool?

    public init(points: Int64, anonymous: Bool? = nil) { (self.points, self.anonymous) = (points, anonymous) }

    public enum CodingKeys: String, MessageKey { case points, anonymous }
}

/// What became of a score: as it was recorded, with ranks and balances as they are now.
public struct ScoreReceipt: Sendable, Hashable, Codable {
    public let points: Int64
    /// What the player has on the board: its best, its latest or its sum, which may be wider than 64 bits.
    /// Nil if none of its scores counts.
    public let best: Int128?
    /// Whether this post bettered it.
    public let improved: Bool
    /// From 1; nil for a hidden player, or while ranks are behind the books.
    public let rank: Int?
    /// How many are ranked.
    public let of: Int?
    /// What this post earned.
    public let earned: Int64
    /// What the player can donate.
    public let left: Int64
    public let voided: Bool?
    /// `in-review` while the post is held.
    public let state: String?

    package init(
        points: Int64, best: Int128?, improved: Bool, rank: Int?, of: Int?, earned: Int64, left: Int64, voided: Bool?,
        state: String?
    ) {
        (self.points, self.best, self.improved, self.rank, self.of) = (points, best, improved, rank, of)
        (self.earned, self.left, self.voided, self.state) = (earned, left, voided, state)
    }

    public enum CodingKeys: String, MessageKey { case points, best, improved, rank, of, earned, left, voided, state }
}

/// What became of a donation.
public struct DonationReceipt: Sendable, Hashable, Codable {
    public let charity: String
    public let points: Int64
    /// What the player can still donate.
    public let left: Int64
    /// Among those who donated to the charity; nil for a hidden player, or while ranks are behind the books.
    public let rank: Int?
    public let reversed: Bool?
    public let unfunded: Int64?

    package init(charity: String, points: Int64, left: Int64, rank: Int?, reversed: Bool?, unfunded: Int64?) {
        (self.charity, self.points, self.left) = (charity, points, left)
        (self.rank, self.reversed, self.unfunded) = (rank, reversed, unfunded)
    }

    public enum CodingKeys: String, MessageKey { case charity, points, left, rank, reversed, unfunded }
}
