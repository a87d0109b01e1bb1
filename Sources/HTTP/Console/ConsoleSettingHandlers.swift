import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

/// Games, their boards, and charities in the console. The same code as in the admin API makes and changes them.
final class ConsoleSettingHandlers: RouteHandlers {
    let store: Store
    let clock: ServerClock
    let sessions: ConsoleSessions
    let replies: Replies
    let subjects: ConsoleSubjects
    let admin: AdminSettingHandlers

    init(
        store: Store, clock: ServerClock, sessions: ConsoleSessions, replies: Replies, subjects: ConsoleSubjects,
        admin: AdminSettingHandlers
    ) {
        (self.store, self.clock, self.sessions, self.replies) = (store, clock, sessions, replies)
        (self.subjects, self.admin) = (subjects, admin)
    }

    static func of(_ handlers: Handlers) -> ConsoleSettingHandlers { handlers.consoleSettings }

    /// `GET /admin/games`
    func consoleGames(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let rows = try await admin.gamesPage(request.parameters())
        let path = Routes.console.games.path(nil)
        if let format { return replies.list(AdminSettingHandlers.gameList, rows, at: path, as: format) }
        var page = sessions.page("Games and boards", .games, for: session)
        var blocks: [ConsoleBlock] = [
            .table(
                ConsoleTable(
                    AdminSettingHandlers.gameList, rows, at: path, "Games by their slugs",
                    ["slug": "Game", "name": "Name", "classic": "Classic clients", "has_salt": "Salt"],
                    order: ["slug", "name", "classic", "has_salt"], empty: "There is no game yet."
                ) { Slug($0.slug).map(Routes.console.game.path) })
        ]
        if session.allows(.operate) {
            blocks.append(.links([ConsoleLink("Add a game", Routes.console.newGame.path(), .button)]))
        }
        page.add(nil, blocks)
        return sessions.reply(page)
    }

    /// `GET /admin/games/{game}`
    func consoleGame(_ request: Request, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        return try await gamePage(slug, session, sent: nil, saved: request.parameters()["saved"] != nil, nil)
    }

    /// `POST /admin/games/{game}`
    func saveGame(_ request: Request, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.game.sentNames)
        guard let game = try await store.admin.findGame(slug) else { throw Problem.noGame }
        let fields = SettingForm.game.changes(sent, of: settings(AdminSettingHandlers.gameList, game))
        return try await answering(Routes.console.game.path(slug) + "?saved=") {
            _ = try await admin.changeGame(slug, fields, at: sent["version"], by: session.key)
        } refused: { problem in
            try await gamePage(slug, session, sent: sent, saved: false, problem)
        }
    }

    private func gamePage(_ slug: Slug, _ session: ConsoleSession, sent: Submission?, saved: Bool, _ problem: Problem?)
        async throws -> Response
    {
        guard let game = try await store.admin.findGame(slug) else { throw Problem.noGame }
        var page = sessions.page(game.name.description, .games, for: session)
        page.path = [ConsoleLink("Games and boards", ConsolePath.games)]
        page.intro = slug.description
        let boards = try await admin.boardsPage(QueryParameters("/?limit=100"), of: slug)
        var blocks: [ConsoleBlock] = [
            .table(
                ConsoleTable(
                    AdminSettingHandlers.boardList, boards, at: Routes.console.boards.path(slug, nil),
                    "Boards of this game",
                    [
                        "slug": "Board", "name": "Name", "policy": "Counts", "order": "First", "earns": "Earns",
                        "trust": "Trust", "season": "Season",
                    ], order: ["slug", "name", "policy", "order", "earns", "trust", "season"],
                    empty: "This game has no board yet."
                ) { Slug($0.slug).map { Routes.console.board.path(slug, $0) } })
        ]
        if session.allows(.operate) {
            blocks.append(.links([ConsoleLink("Add a board", Routes.console.newBoard.path(slug), .button)]))
        }
        page.add("Boards", blocks)
        page.add("Sign-in", try await providerBlocks(of: slug, session))
        page.add("Awards", try await awardBlocks(of: slug, session))
        page.add("Teams", [.links([ConsoleLink("All teams", Routes.console.teams.path(slug, nil))])])
        let form = SettingForm.game.form(
            Routes.console.game.path(slug), of: settings(AdminSettingHandlers.gameList, game), version: game.version,
            hidden: sessions.hidden(session), sent: sent, problem)
        page.add("Settings", settingBlocks(form, session, saved: saved))
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    /// `GET /admin/games/{game}/boards`, as CSV or JSON.
    func consoleBoards(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        _ = try await sessions.signedIn(request, .read)
        guard let format else { return sessions.seeOther(Routes.console.game.path(game)) }
        let rows = try await admin.boardsPage(request.parameters(), of: game)
        return replies.list(AdminSettingHandlers.boardList, rows, at: Routes.console.boards.path(game, nil), as: format)
    }

    /// `GET /admin/games/{game}/boards/{board}`
    func consoleBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        return try await boardPage(slug, in: game, session, sent: nil, saved: request.parameters()["saved"] != nil, nil)
    }

    /// `POST /admin/games/{game}/boards/{board}`
    func saveBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.board.sentNames)
        guard let board = try await store.admin.findBoardListing(slug, in: game) else { throw Problem.noBoard }
        let fields = SettingForm.board.changes(sent, of: settings(AdminSettingHandlers.boardList, board))
        return try await answering(Routes.console.board.path(game, slug) + "?saved=") {
            _ = try await admin.changeBoard(slug, in: game, fields, at: sent["version"], by: session.key)
        } refused: { problem in
            try await boardPage(slug, in: game, session, sent: sent, saved: false, problem)
        }
    }

    private func boardPage(
        _ slug: Slug, in game: Slug, _ session: ConsoleSession, sent: Submission?, saved: Bool, _ problem: Problem?
    ) async throws -> Response {
        guard let board = try await store.admin.findBoardListing(slug, in: game) else { throw Problem.noBoard }
        var page = sessions.page(board.name.description, .games, for: session)
        page.path = [
            ConsoleLink("Games and boards", ConsolePath.games),
            ConsoleLink(game.description, Routes.console.game.path(game)),
        ]
        page.intro = "\(slug), season \(board.season)"
        let form = SettingForm.board.form(
            Routes.console.board.path(game, slug), of: settings(AdminSettingHandlers.boardList, board),
            version: board.version, hidden: sessions.hidden(session), sent: sent, problem)
        page.add("Settings", settingBlocks(form, session, saved: saved))
        if session.allows(.operate), session.allows(.moderate) {
            let address = "\(ConsolePath.actions)?do=reset&game=\(game)&board=\(slug)"
            page.add(
                "Season",
                [
                    .text("The old season stays readable; the new one starts empty."),
                    .links([ConsoleLink("Begin a new season", address, .stop)]),
                ])
        }
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    /// A form of settings for those who may change them, or what is set for those who may not.
    func settingBlocks(_ form: ConsoleForm, _ session: ConsoleSession, saved: Bool) -> [ConsoleBlock] {
        let notice: [ConsoleBlock] = saved ? [.notice("Saved. It counts at once.", isTrouble: false)] : []
        guard session.allows(.operate) else {
            return [.facts(form.fields.filter { !$0.value.isEmpty }.map { ($0.name, .text($0.value)) })]
        }
        return notice + [.form(form)]
    }

    /// What is set, as forms show it.
    func settings<Row>(_ list: AdminList<Row>, _ row: Row) -> [String: String] {
        Dictionary(zip(list.columns, list.cells(row)).map { ("\($0.name)", $1.cell.typed) }) { first, _ in first }
    }

    /// Does what a form asks for and leads to another page, or shows the form with what has to be changed.
    func answering(_ path: String, _ body: () async throws -> Void, refused: (Problem) async throws -> Response)
        async throws -> Response
    {
        do {
            try await body()
            return sessions.seeOther(path)
        } catch let problem as Problem where problem.isAboutForm { return try await refused(problem) } catch let error
            as FieldError
        { return try await refused(Problem(error)) }
    }
}

extension Problem {
    /// Whether whoever filled in the form can change something about it.
    var isAboutForm: Bool {
        switch name.status.code {
        case 400, 409, 412, 422: true
        default: false
        }
    }
}

extension Value {
    /// The value as it is typed into a field.
    fileprivate var typed: String {
        switch self {
        case .text(let text), .json(let text), .link(let text): text
        case .integer(let number): "\(number)"
        case .tenths(let tenths): "\(tenths)"
        case .instant(let instant): instant.rfc3339(.microseconds)
        case .boolean(let isSo): isSo ? "yes" : "no"
        case .embeddedBase64, .none: ""
        }
    }
}
