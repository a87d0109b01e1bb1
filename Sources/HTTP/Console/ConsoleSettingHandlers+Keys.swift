import enum Contract.ProblemName
import Credentials
import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// Keys in the console. Their tokens are made here and shown once.
extension ConsoleSettingHandlers {
    /// `GET /admin/keys`
    func consoleKeys(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        let rows = try await admin.keysPage(request.parameters())
        let path = Routes.console.keys.path(nil)
        if let format { return replies.list(AdminSettingHandlers.keyList, rows, at: path, as: format) }
        let mayEnd = session.allows(.operate)
        var page = sessions.page("Keys", .keys, for: session)
        let now = clock.now
        var table = ConsoleTable(
            "In the order in which they were added",
            ["Name", "Of", "Scopes", "Added", "Last used", "State"].map { ConsoleTable.Column($0) }
                + (mayEnd ? [ConsoleTable.Column("Act")] : []),
            rows.rows.map { key in
                let isOver = key.revokedAt != nil || key.expiresAt.map { $0 <= now } ?? false
                let ending = ConsoleLink("End", Routes.console.endKey.path(ClientID(key.id)), .stop, about: key.name)
                return [
                    .text(key.name), .text(key.game ?? "operators"), .text(key.scopes.texts.joined(separator: ", ")),
                    .instant(key.addedAt), key.usedOn.map { .text($0.text) } ?? .text("never"),
                    .tag(isOver ? "ended" : "good"),
                ] + (mayEnd ? [isOver ? .none : .link(ending)] : [])
            }, empty: "There is no key yet.")
        table.next = rows.next.map { rows.address(path, after: $0) }
        table.csv = rows.same(path + ".csv")
        var blocks: [ConsoleBlock] = [.table(table)]
        if mayEnd { blocks.append(.links([ConsoleLink("Make a key", Routes.console.newKey.path(), .button)])) }
        page.add(nil, blocks)
        return sessions.reply(page)
    }

    /// `GET /admin/new/key`
    func newKeyPage(_ request: Request) async throws -> Response {
        newKeyPage(try await sessions.signedIn(request, .operate), sent: nil, nil)
    }

    /// `POST /admin/new/key`
    func makeConsoleKey(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: Self.keyFields)
        let token = Token.generated(sent.says("kind", "game") ? .game : .admin)
        do {
            var made = sent
            made["token"] = token.text
            let fields = made.fields(NewKey.settings, list: "scopes", leavingOutEmpty: true)
            let (key, _) = try await admin.makeKey(fields, sent.id, by: session.key)
            var page = sessions.page("The key \(key.name)", .keys, for: session)
            page.path = [ConsoleLink("Keys", ConsolePath.keys)]
            page.add(
                nil,
                [
                    .notice("This is shown once. Copy it now, and keep it as you keep a password.", isTrouble: false),
                    .code(label: "Key", token.text), .links([ConsoleLink("I have it", ConsolePath.keys, .button)]),
                ])
            return sessions.reply(page, .created)
        } catch let problem as Problem where problem.isAboutForm || problem.name == .scope {
            return newKeyPage(session, sent: sent, problem)
        } catch let error as FieldError { return newKeyPage(session, sent: sent, Problem(error)) }
    }

    private static let keyFields: Set<String> = ["kind", "game", "name", "scopes", "expires_at"]

    private func newKeyPage(_ session: ConsoleSession, sent: Submission?, _ problem: Problem?) -> Response {
        var page = sessions.page("Make a key", .keys, for: session)
        page.path = [ConsoleLink("Keys", ConsolePath.keys)]
        // A key grants only what it has, but that whoever operates grants the scopes of games.
        let own = session.key.scopes.texts
        let scopes = (own + ["register", "post", "donate", "judge"]).map { scope in
            (value: scope, text: own.contains(scope) ? "\(scope), of operators" : "\(scope), of games")
        }
        let fields = [
            ConsoleForm.Field("name", "Who or what it is for", isRequired: true),
            ConsoleForm.Field("kind", "Whose key", .choice([("admin", "an operator's"), ("game", "a game's")])),
            ConsoleForm.Field("game", "Game", hint: "The slug of its game; empty for an operator's key."),
            ConsoleForm.Field("scopes", "What it may do", .boxes(scopes)),
            ConsoleForm.Field("expires_at", "Ends", hint: "In UTC, such as 2027-01-01T00:00:00Z. Empty means never."),
        ]
        var form = ConsoleForm(
            Routes.console.newKey.path(),
            // What was refused is another key the next time.
            hidden: sessions.hidden(session),
            fields: fields.map { field in
                var field = field
                if let sent {
                    field.value = field.name == "scopes" ? sent.all("scopes").joined(separator: " ") : sent[field.name]
                }
                return field
            }, buttons: [ConsoleForm.Button("Make the key")])
        if let problem {
            let sentence =
                problem.name == .idReused
                ? "This key was made already, and its token shown. If it is lost, end the key and make another one."
                : problem.sentence
            form.show(sentence, at: problem.field)
        }
        page.add(nil, [.form(form)])
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    /// `GET /admin/keys/{id}/end`
    func endKeyPage(_ request: Request, _ id: ClientID) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let uuid = try id.uuid()
        guard let key = try await store.admin.findKey(uuid) else { throw Problem.noKey }
        var page = sessions.page("End the key \(key.name)", .keys, for: session)
        page.path = [ConsoleLink("Keys", ConsolePath.keys)]
        var blocks: [ConsoleBlock] = [
            .text("Whoever uses it is refused from then on. It cannot be made good again."),
            .facts([
                ("Of", .text(key.game ?? "operators")), ("Scopes", .text(key.scopes.texts.joined(separator: ", "))),
                ("Added", .instant(key.addedAt)), ("Last used", .text(key.usedOn?.text ?? "never")),
            ]),
        ]
        if uuid == session.key.id {
            blocks.insert(
                .notice("You have signed in with this key. Your session ends with it.", isTrouble: true), at: 0)
        }
        blocks.append(
            .form(
                ConsoleForm(
                    Routes.console.endKey.path(id), hidden: sessions.hidden(session),
                    buttons: [ConsoleForm.Button("End the key", .stop)])))
        page.add(nil, blocks)
        return sessions.reply(page)
    }

    /// `POST /admin/keys/{id}/end`
    func endConsoleKey(_ request: Request, _ id: ClientID) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        _ = try sessions.submission(request, session, known: [])
        _ = try await admin.endKey(try id.uuid(), by: session.key)
        return sessions.seeOther(ConsolePath.keys)
    }
}
