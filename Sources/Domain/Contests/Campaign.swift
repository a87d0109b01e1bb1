/// A campaign of the operators: some days of a board, on which donations count towards a goal or scores are compared.
package struct Campaign: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable { case coming, open, over }

    /// What it counts.
    package enum Subject: Sendable, Equatable {
        /// Donations to a charity; ``Slug/overall`` for those to all of them.
        case charity(Slug)
        /// A season of a score board.
        case board(game: Slug, board: Slug, season: Int32)

        package var hasGoal: Bool { if case .charity = self { true } else { false } }
    }

    package let slug: Slug
    package let name: String
    package let text: String?
    package let subject: Subject
    /// In the board's zone.
    package let days: ClosedRange<Day>
    package let span: Range<Instant>
    package let goal: Int64?
    /// Players in a cohort; nil if players cannot enter.
    package let cohortSize: Int32?
    /// In the order of points, without times.
    package let milestones: [Milestone]
    /// The last day that counts: earlier than that of ``days`` where the season of the board ended before.
    package let endDay: Day
    /// It changes whenever a setting does.
    package let version: String

    package init(
        slug: Slug, name: String, text: String?, subject: Subject, days: ClosedRange<Day>, span: Range<Instant>,
        goal: Int64?, cohortSize: Int32?, milestones: [Milestone], endDay: Day? = nil, version: String
    ) {
        (self.slug, self.name, self.text, self.subject) = (slug, name, text, subject)
        (self.days, self.span, self.goal, self.cohortSize) = (days, span, goal, cohortSize)
        (self.milestones, self.version) = (milestones, version)
        self.endDay = endDay ?? days.upperBound
    }

    package func state(at now: Instant) -> State {
        now < span.lowerBound ? .coming : now < span.upperBound ? .open : .over
    }

    /// The charity's slug, or `all`; empty over a score board.
    package var charityName: String {
        guard case .charity(let slug) = subject else { return "" }
        return slug == .overall ? "all" : slug.description
    }

    /// The next time at which it begins or ends; nil when it is over.
    package func nextChange(after now: Instant) -> Instant? { [span.lowerBound, span.upperBound].first { $0 > now } }

    /// The days as rankings name them.
    package var window: Window { .days(days, name: days.lowerBound.isoDate + ".." + days.upperBound.isoDate) }
}

/// A page of the list of campaigns.
package struct CampaignList: Sendable, Equatable {
    package let rows: [Campaign]
    /// The states of the rows.
    package let states: [Campaign.State]
    /// The number of all campaigns.
    package let size: Int

    package init(rows: [Campaign], size: Int, at now: Instant) {
        (self.rows, self.size) = (rows, size)
        states = rows.map { $0.state(at: now) }
    }
}

/// Points on the way of a campaign.
package struct Milestone: Sendable, Equatable {
    /// 1 or more.
    package let points: Int64
    package let name: String
    /// When they were first there; nil while they are not.
    package let reachedAt: Instant?

    package init(points: Int64, name: String, reachedAt: Instant? = nil) {
        (self.points, self.name, self.reachedAt) = (points, name, reachedAt)
    }
}

extension Milestone {
    /// Parses points and a name, such as `1000:Wells`.
    package init(typed text: String) throws(FieldError) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, let points = String(parts[0]).flatMap({ Int64($0) }),
            let name = String(parts[1].drop { $0 == UInt8(ascii: " ") }).flatMap({ DisplayName($0) })
        else { throw .campaignMilestones }
        self.init(points: points, name: name.description)
    }
}

/// How a campaign over donations stands.
package struct CampaignProgress: Sendable, Equatable {
    package let points: Int128
    /// Players who have donated by name.
    package let contributors: Int64
    /// By points.
    package let milestones: [Milestone]

    package init(points: Int128, contributors: Int64, milestones: [Milestone]) {
        (self.points, self.contributors, self.milestones) = (points, contributors, milestones)
    }

    /// The points that the next milestone lacks; nil when all are reached.
    package var toNext: Int128? { milestones.map { Int128($0.points) - points }.filter { $0 > 0 }.min() }
}

/// A campaign that an operator adds.
package struct NewCampaign: Sendable {
    package enum Subject: Sendable {
        case charity(Slug)
        /// The season that is played now.
        case board(game: Slug, board: Slug)
    }

    package let slug: Slug
    package let name: DisplayName
    package let text: String?
    package let subject: Subject
    package let days: ClosedRange<Day>
    package let goal: Int64?
    package let cohort: Int64?
    package let milestones: [Milestone]

    /// - Throws: ``FieldError`` for what a campaign cannot have.
    package init(
        slug: Slug, name: DisplayName?, text: String?, subject: Subject, firstDay: Day?, lastDay: Day?, goal: Int64?,
        cohort: Int64? = nil, milestones: [Milestone]
    ) throws(FieldError) {
        guard let name = name ?? DisplayName(slug.description) else { throw .campaignName }
        guard let firstDay else { throw .campaignDay("first_day") }
        guard let lastDay, lastDay >= firstDay, lastDay < firstDay.advanced(byDays: Limits.windowDaysMax) else {
            throw .campaignDay("last_day")
        }
        if case .board = subject, goal != nil || !milestones.isEmpty { throw .campaignGoal }
        (self.slug, self.name, self.text, self.subject) = (slug, name, text, subject)
        (self.days, self.goal, self.cohort) = (firstDay...lastDay, goal, cohort)
        self.milestones = try Self.checked(milestones)
    }

    /// Checks the number of players in a cohort; nil if players cannot enter.
    package static func checked(cohort: Int64?) throws(FieldError) -> Int64? {
        guard let cohort else { return nil }
        guard Limits.cohortSizes.contains(cohort) else { throw .campaignCohort }
        return cohort
    }

    /// Milestones of one request.
    package static func checked(_ milestones: [Milestone]) throws(FieldError) -> [Milestone] {
        let points = Set(milestones.map(\.points))
        guard milestones.count <= Int(Limits.milestonesMax), points.count == milestones.count,
            points.allSatisfy({ (1...Limits.walletPointsMax).contains($0) })
        else { throw .campaignMilestones }
        return milestones
    }
}

/// A change of a campaign.
package struct CampaignChange: Sendable {
    package var name: DisplayName?
    package var text: Patch<String> = .keep
    package var firstDay: Day?
    package var lastDay: Day?
    package var goal: Patch<Int64> = .keep
    package var cohort: Patch<Int64> = .keep
    /// New ones.
    package var milestones: [Milestone] = []

    package init() {}
}

extension FieldError {
    package static let campaignName = FieldError("name", "name is \(DisplayName.rule). Send another one.")
    package static let campaignGoal = FieldError(
        "goal", "A campaign over a score board has no goal and no milestones. Leave them out.")
    package static let campaignCohort = FieldError(
        "cohort",
        "cohort is the number of players in a cohort. Send a whole number from \(Limits.cohortSizes.lowerBound) "
            + "to \(Limits.cohortSizes.upperBound), or leave it out.")
    package static let campaignMilestones = FieldError(
        "milestones",
        "milestones are at most \(Limits.milestonesMax) different numbers of points, each 1 or more, with a name. Send "
            + "[{\"points\": 1000, \"name\": \"A well\"}].")
    package static func campaignDay(_ field: String) -> FieldError {
        FieldError(
            field,
            "\(field) is a day such as 2026-12-01. A campaign has 1 to \(Limits.windowDaysMax) days, and ends on its "
                + "last_day.")
    }
}
