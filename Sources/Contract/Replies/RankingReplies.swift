/// One row of a ranking.
public struct RankedRow: Sendable, Hashable, Codable {
    public let rank: Int
    /// The rank among the players of a partial ranking, such as friends.
    public let among: Int?
    /// Whether others have the same points.
    public let tied: Bool
    /// Nil for an anonymous donor.
    public let player: Int64?
    public let name: String
    /// Sums may be wider than 64 bits.
    public let points: Int128
    public let reachedAt: Timestamp
    public let avatar: String?
    /// The flag that the player shows: `DE` or, of a region, `DE-BE`.
    public let flag: String?
    /// What came with the score, where the board's ``BoardSettings/details`` are public. Nil for a score without.
    public let detail: Detail?

    public enum CodingKeys: String, MessageKey {
        case rank, among, tied, player, name, points, avatar, flag, detail
        case reachedAt = "reached_at"
    }

    public init(
        rank: Int, tied: Bool, player: Int64?, name: String, points: Int128, reachedAt: Timestamp,
        avatar: String? = nil, flag: String? = nil, detail: Detail? = nil, among: Int? = nil
    ) {
        (self.rank, self.among, self.tied, self.player, self.name) = (rank, among, tied, player, name)
        (self.points, self.reachedAt, self.avatar) = (points, reachedAt, avatar)
        (self.flag, self.detail) = (flag, detail)
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
    /// The players that the ranking covers, if not all: `friends` for the player and its friends.
    public let among: String?
    /// How many are ranked in all.
    public let of: Int?
    public let rows: [RankedRow]
    /// Cursors of the rows after and before these; nil at the ends.
    public let next: String?
    public let prev: String?

    public init(board: String, of: Int?, ties: Ties? = nil, rows: [RankedRow], next: String? = nil) {
        (self.board, self.of, self.ties, self.rows, self.next) = (board, of, ties, rows, next)
        (window, final, prev, among) = (nil, nil, nil, nil)
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

    package init(player: Int64, rank: Int?, points: Int128?, of: Int, percentile: Double?, toNext: Int128?) {
        (self.player, self.rank, self.points) = (player, rank, points)
        (self.of, self.percentile, self.toNext) = (of, percentile, toNext)
    }

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

    package init(points: Int64, rank: Int, of: Int) { (self.points, self.rank, self.of) = (points, rank, of) }

    public enum CodingKeys: String, MessageKey { case points, rank, of }
}

/// The settings of a board that a client needs.
public struct BoardSettings: Sendable, Hashable, Codable {
    public enum Order: String, Sendable, Codable { case highest, lowest }
    public enum Policy: String, Sendable, Codable { case best, latest, sum }
    public enum Trust: String, Sendable, Codable { case open, signed, server }
    /// Who sees the detail of a score, beside its player.
    public enum Details: String, Sendable, Codable { case `private`, `public` }
    /// How pages show points.
    public enum Display: String, Sendable, Codable { case number, seconds, milliseconds }

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
    public let ties: Ranking.Ties?
    /// What a score earns: `points`, `improvement`, `fixed:` and a number, or `none`.
    public let earns: String?
    /// The most that a score earns; nil without a limit.
    public let earnMax: Int64?
    /// The most that a player earns in a day; nil without a limit.
    public let earnDay: Int64?
    public let display: Display?
    /// The unit that pages show after points.
    public let unit: String?
    public let trust: Trust?
    public let details: Details?
    /// What counts for a team: `none`, `sum` of all members, or `best:` and a number of members.
    public let teams: String?
    /// How countries and regions rank: `none`, or `best:` and a number of players whose points count.
    public let countries: String?
    /// When the next season begins by itself: `none`, `day`, `week` or `month`.
    public let seasonEvery: String?
    /// The day in the board's zone, `2026-11-22`, with which it does; nil for none.
    public let nextSeasonOn: String?
    public let opensAt: Timestamp?
    public let closesAt: Timestamp?
    public let final: Bool

    package init(
        game: String, slug: String, name: String, season: Int, order: Order, policy: Policy, pointsMin: Int64,
        pointsMax: Int64, zone: String, ties: Ranking.Ties?, earns: String?, earnMax: Int64?, earnDay: Int64?,
        display: Display?, unit: String?, trust: Trust?, details: Details?, teams: String?, countries: String?,
        seasonEvery: String?, nextSeasonOn: String?, opensAt: Timestamp?, closesAt: Timestamp?, final: Bool
    ) {
        (self.game, self.slug, self.name, self.season) = (game, slug, name, season)
        (self.order, self.policy, self.pointsMin, self.pointsMax) = (order, policy, pointsMin, pointsMax)
        (self.zone, self.ties, self.earns, self.earnMax, self.earnDay) = (zone, ties, earns, earnMax, earnDay)
        (self.display, self.unit, self.trust, self.details) = (display, unit, trust, details)
        (self.teams, self.countries) = (teams, countries)
        (self.seasonEvery, self.nextSeasonOn) = (seasonEvery, nextSeasonOn)
        (self.opensAt, self.closesAt, self.final) = (opensAt, closesAt, final)
    }

    public enum CodingKeys: String, MessageKey {
        case game, slug, name, season, order, policy
        case pointsMin = "points_min"
        case pointsMax = "points_max"
        case zone, ties, earns
        case earnMax = "earn_max"
        case earnDay = "earn_day"
        case display, unit, trust, details, teams, countries
        case seasonEvery = "season_every"
        case nextSeasonOn = "next_season_on"
        case opensAt = "opens_at"
        case closesAt = "closes_at"
        case final
    }
}

/// A charity with what it received.
public struct Charity: Sendable, Hashable, Codable {
    public let slug: String
    public let name: String
    public let rank: Int
    /// Whether others have the same points.
    public let tied: Bool?
    /// The number of charities; nil in a ranking, which has it once for all rows.
    public let of: Int?
    public let points: Int128
    /// How many donated with their names.
    public let contributors: Int
    public let goal: Int64?
    /// Points as a percentage of the goal, with one decimal.
    public let progress: Double?
    public let url: String?
    public let description: String?
    /// When the latest named donation was recorded.
    public let reachedAt: Timestamp?
    // The rest, except `final`, is nil in a ranking.
    public let opensAt: Timestamp?
    public let closesAt: Timestamp?
    /// Whether it takes no more donations.
    public let final: Bool
    /// Minutes in which a donation can be taken back.
    public let coolingOff: Int?
    /// The most points that it accepts in a day of its board, and in total; nil without a cap.
    public let capDay: Int64?
    public let capAll: Int64?

    package init(
        slug: String, name: String, rank: Int, tied: Bool?, of: Int?, points: Int128, contributors: Int, goal: Int64?,
        progress: Double?, url: String?, description: String?, reachedAt: Timestamp?, opensAt: Timestamp?,
        closesAt: Timestamp?, final: Bool, coolingOff: Int?, capDay: Int64?, capAll: Int64?
    ) {
        (self.slug, self.name, self.rank, self.tied, self.of) = (slug, name, rank, tied, of)
        (self.points, self.contributors, self.goal, self.progress) = (points, contributors, goal, progress)
        (self.url, self.description, self.reachedAt) = (url, description, reachedAt)
        (self.opensAt, self.closesAt, self.final) = (opensAt, closesAt, final)
        (self.coolingOff, self.capDay, self.capAll) = (coolingOff, capDay, capAll)
    }

    public enum CodingKeys: String, MessageKey {
        case slug, name, rank, tied, of, points, contributors, goal, progress, url, description
        case reachedAt = "reached_at"
        case opensAt = "opens_at"
        case closesAt = "closes_at"
        case final
        case coolingOff = "cooling_off"
        case capDay = "cap_day"
        case capAll = "cap_all"
    }
}

public struct CharityRanking: Sendable, Hashable, Codable {
    public let of: Int?
    public let rows: [Charity]
    public let next: String?
}
