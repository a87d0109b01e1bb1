/// A campaign: some days of donations with a goal and milestones, or some days of a score board.
public struct Campaign: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable { case coming, open, over }

    public let slug: String
    public let name: String
    /// What it is about.
    public let text: String?
    /// Whose donations it counts: a slug, or `all`. Nil over a score board.
    public let charity: String?
    /// The score board that it reads, in place of a charity.
    public let game: String?
    public let board: String?
    public let season: Int?
    /// Days of the board, such as `2026-12-01`.
    public let firstDay: String
    public let lastDay: String
    /// From the start of its first day to the end of its last one.
    public let from: Timestamp
    public let until: Timestamp
    public let state: State
    /// Whether its days are over.
    public let final: Bool
    /// How many players a cohort has room for; nil if players do not enter.
    public let cohort: Int?
    public let goal: Int64?
    // The rest is nil in lists and over a score board.
    /// What was donated on its days, anonymous donations too.
    public let points: Int128?
    /// Points as a percentage of the goal, with one decimal.
    public let progress: Double?
    /// How many have donated with their names.
    public let contributors: Int?
    /// By points.
    public let milestones: [Milestone]?
    /// The points that the next milestone lacks; nil when all are reached.
    public let toNext: Int128?

    package init(
        slug: String, name: String, text: String?, charity: String?, game: String?, board: String?, season: Int?,
        firstDay: String, lastDay: String, from: Timestamp, until: Timestamp, state: State, final: Bool, cohort: Int?,
        goal: Int64?, points: Int128?, progress: Double?, contributors: Int?, milestones: [Milestone]?, toNext: Int128?
    ) {
        (self.slug, self.name, self.text, self.charity) = (slug, name, text, charity)
        (self.game, self.board, self.season) = (game, board, season)
        (self.firstDay, self.lastDay, self.from, self.until) = (firstDay, lastDay, from, until)
        (self.state, self.final, self.cohort, self.goal) = (state, final, cohort, goal)
        (self.points, self.progress, self.contributors) = (points, progress, contributors)
        (self.milestones, self.toNext) = (milestones, toNext)
    }

    public enum CodingKeys: String, MessageKey {
        case slug, name, text, charity, game, board, season
        case firstDay = "first_day"
        case lastDay = "last_day"
        case from, until, state, final, cohort, goal, points, progress, contributors, milestones
        case toNext = "to_next"
    }
}

/// Points on the way of a campaign.
public struct Milestone: Sendable, Hashable, Codable {
    public let points: Int64
    public let name: String
    /// When the donations that count now first had its points; nil while they do not.
    public let reachedAt: Timestamp?

    package init(points: Int64, name: String, reachedAt: Timestamp?) {
        (self.points, self.name, self.reachedAt) = (points, name, reachedAt)
    }

    public enum CodingKeys: String, MessageKey {
        case points, name
        case reachedAt = "reached_at"
    }
}

/// A page of campaigns, those that end last first.
public struct CampaignPage: Sendable, Hashable, Codable {
    /// How many campaigns there are in all.
    public let of: Int?
    public let rows: [Campaign]

    package init(of: Int?, rows: [Campaign]) { (self.of, self.rows) = (of, rows) }
}

/// The place of a player who has entered a campaign.
public struct Cohort: Sendable, Hashable, Codable {
    /// The cohort's number, from 1.
    public let cohort: Int
    /// How many players it has room for.
    public let of: Int

    package init(cohort: Int, of: Int) { (self.cohort, self.of) = (cohort, of) }

    public enum CodingKeys: String, MessageKey { case cohort, of }
}
