/// One row of a ranking.
public struct RankedRow: Sendable, Hashable, Codable {
    public let rank: Int
    /// Whether others have the same points.
    public let tied: Bool
    /// Nil for an anonymous donor.
    public let player: Int64?
    public let name: String
    /// Sums may be wider than 64 bits.
    public let points: Int128
    public let reachedAt: Timestamp
    public let avatar: String?
    /// What came with the score, where the board's ``BoardSettings/details`` are public. Nil for a score without.
    public let detail: Detail?

    public enum CodingKeys: String, MessageKey {
        case rank, tied, player, name, points, avatar, detail
        case reachedAt = "reached_at"
    }

    public init(
        rank: Int, tied: Bool, player: Int64?, name: String, points: Int128, reachedAt: Timestamp,
        avatar: String? = nil, detail: Detail? = nil
    ) {
        (self.rank, self.tied, self.player, self.name) = (rank, tied, player, name)
        (self.points, self.reachedAt, self.avatar, self.detail) = (points, reachedAt, avatar, detail)
    }
}

/// A page of a ranking, best first.
public struct Ranking: Sendable, Hashable, Codable {
    /// Equals by position (1, 2, 3) or sharing a rank (1, 2, 2, 4).
    public enum Ties: String, Sendable, Codable { case first, shared }

    public let board: String
    public let window: String?
    /// Whether nothing will change any more.
    public let final: Bool?
    public let ties: Ties?
    /// How many are ranked in all.
    public let of: Int?
    public let rows: [RankedRow]
    /// Cursors of the rows after and before these; nil at the ends.
    public let next: String?
    public let prev: String?

    public init(board: String, of: Int?, ties: Ties? = nil, rows: [RankedRow], next: String? = nil) {
        (self.board, self.of, self.ties, self.rows, self.next) = (board, of, ties, rows, next)
        (window, final, prev) = (nil, nil, nil)
    }
}

/// Where the caller is on a board; `rank` and `points` are nil without a score.
public struct RankPosition: Sendable, Hashable, Codable {
    public let player: Int64
    public let rank: Int?
    public let points: Int128?
    public let of: Int
    /// 100 x players ranked worse / (`of` - 1), with one decimal; nil for the only player.
    public let percentile: Double?
    /// What the points must change by for the next better position; nil at rank 1.
    public let toNext: Int128?

    public enum CodingKeys: String, MessageKey {
        case player, rank, points, of, percentile
        case toNext = "to_next"
    }
}

/// The rank that a post made now would get.
public struct PointsPosition: Sendable, Hashable, Codable {
    public let points: Int64
    public let rank: Int
    public let of: Int

    public enum CodingKeys: String, MessageKey { case points, rank, of }
}

/// The settings of a board that a client needs.
public struct BoardSettings: Sendable, Hashable, Codable {
    public enum Order: String, Sendable, Codable { case highest, lowest }
    public enum Policy: String, Sendable, Codable { case best, latest, sum }
    public enum Trust: String, Sendable, Codable { case open, signed, server }
    /// Who sees the detail of a score, beside its player.
    public enum Details: String, Sendable, Codable { case `private`, `public` }

    public let game: String
    public let slug: String
    public let name: String
    public let season: Int
    /// Which points are better.
    public let order: Order
    /// Which of a player's posts counts.
    public let policy: Policy
    public let pointsMin: Int64
    public let pointsMax: Int64
    public let zone: String
    public let trust: Trust?
    public let details: Details?
    public let opensAt: Timestamp?
    public let closesAt: Timestamp?
    public let final: Bool

    public enum CodingKeys: String, MessageKey {
        case game, slug, name, season, order, policy, zone, trust, details, final
        case pointsMin = "points_min"
        case pointsMax = "points_max"
        case opensAt = "opens_at"
        case closesAt = "closes_at"
    }
}

/// A charity with what it received.
public struct Charity: Sendable, Hashable, Codable {
    public let rank: Int
    public let slug: String
    public let name: String
    public let points: Int128
    /// How many donated with their names.
    public let contributors: Int
    public let goal: Int64?
    /// Points as a percentage of the goal, with one decimal.
    public let progress: Double?
    public let url: String?
    public let description: String?
    /// Whether it takes no more donations.
    public let final: Bool

    public enum CodingKeys: String, MessageKey {
        case rank, slug, name, points, contributors, goal, progress, url, description, final
    }
}

public struct CharityRanking: Sendable, Hashable, Codable {
    public let of: Int?
    public let rows: [Charity]
    public let next: String?
}
