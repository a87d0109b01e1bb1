import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// Campaigns in the console.
extension ConsoleSettingHandlers {
    /// `GET /admin/campaigns`
    func consoleCampaigns(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let now = clock.now
        let rows = try await store.campaigns().map { campaign -> [ConsoleCell] in
            [
                .link(ConsoleLink(campaign.slug.description, Routes.console.campaign.path(campaign.slug))),
                .text(campaign.name), .tag(campaign.state(at: now).rawValue), .text(campaign.subject.title),
                .text(campaign.days.lowerBound.isoDate), .text(campaign.days.upperBound.isoDate),
                campaign.goal.map { .number(Int128($0)) } ?? .none,
            ]
        }
        var page = sessions.page("Campaigns", .campaigns, for: session)
        var blocks: [ConsoleBlock] = [
            .table(
                ConsoleTable(
                    "The latest last day first",
                    ["Campaign", "Name", "State", "Counts", "First day", "Last day"].map { ConsoleTable.Column($0) } + [
                        ConsoleTable.Column("Goal", isNumber: true)
                    ], rows, empty: "There are no campaigns yet."))
        ]
        if session.allows(.operate) {
            blocks.append(.links([ConsoleLink("Add a campaign", Routes.console.newCampaign.path(), .button)]))
        }
        page.add(nil, blocks)
        return sessions.reply(page)
    }

    /// `GET /admin/new/campaign`
    func newCampaignPage(_ request: Request) async throws -> Response {
        newCampaignPage(try await sessions.signedIn(request, .operate), sent: nil, nil)
    }

    /// `POST /admin/new/campaign`
    func makeCampaign(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.campaign.sentNames)
        return try await answering(ConsolePath.campaigns) {
            do {
                try await admin.addCampaign(Self.slug(sent), SettingForm.campaign.made(sent), by: session.key)
            } catch let problem as Problem where problem == .noCharity {
                throw FieldError("charity", problem.sentence)
            } catch let problem as Problem where problem == .noBoard { throw FieldError("board", problem.sentence) }
        } refused: { problem in
            newCampaignPage(session, sent: sent, problem)
        }
    }

    private func newCampaignPage(_ session: ConsoleSession, sent: Submission?, _ problem: Problem?) -> Response {
        newPage(
            "campaign", .campaigns, [ConsoleLink("Campaigns", ConsolePath.campaigns)],
            Routes.console.newCampaign.path(), SettingForm.campaign,
            intro: "A campaign counts the donations of its days, or ranks a board's scores of its days.", session,
            sent: sent, problem)
    }

    /// `GET /admin/campaigns/{campaign}`
    func consoleCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        return try await campaignPage(slug, session, sent: nil, saved: request.parameters()["saved"] != nil, nil)
    }

    /// `POST /admin/campaigns/{campaign}`
    func saveCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.campaign.sentNames)
        let fields = SettingForm.campaign.changes(sent, of: try await campaign(slug).typedSettings)
        return try await answering(Routes.console.campaign.path(slug) + "?saved=") {
            try await admin.changeCampaign(slug, fields, at: sent["version"], by: session.key)
        } refused: { problem in
            try await campaignPage(slug, session, sent: sent, saved: false, problem)
        }
    }

    private func campaignPage(
        _ slug: Slug, _ session: ConsoleSession, sent: Submission?, saved: Bool, _ problem: Problem?
    ) async throws -> Response {
        let campaign = try await campaign(slug)
        var page = sessions.page(campaign.name, .campaigns, for: session)
        page.path = [ConsoleLink("Campaigns", ConsolePath.campaigns)]
        page.intro = "\(slug) counts \(campaign.subject.title)"
        var facts: [(label: String, value: ConsoleCell)] = [
            ("State", .tag(campaign.state(at: clock.now).rawValue)), ("From", .instant(campaign.span.lowerBound)),
            ("Until", .instant(campaign.span.upperBound)),
        ]
        let progress = try await admin.rankings.progress(of: campaign)
        if let progress {
            facts += [("Points", .number(progress.points)), ("Donors", .number(Int128(progress.contributors)))]
        }
        page.add(nil, [.facts(facts)])
        if let progress {
            page.add(
                "Milestones", id: "milestones",
                [
                    .table(
                        ConsoleTable(
                            "By points",
                            [
                                ConsoleTable.Column("Points", isNumber: true), ConsoleTable.Column("Name"),
                                ConsoleTable.Column("Reached (UTC)"),
                            ],
                            progress.milestones.map {
                                [
                                    .number(Int128($0.points)), .text($0.name),
                                    $0.reachedAt.map { .instant($0) } ?? .none,
                                ]
                            }, empty: "This campaign has no milestones."))
                ])
        }
        let form = SettingForm.campaign.form(
            Routes.console.campaign.path(slug), of: campaign.typedSettings, version: campaign.version,
            hidden: sessions.hidden(session), sent: sent, problem)
        page.add("Settings", settingBlocks(form, session, saved: saved))
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    private func campaign(_ slug: Slug) async throws -> Campaign {
        guard let campaign = try await store.findCampaign(slug) else { throw Problem.noCampaign }
        return campaign
    }
}

extension Campaign {
    /// The settings as the form shows them. Milestones can only be added.
    fileprivate var typedSettings: [String: String] {
        [
            "name": name, "text": text ?? "", "first_day": days.lowerBound.isoDate, "last_day": days.upperBound.isoDate,
            "goal": goal.map(String.init) ?? "", "cohort": cohortSize.map(String.init) ?? "",
        ]
    }
}

extension Campaign.Subject {
    fileprivate var title: String {
        switch self {
        case .charity(let charity): charity == .overall ? "donations to all charities" : "donations to \(charity)"
        case .board(let game, let board, let season): "scores of \(game)/\(board), season \(season)"
        }
    }
}

extension SettingForm {
    static let campaign = SettingForm(
        fields: [
            ConsoleForm.Field("name", "Name", hint: "What players see. Leave it empty to use the slug."),
            ConsoleForm.Field("text", "Text", .area, hint: "What it is about."),
            ConsoleForm.Field("charity", "Charity", hint: "A charity's slug, or all, to count donations."),
            ConsoleForm.Field("game", "Game", hint: "Instead of a charity, to rank the scores of a board."),
            ConsoleForm.Field("board", "Board", hint: "The slug of a board of the game."),
            ConsoleForm.Field("first_day", "First day", hint: "Such as 2026-12-01. Fixed once it has begun."),
            ConsoleForm.Field("last_day", "Last day", hint: "Fixed once it is over."),
            ConsoleForm.Field("goal", "Goal", hint: "Points to collect. Only for donations."),
            ConsoleForm.Field("cohort", "Cohort", hint: "Players in a cohort, 2 to 100. Empty: players cannot enter."),
            ConsoleForm.Field(
                "milestones", "New milestones", .area, hint: "One per line: points and a name, such as 1000:A well."),
        ], fixed: ["charity", "game", "board"])
}
