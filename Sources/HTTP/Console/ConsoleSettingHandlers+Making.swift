import enum Contract.ProblemName
import Credentials
import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// What the console makes: games, boards and charities. Keys have pages of their own.
extension ConsoleSettingHandlers {
    /// `GET /admin/new/game`
    func newGamePage(_ request: Request) async throws -> Response {
        newGamePage(try await sessions.signedIn(request, .operate), sent: nil, nil)
    }

    /// `POST /admin/new/game`
    func makeGame(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.game.sentNames)
        return try await answering(Routes.console.games.path(nil)) {
            _ = try await admin.addGame(Self.slug(sent), SettingForm.game.made(sent), by: session.key)
        } refused: { problem in
            newGamePage(session, sent: sent, problem)
        }
    }

    private func newGamePage(_ session: ConsoleSession, sent: Submission?, _ problem: Problem?) -> Response {
        newPage(
            "game", .games, [ConsoleLink("Games and boards", ConsolePath.games)], Routes.console.newGame.path(),
            SettingForm.game, session, sent: sent, problem)
    }

    /// `GET /admin/games/{game}/new`
    func newBoardPage(_ request: Request, in game: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return newBoardPage(session, in: game, sent: nil, nil)
    }

    /// `POST /admin/games/{game}/new`
    func makeBoard(_ request: Request, in game: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.board.sentNames)
        return try await answering(Routes.console.game.path(game)) {
            _ = try await admin.addBoard(Self.slug(sent), in: game, SettingForm.board.made(sent), by: session.key)
        } refused: { problem in
            newBoardPage(session, in: game, sent: sent, problem)
        }
    }

    private func newBoardPage(_ session: ConsoleSession, in game: Slug, sent: Submission?, _ problem: Problem?)
        -> Response
    {
        newPage(
            "board", .games,
            [
                ConsoleLink("Games and boards", ConsolePath.games),
                ConsoleLink(game.description, Routes.console.game.path(game)),
            ], Routes.console.newBoard.path(game), SettingForm.board,
            intro: "What is left empty has its standard value: the best counts, the highest ranks first.", session,
            sent: sent, problem)
    }

    /// `GET /admin/new/charity`
    func newCharityPage(_ request: Request) async throws -> Response {
        newCharityPage(try await sessions.signedIn(request, .operate), sent: nil, nil)
    }

    /// `POST /admin/new/charity`
    func makeCharity(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.charity.sentNames)
        return try await answering(Routes.console.charities.path(nil)) {
            _ = try await admin.addCharity(Self.slug(sent), SettingForm.charity.made(sent), by: session.key)
        } refused: { problem in
            newCharityPage(session, sent: sent, problem)
        }
    }

    private func newCharityPage(_ session: ConsoleSession, sent: Submission?, _ problem: Problem?) -> Response {
        newPage(
            "charity", .charities, [ConsoleLink("Charities", ConsolePath.charities)], Routes.console.newCharity.path(),
            SettingForm.charity, session, sent: sent, problem)
    }

    /// The page with the form of a new thing.
    /// - Parameters:
    ///   - thing: What is added, such as `game`.
    ///   - path: The pages above this one.
    ///   - action: Where the form is sent.
    func newPage(
        _ thing: String, _ entry: ConsoleEntry, _ path: [ConsoleLink], _ action: String, _ form: SettingForm,
        intro: String? = nil, _ session: ConsoleSession, sent: Submission?, _ problem: Problem?
    ) -> Response {
        var page = sessions.page("Add a \(thing)", entry, for: session)
        page.path = path
        page.intro = intro
        let filled = form.form(
            action, hidden: sessions.hidden(session), sent: sent, button: "Add the \(thing)", problem.map(Self.ofSlug))
        page.add(nil, [.form(filled)])
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    static func slug(_ sent: Submission) throws(FieldError) -> Slug {
        guard let slug = Slug(sent["slug"]) else {
            throw FieldError("slug", "slug is 1 to 63 small letters, digits and hyphens, such as tree-fund.")
        }
        return slug
    }

    /// A form knows no versions of what it makes: that something is there is about its slug.
    private static func ofSlug(_ problem: Problem) -> Problem {
        guard problem.name == .stale else { return problem }
        return Problem(.field, "There is one with this slug already. Choose another one.", field: "slug")
    }
}

// MARK: - Charities

extension ConsoleSettingHandlers {
    /// `GET /admin/charities`
    func consoleCharities(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let rows = try await admin.charitiesPage(request.parameters())
        let path = Routes.console.charities.path(nil)
        if let format { return replies.list(AdminSettingHandlers.charityList, rows, at: path, as: format) }
        var page = sessions.page("Charities", .charities, for: session)
        var blocks: [ConsoleBlock] = [
            .table(
                ConsoleTable(
                    AdminSettingHandlers.charityList, rows, at: path, "Charities by their slugs",
                    ["slug": "Charity", "name": "Name", "goal": "Goal", "opens": "Opens", "closes": "Closes"],
                    order: ["slug", "name", "goal", "opens", "closes"], empty: "There is no charity yet."
                ) { Slug($0.slug).map(Routes.console.charity.path) })
        ]
        if session.allows(.operate) {
            blocks.append(.links([ConsoleLink("Add a charity", Routes.console.newCharity.path(), .button)]))
        }
        page.add(nil, blocks)
        return sessions.reply(page)
    }

    /// `GET /admin/charities/{charity}`
    func consoleCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .read, .charity(slug))
        let query = try QueryParameters(request.target)
        return try await charityPage(slug, session, query, sent: nil, nil)
    }

    /// `POST /admin/charities/{charity}`
    func saveCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.charity.sentNames)
        guard let charity = try await store.admin.findCharityListing(slug) else { throw Problem.noCharity }
        let fields = SettingForm.charity.changes(sent, of: settings(AdminSettingHandlers.charityList, charity))
        return try await answering(Routes.console.charity.path(slug) + "?saved=") {
            _ = try await admin.changeCharity(slug, fields, at: sent["version"], by: session.key)
        } refused: { problem in
            try await charityPage(slug, session, QueryParameters("/"), sent: sent, problem)
        }
    }

    private func charityPage(
        _ slug: Slug, _ session: ConsoleSession, _ query: QueryParameters, sent: Submission?, _ problem: Problem?
    ) async throws -> Response {
        guard let charity = try await store.admin.findCharityListing(slug) else { throw Problem.noCharity }
        var page = sessions.page(charity.name.description, .charities, for: session)
        page.path = session.allows(.read) ? [ConsoleLink("Charities", ConsolePath.charities)] : []
        page.intro = "\(slug), days in \(charity.zone)"
        let form = SettingForm.charity.form(
            Routes.console.charity.path(slug), of: settings(AdminSettingHandlers.charityList, charity),
            version: charity.version, hidden: sessions.hidden(session), sent: sent, problem)
        page.add("Settings", settingBlocks(form, session, saved: query["saved"] != nil))
        let rows = try await admin.donationsPage(query, to: slug)
        let names = try await subjects.names(of: rows.rows.compactMap(\.player))
        let isLinked = session.allows(.read)
        var donations = ConsoleTable(
            AdminSettingHandlers.donationList, rows, at: Routes.console.charity.path(slug), "Newest first",
            ["recorded_at": "When (UTC)", "points": "Points", "state": "State", "player": "Player", "game": "Game"],
            order: ["recorded_at", "points", "state", "player", "game"],
            empty: "Nobody has donated to this charity yet.",
            cells: ["player": { $0.player.map { ConsoleSubjects.cell(of: $0, names, isLinked: isLinked) } ?? .none }]
        ) { _ in nil }
        donations.csv = rows.same(Routes.console.charityDonations.path(slug, .csv))
        page.add("Donations", [.table(donations)])
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    /// `GET /admin/charities/{charity}/donations`, as CSV or JSON.
    func consoleCharityDonations(_ request: Request, to slug: Slug, _ format: ListFormat?) async throws -> Response {
        _ = try await sessions.signedIn(request, .read, .charity(slug))
        guard let format else { return sessions.seeOther(Routes.console.charity.path(slug)) }
        let rows = try await admin.donationsPage(request.parameters(), to: slug)
        return replies.list(
            AdminSettingHandlers.donationList, rows, at: Routes.console.charityDonations.path(slug, nil), as: format)
    }
}
