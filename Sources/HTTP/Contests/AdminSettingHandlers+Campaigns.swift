import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Campaigns, as operators see and change them.
extension AdminSettingHandlers {
    /// `GET /v1/admin/campaigns`
    func adminCampaigns(_ request: Request) async throws -> Response {
        try await operators.admin(request, .read)
        let rows = try await store.campaigns().map { JSONTree.object($0.members(in: $0.state(at: clock.now))) }
        return replies.own(.ok, .object([.init("campaigns", .list(rows))]))
    }

    /// `GET /v1/admin/campaigns/{campaign}`
    func adminCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        try await operators.admin(request, .read)
        return try await campaignReply(slug)
    }

    /// `PUT /v1/admin/campaigns/{campaign}`
    func addCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try Precondition.creates(request.headers)
        try await addCampaign(slug, request.fields(Self.campaignFields), by: admin)
        return try await campaignReply(slug, .created, at: Routes.admin.campaign.path(slug))
    }

    func addCampaign(_ slug: Slug, _ fields: Fields, by admin: AdminKey) async throws {
        let campaign = try Self.newCampaign(slug, fields)
        let outcome = try await store.admin.addCampaign(campaign, by: admin.id.text, now: clock.now)
        if outcome == .exists {
            throw Problem.isThere(try await store.findCampaign(slug).map { Precondition.etag($0.version) })
        }
        try outcome.check()
        rankings.forgetCampaigns()
    }

    /// `PATCH /v1/admin/campaigns/{campaign}`
    func changeCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let version = try Precondition.version(request.headers)
        try await changeCampaign(slug, request.fields(Self.campaignFields), at: version, by: admin)
        return try await campaignReply(slug)
    }

    func changeCampaign(_ slug: Slug, _ fields: Fields, at version: String, by admin: AdminKey) async throws {
        for field in ["charity", "game", "board"] where fields.presence(of: field) != .absent {
            throw FieldError(field, "\(field) is fixed once the campaign is added. Add another campaign.")
        }
        var change = CampaignChange()
        change.name = try fields.campaignName()
        change.text = try fields.campaignText()
        (change.firstDay, change.lastDay) = (try fields.day("first_day"), try fields.day("last_day"))
        if fields.presence(of: "goal") == .null { change.goal = .clear }
        if let goal = try fields.campaignGoal() { change.goal = .set(goal) }
        if fields.presence(of: "cohort") == .null { change.cohort = .clear }
        if let cohort = try fields.cohort() { change.cohort = .set(cohort) }
        change.milestones = try fields.milestones()
        let outcome = try await store.admin.setCampaign(slug, change, at: version, by: admin.id.text, now: clock.now)
        if outcome == .stale {
            let now = try await store.findCampaign(slug)
            throw Problem.changedMeanwhile(now.map { Precondition.etag($0.version) })
        }
        try outcome.check()
        rankings.forgetCampaigns()
    }

    private static let campaignFields: Set<String> = [
        "name", "text", "charity", "game", "board", "first_day", "last_day", "goal", "cohort", "milestones",
    ]

    private static func newCampaign(_ slug: Slug, _ fields: Fields) throws -> NewCampaign {
        let subject: NewCampaign.Subject
        switch (try fields.slug("charity"), try fields.slug("game"), try fields.slug("board")) {
        case (let charity?, nil, nil): subject = .charity(charity.description == "all" ? .overall : charity)
        case (nil, let game?, let board?): subject = .board(game: game, board: board)
        default: throw FieldError.campaignSubject
        }
        return try NewCampaign(
            slug: slug, name: fields.campaignName(), text: fields.campaignText().value, subject: subject,
            firstDay: fields.day("first_day"), lastDay: fields.day("last_day"), goal: fields.campaignGoal(),
            cohort: fields.cohort(), milestones: fields.milestones())
    }

    private func campaignReply(_ slug: Slug, _ status: HTTPResponse.Status = .ok, at path: String? = nil) async throws
        -> Response
    {
        guard let campaign = try await store.findCampaign(slug) else { throw Problem.noCampaign }
        let progress = try await rankings.progress(of: campaign)
        return replies.versioned(
            .object(campaign.members(in: campaign.state(at: clock.now), progress)), version: campaign.version, status,
            at: path)
    }
}

extension Fields {
    fileprivate func slug(_ field: String) throws(FieldError) -> Slug? {
        guard let text = try text(field) else { return nil }
        guard let slug = Slug(text) else { throw FieldError(field, "\(field) is no slug. Slugs have a-z, 0-9 and -.") }
        return slug
    }

    fileprivate func day(_ field: String) throws(FieldError) -> Day? {
        guard let text = try text(field) else { return nil }
        guard let day = Day(text: text) else { throw .campaignDay(field) }
        return day
    }

    fileprivate func campaignName() throws(FieldError) -> DisplayName? {
        guard let text = try text("name") else { return nil }
        guard let name = DisplayName(text) else { throw .campaignName }
        return name
    }

    fileprivate func campaignText() throws(FieldError) -> Patch<String> {
        guard presence(of: "text") != .absent else { return .keep }
        guard let text = try text("text"), !text.isEmpty else { return .clear }
        guard text.utf8.count <= Limits.descriptionBytesMax else {
            throw FieldError("text", "text is longer than \(Limits.descriptionBytesMax) bytes. Send less.")
        }
        return .set(text)
    }

    fileprivate func campaignGoal() throws(FieldError) -> Int64? {
        guard let goal = try integer("goal") else { return nil }
        guard (1...Limits.walletPointsMax).contains(goal) else {
            throw FieldError("goal", "goal is a number of points, 1 or more. Send another one, or leave it out.")
        }
        return goal
    }

    fileprivate func cohort() throws(FieldError) -> Int64? { try NewCampaign.checked(cohort: integer("cohort")) }

    /// From JSON, or from typed text with one milestone per line.
    fileprivate func milestones() throws(FieldError) -> [Milestone] {
        if case .typed = self {
            let lines = try text("milestones")?.utf8.split(separator: UInt8(ascii: "\n")) ?? []
            return try NewCampaign.checked(
                lines.map { line throws(FieldError) in try Milestone(typed: String(line) ?? "") })
        }
        let objects = try objects("milestones", countMax: Int(Limits.milestonesMax)) ?? []
        let milestones = try objects.map { fields throws(FieldError) in
            guard let points = try fields.integer("points"),
                let name = try fields.text("name").flatMap({ DisplayName($0) })
            else { throw .campaignMilestones }
            return Milestone(points: points, name: name.description)
        }
        return try NewCampaign.checked(milestones)
    }
}

extension CampaignOutcome {
    /// - Throws: ``Problem`` or ``FieldError`` unless the settings are as was asked for.
    fileprivate func check() throws {
        switch self {
        case .added, .set: return
        case .exists: throw FieldError.campaignMilestones
        case .noCampaign, .stale: throw Problem.noCampaign
        case .noCharity: throw Problem.noCharity
        case .noBoard: throw Problem.noBoard
        default: if let refusal { throw refusal }
        }
    }
}

extension FieldError {
    fileprivate static let campaignSubject = FieldError(
        "charity", "Send charity, a slug or all; or game and board. A campaign is over one of them.")
}
