import enum Contract.ProblemName
import Credentials
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

/// Players in the console: who they are, what they did, what can be put right about it, and the log of that.
final class ConsolePlayerHandlers: RouteHandlers {
    let store: Store
    let sessions: ConsoleSessions
    let replies: Replies
    let subjects: ConsoleSubjects
    let players: AdminPlayerHandlers
    let moderation: ModerationHandlers
    let profiles: ProfileHandlers

    init(
        store: Store, sessions: ConsoleSessions, replies: Replies, subjects: ConsoleSubjects,
        players: AdminPlayerHandlers, moderation: ModerationHandlers, profiles: ProfileHandlers
    ) {
        (self.store, self.sessions, self.replies, self.subjects) = (store, sessions, replies, subjects)
        (self.players, self.moderation, self.profiles) = (players, moderation, profiles)
    }

    static func of(_ handlers: Handlers) -> ConsolePlayerHandlers { handlers.consolePlayers }

    /// `GET /admin/players`
    func consolePlayers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let asked = Submission(
            try QueryParameters(request.target, plusIsSpace: true),
            known: ["by", "text", "game", "name", "id", "external", "limit", "after"])
        let query = try Self.searchQuery(asked)
        let path = Routes.console.players.path(nil)
        if let format {
            return replies.list(
                AdminPlayerHandlers.playerList, try await players.playersPage(query), at: path, as: format)
        }
        guard query["name"] != nil || query["id"] != nil || query["external"] != nil else {
            return playersPage(session, asked: asked, nil, nil)
        }
        do {
            let rows = try await players.playersPage(query)
            return playersPage(session, asked: asked, foundTable(rows, at: path), nil)
        } catch let problem as Problem where problem.isAboutForm || problem == .noGame {
            return playersPage(session, asked: asked, nil, problem)
        }
    }

    /// `POST /admin/players` looks for an e-mail address, so that no log of addresses has it.
    func searchConsolePlayers(_ request: Request, _: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .personal)
        let sent = try sessions.submission(request, session, known: ["email"])
        do {
            let rows = try await players.playersPage(
                byEmail: sent.fields(["email"], leavingOutEmpty: true), QueryParameters("/"))
            var table = foundTable(rows, at: "")
            // The next page would have to name the address.
            (table.next, table.csv) = (nil, nil)
            return playersPage(session, asked: sent, table, nil)
        } catch let error as FieldError { return playersPage(session, asked: sent, nil, Problem(error)) }
    }

    /// What the form asks for, in the words of the admin API.
    private static func searchQuery(_ asked: Submission) throws(Problem) -> QueryParameters {
        var parts: [String] = []
        for field in ["name", "id", "external", "game", "limit", "after"] where !asked[field].isEmpty {
            parts.append("\(field)=\(asked[field].pathText)")
        }
        if !asked["text"].isEmpty, ["name", "id", "external"].contains(asked["by"]) {
            parts.append("\(asked["by"])=\(asked["text"].pathText)")
        }
        return try QueryParameters("/?" + parts.joined(separator: "&"))
    }

    private func foundTable(_ rows: ListPage<FoundPlayer>, at path: String) -> ConsoleTable {
        ConsoleTable(
            AdminPlayerHandlers.playerList, rows, at: path, "Players who were found",
            ["name": "Name", "id": "Id", "game": "Game", "registered_at": "Registered", "hidden": "Hidden"],
            order: ["name", "id", "game", "registered_at", "hidden"],
            empty: "Nobody was found. Ask for the whole name, in any case.",
            cells: ["id": { .code("\($0.id.rawValue)") }]
        ) { Routes.console.player.path($0.id) }
    }

    private func playersPage(_ session: ConsoleSession, asked: Submission, _ found: ConsoleTable?, _ problem: Problem?)
        -> Response
    {
        var page = sessions.page("Players", .players, for: session)
        var form = ConsoleForm(
            ConsolePath.players, isPost: false,
            fields: [
                ConsoleForm.Field(
                    "by", "Look for a player by",
                    .choice([("name", "whole name"), ("id", "id"), ("external", "the game's own id")]),
                    value: asked["by"]),
                ConsoleForm.Field("text", "Name or id", value: asked["text"], isRequired: true),
                ConsoleForm.Field("game", "In the game", value: asked["game"], hint: "Its slug; empty for all games."),
            ], buttons: [ConsoleForm.Button("Find")])
        let isEmail = asked.has("email")
        if let problem, !isEmail { form.show(problem.sentence, at: problem.name == .notFound ? "game" : "text") }
        if let found { page.add(nil, id: "found", [.table(found)]) }
        page.add(found == nil ? nil : "Look again", [.form(form)])
        if session.allows(.personal) {
            var mail = ConsoleForm(
                ConsolePath.players, hidden: sessions.hidden(session),
                fields: [ConsoleForm.Field("email", "E-mail address", value: asked["email"], isRequired: true)],
                buttons: [ConsoleForm.Button("Find by e-mail", .plain)])
            if let problem, isEmail { mail.show(problem.sentence, at: "email") }
            page.add("By e-mail", [.form(mail)])
        }
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    /// `GET /admin/players/{player}`
    func consolePlayer(_ request: Request, _ id: Player.ID) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let query = try request.parameters()
        let isPersonal = session.allows(.personal)
        guard let player = try await store.admin.findPlayerRecord(id, withAnonymous: isPersonal) else {
            throw Problem.noPlayer
        }
        let ledger = try await players.ledgerPage(query, of: id, for: session.key)
        var page = sessions.page(player.name, .players, for: session)
        page.path = [ConsoleLink("Players", ConsolePath.players)]
        page.intro = "Player \(id.rawValue) of \(player.game)"
        var blocks: [ConsoleBlock] = []
        if query["done"] != nil { blocks.append(.notice("Done, and on record in the log.", isTrouble: false)) }
        if player.isHidden { blocks.append(.notice("Hidden: in no ranking, page or search.", isTrouble: false)) }
        if let picture = player.avatar {
            blocks.append(.picture(Routes.console.picture.path(picture), name: player.name))
        }
        let others = try await subjects.names(of: [player.mergedInto].compactMap(\.self))
        var facts = Self.facts(of: player, others, isPersonal: isPersonal)
        let identities = try await store.identities(of: id)
        if !identities.isEmpty {
            let linked = identities.map { "\($0.provider) since \($0.linkedAt.dayInUTC.text)" }
            facts.append(("Signs in with", .text(linked.joined(separator: ", "))))
        }
        if isPersonal {
            facts.append(("Friends", try await friendsFact(of: id)))
            facts.append(("Activity", activityFact(of: id)))
        }
        blocks.append(.facts(facts))
        if session.allows(.moderate) { blocks.append(contentsOf: playerActions(player, session)) }
        page.add(nil, blocks)
        page.add("Ledger", id: "ledger", [.table(ledgerTable(ledger, of: id, session))])
        let actions = try await moderation.actionsPage(QueryParameters("/?limit=20"), of: id, for: session.key)
        var table = try await logTable(actions, of: session)
        table.csv = Routes.console.playerActions.path(id, .csv)
        table.caption = "Actions on this player, newest first"
        table.empty = "No actions yet."
        page.add("Actions", id: "actions", [.table(table)])
        return sessions.reply(page)
    }

    private static func facts(of player: PlayerRecord, _ others: [Player.ID: String], isPersonal: Bool) -> [(
        label: String, value: ConsoleCell
    )] {
        var facts: [(label: String, value: ConsoleCell)] = [
            ("Earned", .number(Int128(player.sums.earned))), ("Voided", .number(Int128(player.sums.voided))),
            ("Held", .number(Int128(player.sums.held))), ("Donated", .number(Int128(player.sums.donated))),
            ("Left", .number(Int128(player.sums.left))), ("Scores", .number(Int128(player.scoresCount))),
            ("Donations", .number(Int128(player.donationsCount))), ("Devices", .number(Int128(player.devicesCount))),
            ("Registered", .instant(player.registeredAt)),
        ]
        if let flag = player.flag { facts.append(("Flag", .text("\(flag)"))) }
        if let other = player.mergedInto { facts.append(("One with", ConsoleSubjects.cell(of: other, others))) }
        guard isPersonal else { return facts }
        let personal = player.personal
        facts.append(("E-mail", .text(personal.email ?? "none")))
        facts.append(("Country", .text(personal.country ?? "none")))
        facts.append(("Facebook id", .text(personal.facebookID ?? "none")))
        facts.append(("Updates by e-mail", .text(personal.wantsUpdates ? "wanted" : "not wanted")))
        return facts
    }

    /// What can be done about a player as a whole.
    private func playerActions(_ player: PlayerRecord, _ session: ConsoleSession) -> [ConsoleBlock] {
        func link(_ text: String, _ kind: String, _ look: ConsoleLink.Look = .button) -> ConsoleLink {
            ConsoleLink(text, ModerationForm.address(kind, player: player.id), look)
        }
        var links = [
            link("Void all scores", "void", .stop), link("Ban", "ban", .stop), link("Hide", "hide"),
            link("Rename", "rename"), link("Clear what is held", "clear"),
        ]
        if player.avatar != nil { links.append(link("Take down the picture", "take-down")) }
        // Merging a player, or having its code, shows all that the player sees.
        guard session.allows(.personal) else { return [.links(links)] }
        links += [link("Merge", "merge"), link("Erase", "erase", .stop)]
        return [
            .links(links),
            .form(
                ConsoleForm(
                    Routes.console.codes.path(player.id), hidden: sessions.hidden(session),
                    buttons: [ConsoleForm.Button("Make a code for a new device", .plain)])),
        ]
    }

    private func ledgerTable(_ ledger: ListPage<LedgerRow>, of player: Player.ID, _ session: ConsoleSession)
        -> ConsoleTable
    {
        let mayAct = session.allows(.moderate)
        let titles = ["When (UTC)", "What"].map { ConsoleTable.Column($0) }
        var table = ConsoleTable(
            "Newest first. Nothing is ever removed; a correction is a row of its own.",
            titles + [ConsoleTable.Column("Points", isNumber: true), ConsoleTable.Column("State")]
                + (mayAct ? [ConsoleTable.Column("Act")] : []),
            ledger.rows.map { row in
                let isScore = row.kind == "score"
                let what: ConsoleCell =
                    isScore
                    ? .both(.text("Score, \(row.board ?? "")"), .text("earned \(row.earned ?? 0)"))
                    : .both(
                        .text("Donation, \(row.charity ?? "")"), .text(row.isAnonymous == true ? "anonymous" : "named"))
                return [
                    .instant(row.reachedAt), what, .number(Int128(isScore ? row.points : -row.points)), .tag(row.state),
                ] + (mayAct ? [.links(ModerationForm.links(of: row, player))] : [])
            }, empty: "This player has neither posted nor donated.")
        table.next = ledger.next.map { ledger.address(Routes.console.player.path(player), after: $0) + "#ledger" }
        table.csv = ledger.same(Routes.console.ledger.path(player, .csv))
        return table
    }

    /// `GET /admin/players/{player}/ledger`, as CSV or JSON.
    func consoleLedger(_ request: Request, of player: Player.ID, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        guard let format else { return sessions.seeOther(Routes.console.player.path(player)) }
        let rows = try await players.ledgerPage(request.parameters(), of: player, for: session.key)
        return replies.list(
            AdminPlayerHandlers.ledgerList, rows, at: Routes.console.ledger.path(player, nil), as: format)
    }

    /// `GET /admin/players/{player}/acts`, as CSV or JSON.
    func consolePlayerActions(_ request: Request, of player: Player.ID, _ format: ListFormat?) async throws -> Response
    {
        let session = try await sessions.signedIn(request, .read)
        guard let format else { return sessions.seeOther(Routes.console.player.path(player)) }
        let rows = try await moderation.actionsPage(request.parameters(), of: player, for: session.key)
        return replies.list(
            ModerationHandlers.logList, rows, at: Routes.console.playerActions.path(player, nil), as: format)
    }

    /// `GET /admin/pictures/{avatar}.png`, as no other address of pictures is on the admin listener.
    func consolePicture(_ request: Request, _ hash: AvatarHash) async throws -> Response {
        _ = try await sessions.signedIn(request, .read)
        return try await profiles.avatarPicture(request, hash)
    }

    /// `POST /admin/players/{player}/codes`
    func makeConsoleCode(_ request: Request, of player: Player.ID) async throws -> Response {
        let session = try await sessions.signedIn(request, .moderate)
        try session.key.check([.personal])
        _ = try sessions.submission(request, session, known: [])
        let (code, expiresAt) = try await players.makeCode(for: player, by: session.key)
        var page = sessions.page("A code for a new device", .players, for: session)
        page.path = [
            ConsoleLink("Players", ConsolePath.players),
            ConsoleLink(try await subjects.name(of: player), Routes.console.player.path(player)),
        ]
        page.add(
            nil,
            [
                .notice(
                    "This is shown once. Whoever types it becomes this player: make sure who asks.", isTrouble: false),
                .code(label: "Code", code.text), .facts([("Good until (UTC)", .instant(expiresAt))]),
                .links([ConsoleLink("Back to the player", Routes.console.player.path(player), .button)]),
            ])
        return sessions.reply(page, .created)
    }
}
