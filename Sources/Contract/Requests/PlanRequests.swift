/// How often a plan donates: after each day in UTC, after Sundays, or after the last day of each month.
public enum PlanInterval: String, Sendable, Hashable, Codable { case day, week, month }

/// What a plan gives one charity, compared with its other lines.
public struct PlanShare: Sendable, Hashable, Codable {
    /// The slug.
    public let charity: String
    /// 1 to 10,000.
    public let share: Int

    public init(charity: String, share: Int) { (self.charity, self.share) = (charity, share) }

    public enum CodingKeys: String, MessageKey { case charity, share }
}

/// The body of PUT `/v1/players/me/plan`.
public struct PlanTerms: Sendable, Hashable, Codable {
    /// 1 to 20, each charity once.
    public var shares: [PlanShare]
    public var every: PlanInterval
    /// Points that the plan leaves in the wallet.
    public var keep: Int64?
    public var anonymous: Bool?

    public init(shares: [PlanShare], every: PlanInterval, keep: Int64? = nil, anonymous: Bool? = nil) {
        (self.shares, self.every, self.keep, self.anonymous) = (shares, every, keep, anonymous)
    }

    public enum CodingKeys: String, MessageKey { case shares, every, keep, anonymous }
}
