package import Domain
import Postgres

extension Administration {
    /// Adds a campaign.
    /// - Parameter actor: Who does it, for the log: a key's id, or `cli`.
    package func addCampaign(_ new: NewCampaign, by actor: String = "cli", now: Instant) async throws(StoreError)
        -> CampaignOutcome
    {
        let add = CampaignAdd(new, now: now)
        return try await changing(new.slug, .put, new.values, by: actor, now: now) { connection throws(PostgresError) in
            try await connection.row(add)
        }
    }

    /// Changes a campaign.
    /// - Parameter version: The version that its settings must have; nil for any.
    package func setCampaign(
        _ slug: Slug, _ change: CampaignChange, at version: String? = nil, by actor: String = "cli", now: Instant
    ) async throws(StoreError) -> CampaignOutcome {
        let set = CampaignSet(
            slug: slug, name: change.name, text: change.text.isGiven ? change.text.value ?? "" : nil,
            firstDay: change.firstDay, lastDay: change.lastDay,
            goal: change.goal.isGiven ? change.goal.value ?? 0 : nil, points: change.milestones.map(\.points),
            names: change.milestones.map(\.name), version: version, now: now,
            cohort: change.cohort.isGiven ? change.cohort.value ?? 0 : nil)
        return try await changing(slug, .patch, change.values, by: actor, now: now) {
            connection throws(PostgresError) in
            _ = try await connection.rows(CampaignLock(slug: slug))
            return try await connection.row(set)
        }
    }

    private func changing(
        _ slug: Slug, _ method: ChangeEntry.Method, _ values: [(String, SettingValue)], by actor: String, now: Instant,
        _ body: (Connection) async throws(PostgresError) -> CampaignOutcome
    ) async throws(StoreError) -> CampaignOutcome {
        let entry = ChangeEntry.campaign(method, slug, values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            let outcome = try await body(connection)
            // Only these two are logged.
            let logged: AdminOutcome = outcome == .added ? .added : outcome == .set ? .set : .stale
            return (logged, outcome)
        }.now
    }
}

extension Store {
    /// The latest last day comes first.
    package func campaigns() async throws(StoreError) -> [Campaign] {
        try await general { connection throws(PostgresError) in try await connection.rows(CampaignsList()) }
    }

    package func haveCampaigns() async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in try await connection.row(CampaignsExist()) }
    }

    package func findCampaign(_ slug: Slug) async throws(StoreError) -> Campaign? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(CampaignsList(slug: slug))
        }
    }

    /// How a campaign over donations stands. It adds up its days.
    package func campaignProgress(of slug: Slug) async throws(StoreError) -> CampaignProgress {
        try await longRead { connection throws(PostgresError) in
            let (sums, milestones) = try await connection.pipeline(
                CampaignSum(slug: slug), CampaignMilestones(slug: slug))
            let sum = sums.first
            return CampaignProgress(
                points: sum?.points ?? 0, contributors: sum?.contributors ?? 0, milestones: milestones)
        }
    }

    /// The milestones of a campaign by points, each with the time at which it was reached. It reads the ledger of those
    /// days.
    package func milestones(of slug: Slug) async throws(StoreError) -> [Milestone] {
        try await longRead { connection throws(PostgresError) in
            try await connection.rows(CampaignMilestones(slug: slug))
        }
    }
}

extension CampaignAdd {
    init(_ new: NewCampaign, now: Instant) {
        var (charity, game, board): (Slug?, Slug?, Slug?)
        switch new.subject {
        case .charity(let slug): charity = slug
        case .board(let ofGame, let slug): (game, board) = (ofGame, slug)
        }
        self.init(
            slug: new.slug, name: new.name, text: new.text, charity: charity, game: game, board: board,
            firstDay: new.days.lowerBound, lastDay: new.days.upperBound, goal: new.goal,
            points: new.milestones.map(\.points), names: new.milestones.map(\.name), now: now, cohort: new.cohort)
    }
}

extension NewCampaign {
    /// What the log says of it.
    fileprivate var values: [(String, SettingValue)] {
        var change = CampaignChange()
        (change.name, change.firstDay, change.lastDay) = (name, days.lowerBound, days.upperBound)
        change.text = text.map { .set($0) } ?? .keep
        change.goal = goal.map { .set($0) } ?? .keep
        change.cohort = cohort.map { .set($0) } ?? .keep
        change.milestones = milestones
        let subject: [(String, SettingValue)] =
            switch self.subject {
            case .charity(let slug): [("charity", .plain(slug == .overall ? "all" : slug.description))]
            case .board(let game, let board):
                [("game", .plain(game.description)), ("board", .plain(board.description))]
            }
        return subject + change.values
    }
}

extension CampaignChange {
    fileprivate var values: [(String, SettingValue)] {
        var values: [(String, SettingValue)] = []
        if let name { values.append(("name", .text(name.description))) }
        if let firstDay { values.append(("first_day", .plain(firstDay.isoDate))) }
        if let lastDay { values.append(("last_day", .plain(lastDay.isoDate))) }
        if text.isGiven { values.append(("text", text.value.map { .text($0) } ?? .none)) }
        if goal.isGiven { values.append(("goal", goal.value.map { .plain("\($0)") } ?? .none)) }
        if cohort.isGiven { values.append(("cohort", cohort.value.map { .plain("\($0)") } ?? .none)) }
        if !milestones.isEmpty {
            values.append(("milestones", .text(milestones.map { "\($0.points) \($0.name)" }.joined(separator: "\n"))))
        }
        return values
    }
}

extension Campaign: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (slug, name, text): (Slug, String, String?) = try (row.next(), row.next(), row.next())
        let (charity, game): (Slug?, Slug?) = try (row.next(), row.next())
        let (board, season): (Slug?, Int32) = try (row.next(), row.next())
        let (first, last): (Day, Day) = try (row.next(), row.next())
        let (from, until): (Instant, Instant) = try (row.next(), row.next())
        guard first <= last, from <= until else {
            throw DecodingFailure(.outOfRange, Campaign.self, from: CalendarDay.oid)
        }
        let subject: Campaign.Subject
        switch (charity, game, board) {
        case (_, let game?, let board?): subject = .board(game: game, board: board, season: season)
        default: subject = .charity(charity ?? .overall)
        }
        self = try Campaign(
            slug: slug, name: name, text: text, subject: subject, days: first...last, span: from..<until,
            goal: row.next(), cohortSize: row.next(), milestones: row.milestones(), endDay: row.next(),
            version: row.next())
    }
}

extension RowReader {
    /// Milestones whose points and names come in two arrays.
    fileprivate mutating func milestones() throws(DecodingFailure) -> [Milestone] {
        let (points, names): ([Int64], [String]) = (try next(), try next())
        return zip(points, names).map { Milestone(points: $0, name: $1) }
    }
}

extension Milestone: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try Milestone(points: row.next(), name: row.next(), reachedAt: row.next())
    }
}

extension CampaignOutcome: PostgresValue {}

/// What became of a campaign that was to be added or changed.
package enum CampaignOutcome: String, Sendable {
    case added, set
    /// There is such a campaign, or such a milestone.
    case exists
    /// The settings have changed since the version that a change was made from.
    case stale
    case noCampaign = "no-campaign"
    case noCharity = "no-charity"
    case noBoard = "no-board"
    /// Its first day has begun, and is fixed.
    case begun
    /// Its last day is over, and is fixed.
    case over
    case badDays = "bad-days"
    /// A campaign over a score board has no goal and no milestones.
    case noGoal = "no-goal"
    /// There are as many campaigns, or milestones, as there may be.
    case full
}

extension CampaignOutcome {
    /// The setting that must change, and how; nil for an outcome that is not about a setting.
    package var refusal: FieldError? {
        switch self {
        case .added, .set, .exists, .stale, .noCampaign, .noCharity, .noBoard: nil
        case .begun: FieldError("first_day", "The campaign has begun, or would have. Send a later first_day, or none.")
        case .over: FieldError("last_day", "The campaign is over, or would be. Send no last_day, or one from today on.")
        case .badDays: .campaignDay("last_day")
        case .noGoal: .campaignGoal
        case .full:
            FieldError(
                "milestones",
                "There are as many campaigns as there may be, \(Limits.campaignsMax), or the campaign has "
                    + "\(Limits.milestonesMax) milestones.")
        }
    }
}
