import enum Contract.ProblemName
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// Actions in the console: a form says what an action would do before it is done, and asks why.
extension ConsolePlayerHandlers {
    /// `GET /admin/acts?do=&player=`
    func actionForm(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .moderate)
        let query = try QueryParameters(request.target, plusIsSpace: true)
        let form = ModerationForm(sent: Submission(query, known: ModerationForm.names))
        return try await actionForm(form, session, UUID(), nil)
    }

    /// `POST /admin/acts`. Sent twice, it is done once: the form has the action's id.
    func actionByForm(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .moderate)
        let sent = try sessions.submission(request, session, known: ModerationForm.names)
        let form = ModerationForm(sent: sent)
        if sent.says("step", "preview") {
            do throws(FieldError) { _ = try form.read() } catch {
                return try await actionForm(form, session, sent.id, Problem(error))
            }
            return try await actionForm(form, session, sent.id, nil)
        }
        do {
            let action = ModerationAction(try form.read(), id: sent.id, reason: try form.reason())
            let (receipt, _) = try await moderation.perform(action, by: session.key, isDry: false)
            return sessions.seeOther(Self.place(of: receipt, form) + "?done=")
        } catch let problem as Problem where problem.isAboutForm || problem.name == .notFound {
            return try await actionForm(form, session, sent.id, problem)
        } catch let error as FieldError { return try await actionForm(form, session, sent.id, Problem(error)) }
    }

    /// Where an operator sees what was done.
    private static func place(of receipt: ModerationReceipt, _ form: ModerationForm) -> String {
        if let player = receipt.player { return Routes.console.player.path(player) }
        guard let game = Slug(form.sent["game"]), let board = Slug(form.sent["board"]) else { return ConsolePath.log }
        return Routes.console.board.path(game, board)
    }

    /// The form with what the action would do.
    /// - Parameter problem: Why it was not done.
    private func actionForm(_ kind: ModerationForm, _ session: ConsoleSession, _ id: UUID, _ problem: Problem?)
        async throws -> Response
    {
        let about = try await subjects.about(kind)
        var page = sessions.page(kind.heading(about), about.board == nil ? .players : .games, for: session)
        page.intro = kind.meaning(about)
        page.path = Self.path(to: about)
        var status = problem?.name.status ?? .ok
        var blocks: [ConsoleBlock] = []
        var isPossible = true
        if problem == nil {
            do {
                blocks = try await effect(of: kind, session)
                // A new season touches no wallet, and has said already what it does.
                if about.board != nil { blocks = [] }
            } catch let problem as Problem where problem.isAboutForm || problem.name == .notFound {
                // There is nothing to be confirmed.
                blocks = [.notice(problem.sentence, isTrouble: true)]
                (status, isPossible) = (problem.name.status, problem.name == .outOfBounds)
            }
        }
        if isPossible { blocks.append(.form(confirmation(of: kind, session, id, problem))) }
        page.add(nil, blocks)
        return sessions.reply(page, status)
    }

    private static func path(to about: ModerationForm.About) -> [ConsoleLink] {
        if let board = about.board {
            return [
                ConsoleLink("Games and boards", ConsolePath.games),
                ConsoleLink(board.gameName, Routes.console.game.path(board.game)),
                ConsoleLink(board.name, Routes.console.board.path(board.game, board.slug)),
            ]
        }
        var path = [ConsoleLink("Players", ConsolePath.players)]
        if let player = about.player {
            path.append(ConsoleLink(about.name ?? "\(player.rawValue)", Routes.console.player.path(player)))
        }
        return path
    }

    private func confirmation(of kind: ModerationForm, _ session: ConsoleSession, _ id: UUID, _ problem: Problem?)
        -> ConsoleForm
    {
        let questions = kind.questions
        let reason = ConsoleForm.Field(
            "reason", "Reason, kept in the log", .area, value: kind.sent["reason"],
            hint: "Write what you saw, in 1 to \(Limits.reasonCharactersMax) characters. The player does not read it; "
                + "every operator does.", isRequired: true)
        var form = ConsoleForm(
            ConsolePath.actions,
            hidden: sessions.hidden(session, id)
                + (["do"] + ModerationField.subjects.sorted()).filter { kind.sent.has($0) }.map {
                    ConsoleForm.Hidden($0, kind.sent[$0])
                }, fields: questions + [reason],
            buttons: [ConsoleForm.Button(kind.title, kind.isHard ? .stop : .main, step: "act")]
                + (questions.isEmpty ? [] : [ConsoleForm.Button("See what it would do", .plain, step: "preview")]))
        if let problem { form.show(problem.sentence, at: problem.field) }
        return form
    }

    /// What an action would do; nothing before the form says all that it needs.
    private func effect(of form: ModerationForm, _ session: ConsoleSession) async throws -> [ConsoleBlock] {
        let kind: ModerationKind
        do throws(FieldError) { kind = try form.read() } catch {
            if error.field == "do" || error.field == "on" { throw Problem(error) }
            return []
        }
        let trial = ModerationAction(kind, id: UUID(), reason: try ModerationReason("A trial"))
        let (receipt, _) = try await moderation.perform(trial, by: session.key, isDry: true)
        return effect(receipt, isDone: false)
    }

    /// The wallet before and after, and the donations that lose their funding.
    private func effect(_ receipt: ModerationReceipt, isDone: Bool) -> [ConsoleBlock] {
        let (before, after) = (receipt.before, receipt.after)
        guard before != after else { return [.text("No points change.")] }
        func row(_ name: String, _ sum: (WalletSums) -> Int64) -> [ConsoleCell] {
            [.text(name), .number(Int128(sum(before))), .number(Int128(sum(after)))]
        }
        let rows = [
            row("Earned") { $0.earned }, row("Voided") { $0.voided }, row("Held") { $0.held },
            row("Donated") { $0.donated }, row("Unfunded") { $0.unfunded }, row("Left") { $0.left },
        ]
        let columns = [
            ConsoleTable.Column("Wallet"), ConsoleTable.Column("Before", isNumber: true),
            ConsoleTable.Column("After", isNumber: true),
        ]
        var blocks: [ConsoleBlock] = [
            .table(ConsoleTable(isDone ? "What it did" : "What it would do", columns, rows, empty: ""))
        ]
        if !receipt.funding.isEmpty {
            blocks.append(
                .table(
                    ConsoleTable(
                        "Donations whose funding changes",
                        [ConsoleTable.Column("Charity"), ConsoleTable.Column("Unfunded by", isNumber: true)],
                        receipt.funding.map { [.text($0.charity.description), .number(Int128($0.unfunded))] }, empty: ""
                    )))
        }
        return blocks
    }

    /// `GET /admin/acts/{id}`
    func consoleAction(_ request: Request, _ id: ClientID) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let found = try await moderation.foundAction(try id.uuid(), for: session.key)
        let receipt = found.receipt
        var page = sessions.page("Action: \(receipt.kind)", .log, for: session)
        page.path = [ConsoleLink("Log", ConsolePath.log)]
        if let player = receipt.player {
            page.path.append(ConsoleLink(try await subjects.name(of: player), Routes.console.player.path(player)))
        }
        let keys = try await operatorNames()
        let names = try await subjects.names(of: [receipt.player].compactMap(\.self))
        page.add(
            nil,
            [
                .facts([
                    ("When (UTC)", .instant(receipt.at)), ("By", .text(keys[receipt.actor] ?? receipt.actor)),
                    ("On", ConsoleSubjects.cell(ofSubject: receipt.subject, values: nil, names, keys: keys)),
                    ("Reason", .text(found.reason ?? "erased")),
                ])
            ])
        page.add("Effect", effect(receipt, isDone: true))
        if let undone = found.undoneBy {
            let link = ConsoleLink("It was undone", Routes.console.action.path(ClientID(undone)))
            page.add(nil, [.links([link])])
        } else if session.allows(.moderate), receipt.player != nil || receipt.subject.contains("team="),
            receipt.kind != "erase", receipt.kind != "merge" || session.allows(.personal)
        {
            let address = ModerationForm.address("undo", player: receipt.player, ("act", receipt.id))
            page.add(nil, [.links([ConsoleLink("Undo", address, .stop)])])
        }
        return sessions.reply(page)
    }

    /// `GET /admin/log`
    func consoleLog(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let rows = try await moderation.logPage(request.parameters(), for: session.key)
        let path = Routes.console.log.path(nil)
        if let format { return replies.list(ModerationHandlers.logList, rows, at: path, as: format) }
        var page = sessions.page("Log", .log, for: session)
        page.intro = "Everything that was put right or set, newest first. Each entry's hash covers the one before."
        var table = try await logTable(rows, of: session)
        table.next = rows.next.map { rows.address(path, after: $0) }
        table.csv = rows.same(path + ".csv")
        var blocks: [ConsoleBlock] = [.table(table)]
        if session.allows(.personal) {
            // Without that scope entries may be masked, and then nobody can follow the hashes.
            let broken = zip(rows.rows, rows.rows.dropFirst()).first { newer, older in
                !newer.logged.follows(older.logged.hash, number: older.logged.entry.number)
            }
            blocks.insert(
                .notice(
                    broken.map { "Entry \($0.0.logged.entry.number) does not follow the one before. Run an audit." }
                        ?? "The entries of this page follow each other. An audit follows the whole chain.",
                    isTrouble: broken != nil), at: 0)
        }
        if let newest = rows.rows.first, query(request, lacks: "after") {
            blocks.append(.code(label: "Hash of entry \(newest.logged.entry.number)", Hex.text(newest.logged.hash)))
        }
        page.add(nil, blocks)
        return sessions.reply(page)
    }

    private func query(_ request: Request, lacks name: String) -> Bool {
        (try? request.parameters()[name]) == .some(nil)
    }

    /// Entries of the log with what leads to them.
    func logTable(_ page: ListPage<SeenEntry>, of session: ConsoleSession) async throws -> ConsoleTable {
        let keys = try await operatorNames()
        let names = try await subjects.names(
            of: page.rows.compactMap { $0.isMasked ? nil : ConsoleSubjects.player(ofSubject: $0.logged.entry.subject) })
        return ConsoleTable(
            "Newest first", ["Entry", "When (UTC)", "By", "What", "Why", "More"].map { ConsoleTable.Column($0) },
            page.rows.map { seen in
                let entry = seen.logged.entry
                let reason = seen.isMasked ? nil : seen.logged.words?.reason
                // A moderation action has a page that shows what it did; a change of settings has none.
                let values = entry.action == nil && entry.values != "-" ? entry.values : nil
                let on: ConsoleCell =
                    seen.isMasked
                    ? .text("for keys with personal")
                    : ConsoleSubjects.cell(ofSubject: entry.subject, values: values, names, keys: keys)
                let more = entry.action.flatMap { action -> ConsoleCell? in
                    guard !seen.isMasked else { return nil }
                    return .link(
                        ConsoleLink(
                            "Open", Routes.console.action.path(ClientID(action)), .button,
                            about: "entry \(entry.number)"))
                }
                return [
                    .text("\(entry.number)"), .instant(entry.at), .text(keys[entry.actor] ?? entry.actor),
                    .both(.text(entry.kind), on), reason.map { .text($0) } ?? .none, more ?? .none,
                ]
            }, empty: "No actions yet.")
    }

    /// The names of operators' keys by their ids.
    private func operatorNames() async throws -> [String: String] {
        let keys = try await store.admin.keys(of: .admin, limitRows: Limits.consoleKeysNamed)
        return Dictionary(keys.map { ($0.id.text, $0.name) }) { first, _ in first }
    }
}
