/// The caller's plan.
public struct OwnPlan: Sendable, Hashable, Codable {
    /// In the order of the charities' slugs.
    public let shares: [PlanShare]
    public let every: PlanInterval
    /// Points that the plan leaves in the wallet.
    public let keep: Int64
    public let anonymous: Bool
    /// When the caller last changed it.
    public let since: Timestamp
    /// The day in UTC, `2026-11-22`, after whose end it donates next.
    public let nextOn: String
    /// What it gave last; nil before that.
    public let last: PlanRun?
    /// What it would give, if that was asked for.
    public let preview: PlanPreview?

    package init(
        shares: [PlanShare], every: PlanInterval, keep: Int64, anonymous: Bool, since: Timestamp, nextOn: String,
        last: PlanRun?, preview: PlanPreview?
    ) {
        (self.shares, self.every, self.keep, self.anonymous) = (shares, every, keep, anonymous)
        (self.since, self.nextOn, self.last, self.preview) = (since, nextOn, last, preview)
    }

    public enum CodingKeys: String, MessageKey {
        case shares, every, keep, anonymous, since
        case nextOn = "next_on"
        case last, preview
    }
}

/// What a plan gave after a day.
public struct PlanRun: Sendable, Hashable, Codable {
    /// The day in UTC, `2026-11-22`.
    public let on: String
    public let gifts: [PlanDonation]
    /// The lines that were left out; nil for none.
    public let skipped: [SkippedShare]?

    package init(on: String, gifts: [PlanDonation], skipped: [SkippedShare]?) {
        (self.on, self.gifts, self.skipped) = (on, gifts, skipped)
    }

    public enum CodingKeys: String, MessageKey { case on, gifts, skipped }
}

/// A donation that a plan made.
public struct PlanDonation: Sendable, Hashable, Codable {
    public let charity: String
    public let points: Int64
    public let id: String

    package init(charity: String, points: Int64, id: String) {
        (self.charity, self.points, self.id) = (charity, points, id)
    }

    public enum CodingKeys: String, MessageKey { case charity, points, id }
}

/// A line of a plan that was left out.
public struct SkippedShare: Sendable, Hashable, Codable {
    public let charity: String
    /// Such as `charity-closed`, `cap-reached` or `nothing-left`.
    public let why: String

    package init(charity: String, why: String) { (self.charity, self.why) = (charity, why) }

    public enum CodingKeys: String, MessageKey { case charity, why }
}

/// What a plan would give of some points now.
public struct PlanPreview: Sendable, Hashable, Codable {
    public let points: Int64
    public let gifts: [PlanPart]
    /// The lines that would be left out; nil for none.
    public let skipped: [SkippedShare]?

    package init(points: Int64, gifts: [PlanPart], skipped: [SkippedShare]?) {
        (self.points, self.gifts, self.skipped) = (points, gifts, skipped)
    }

    public enum CodingKeys: String, MessageKey { case points, gifts, skipped }
}

/// What a charity would get.
public struct PlanPart: Sendable, Hashable, Codable {
    public let charity: String
    public let points: Int64

    package init(charity: String, points: Int64) { (self.charity, self.points) = (charity, points) }

    public enum CodingKeys: String, MessageKey { case charity, points }
}

/// When the caller's plan donates next.
public struct PlanNotice: Sendable, Hashable, Codable {
    /// The day in UTC, `2026-11-22`, after whose end it does.
    public let nextOn: String

    package init(nextOn: String) { self.nextOn = nextOn }

    public enum CodingKeys: String, MessageKey { case nextOn = "next_on" }
}
