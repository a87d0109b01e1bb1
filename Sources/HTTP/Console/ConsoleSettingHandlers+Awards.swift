import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// The awards of a game in the console.
extension ConsoleSettingHandlers {
    /// The section of a game's page.
    func awardBlocks(of game: Slug, _ session: ConsoleSession) async throws -> [ConsoleBlock] {
        let rows = try await admin.awardsPage(QueryParameters("/?limit=100"), of: game)
        var blocks: [ConsoleBlock] = [
            .table(
                ConsoleTable(
                    AdminSettingHandlers.awardList, rows, at: Routes.console.awards.path(game, nil),
                    "What players get besides points",
                    [
                        "slug": "Award", "name": "Name", "rule": "Rule", "at_least": "At least", "board": "Board",
                        "given_to": "Given",
                    ], order: ["slug", "name", "rule", "at_least", "board", "given_to"],
                    empty: "This game has no awards."
                ) { Routes.console.award.path(game, $0.slug) })
        ]
        if session.allows(.operate) {
            blocks.append(.links([ConsoleLink("Add an award", Routes.console.newAward.path(game), .button)]))
        }
        return blocks
    }

    /// `GET /admin/games/{game}/awards`, as CSV or JSON.
    func consoleAwards(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        _ = try await sessions.signedIn(request, .read)
        guard let format else { return sessions.seeOther(Routes.console.game.path(game)) }
        let rows = try await admin.awardsPage(request.parameters(), of: game)
        return replies.list(AdminSettingHandlers.awardList, rows, at: Routes.console.awards.path(game, nil), as: format)
    }

    /// `GET /admin/games/{game}/new/award`
    func newAwardPage(_ request: Request, in game: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return newAwardPage(session, in: game, sent: nil, nil)
    }

    /// `POST /admin/games/{game}/new/award`
    func makeAward(_ request: Request, in game: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.award.sentNames)
        return try await answering(Routes.console.game.path(game)) {
            _ = try await admin.addAward(Self.slug(sent), in: game, SettingForm.award.made(sent), by: session.key)
        } refused: { problem in
            newAwardPage(session, in: game, sent: sent, problem)
        }
    }

    private func newAwardPage(_ session: ConsoleSession, in game: Slug, sent: Submission?, _ problem: Problem?)
        -> Response
    {
        newPage(
            "award", .games, path(to: game), Routes.console.newAward.path(game), SettingForm.award,
            intro: "Players who have done what it is for get it soon, since the moment when they had.", session,
            sent: sent, problem)
    }

    /// `GET /admin/games/{game}/awards/{award}`
    func consoleAward(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        return try await awardPage(slug, in: game, session, sent: nil, saved: request.parameters()["saved"] != nil, nil)
    }

    /// `POST /admin/games/{game}/awards/{award}`
    func saveAward(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.award.sentNames)
        let award = try await admin.award(slug, in: game)
        let fields = SettingForm.award.changes(sent, of: settings(AdminSettingHandlers.awardList, award))
        return try await answering(Routes.console.award.path(game, slug) + "?saved=") {
            _ = try await admin.changeAward(slug, in: game, fields, at: sent["version"], by: session.key)
        } refused: { problem in
            try await awardPage(slug, in: game, session, sent: sent, saved: false, problem)
        }
    }

    private func awardPage(
        _ slug: Slug, in game: Slug, _ session: ConsoleSession, sent: Submission?, saved: Bool, _ problem: Problem?
    ) async throws -> Response {
        let award = try await admin.award(slug, in: game)
        var page = sessions.page(award.award.name.description, .games, for: session)
        page.path = path(to: game)
        page.intro = award.givenCount == 1 ? "Given once" : "Given \(award.givenCount) times"
        let form = SettingForm.award.form(
            Routes.console.award.path(game, slug), of: settings(AdminSettingHandlers.awardList, award),
            version: award.version, hidden: sessions.hidden(session), sent: sent, problem)
        page.add("Settings", settingBlocks(form, session, saved: saved))
        return sessions.reply(page, problem?.name.status ?? .ok)
    }
}

extension SettingForm {
    static let award = SettingForm(
        fields: [
            ConsoleForm.Field("name", "Name", hint: "What players see. Empty: the slug."),
            ConsoleForm.Field("text", "Text", hint: "What a player has to do, in words."),
            ConsoleForm.Field(
                "rule", "Rule", .choice(AwardRule.Kind.allCases.map { ($0.rawValue, $0.title) }),
                hint: "Fixed once somebody has the award, as are the next five."),
            ConsoleForm.Field(
                "at_least", "At least", hint: "Points, days, charities, or a rank. Where low is good: points at most."),
            ConsoleForm.Field("board", "Board", hint: "The slug of a board of the game."),
            ConsoleForm.Field("season", "Season", hint: "For points and ranks. Empty: all."),
            ConsoleForm.Field("contest", "Campaign", hint: "For ranks, in place of a board: the slug of a campaign."),
            ConsoleForm.Field(
                "window", "Points of", .choice([("", "-"), ("season", "the season"), ("day", "one day")])),
            ConsoleForm.Field(
                "secret", "Its text", .choice([("false", "is for everybody"), ("true", "is for those who have it")])),
        ], fixed: [])
}

extension AwardRule.Kind {
    fileprivate var title: String {
        switch self {
        case .points: "points of a board"
        case .days: "days with a score"
        case .streak: "days with a score in a row"
        case .given: "points donated by name"
        case .charities: "charities helped by name"
        case .rank: "rank in a season or campaign that is over"
        case .granted: "granted by the game or by an operator"
        }
    }
}
