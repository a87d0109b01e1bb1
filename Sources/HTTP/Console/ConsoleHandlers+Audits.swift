import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Pages
import Storage

// Audits in the console. The page of one that runs asks for itself again, so its progress is seen without a script.
extension ConsoleHandlers {
    /// `GET /admin/audits`
    func consoleAudits(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        return auditsPage(session, nil)
    }

    /// `POST /admin/audits`
    func startConsoleAudit(_ request: Request) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: [])
        guard reports.audits.start(sent.id) != .busy else { return auditsPage(session, .auditRuns) }
        return sessions.seeOther(Routes.console.audit.path(ClientID(sent.id)))
    }

    private func auditsPage(_ session: ConsoleSession, _ problem: Problem?) -> Response {
        var page = sessions.page("Audit", .audit, for: session)
        page.intro =
            "Adds both ledgers up again and compares everything that is derived from them. It only reads, and "
            + "takes as long as reading all rows does."
        var blocks: [ConsoleBlock] = problem.map { [.notice($0.sentence, isTrouble: true)] } ?? []
        blocks.append(
            .form(
                ConsoleForm(
                    ConsolePath.audit, hidden: sessions.hidden(session),
                    buttons: [ConsoleForm.Button("Audit the books")])))
        page.add(nil, blocks)
        let table = ConsoleTable(
            "Since this process started, at most \(Limits.auditsKept)",
            [ConsoleTable.Column("Started (UTC)"), ConsoleTable.Column("State"), ConsoleTable.Column("Result")],
            reports.audits.all.map { run in
                [
                    .instant(run.startedAt), .tag(run.state),
                    .link(ConsoleLink("Open", Routes.console.audit.path(ClientID(run.id)), .button)),
                ]
            }, empty: "No audit was asked for yet.")
        page.add("Audits", [.table(table)])
        var response = sessions.reply(page, problem?.name.status ?? .ok)
        if let seconds = problem?.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    /// `GET /admin/audits/{id}`
    func consoleAudit(_ request: Request, _ id: ClientID) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        guard let run = reports.audits.find(try id.uuid()) else { throw Problem.noAudit }
        let isRunning = run.endedAt == nil
        var page = sessions.page("Audit", .audit, for: session)
        page.path = [ConsoleLink("Audit", ConsolePath.audit)]
        page.refreshSeconds = isRunning ? 1 : nil
        let progress = "\(run.findings.count) of \(Auditor.checksCount) checks are done."
        let sentence =
            switch run.state {
            case "running": "The audit runs. \(progress)"
            case "balanced": "The books balance."
            case "broken": "The database would not go on. \(progress) Try again."
            default: "\(run.differing) rows are not what the ledgers say."
            }
        let columns = [
            ConsoleTable.Column("What was compared"), ConsoleTable.Column("Rows", isNumber: true),
            ConsoleTable.Column("Differ", isNumber: true), ConsoleTable.Column("For instance"),
        ]
        let table = ConsoleTable(
            "What was compared", columns,
            run.findings.map { finding in
                [
                    .text(finding.subject), .number(Int128(finding.compared)), .number(Int128(finding.differing)),
                    finding.example(for: session.key).map { .text($0) } ?? .none,
                ]
            }, empty: "The first check has not ended yet.")
        page.add(
            nil,
            [
                .notice(sentence, isTrouble: !isRunning && run.state != "balanced"),
                .facts([
                    ("Started (UTC)", .instant(run.startedAt)),
                    ("Ended (UTC)", run.endedAt.map { .instant($0) } ?? .text("not yet")),
                ]), .table(table),
            ])
        return sessions.reply(page)
    }
}
