import enum Contract.ProblemName
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages
import Storage

// What all pages of the console have, and its first one.
extension Responder {
    /// A page for whoever is signed in.
    func consolePage(_ title: String, _ entry: ConsoleEntry, for session: ConsoleSession) -> ConsolePage {
        var entries: [ConsoleEntry] = []
        if session.allows(.read) {
            entries = [.overview, .queue, .players, .games, .charities, .keys, .log]
        } else {
            entries = [.overview]
        }
        if session.allows(.operate) { entries.append(.audit) }
        if session.allows(.personal) { entries.append(.subscribers) }
        let viewer = ConsoleViewer(
            name: session.key.name, scopes: session.key.scopes.texts, entries: entries, signOut: hidden(session))
        return ConsolePage(title, entry, for: viewer)
    }

    func consoleReply(_ page: ConsolePage, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-store",
                .contentSecurityPolicy: ContentPolicy.page.header, .referrerPolicy: "same-origin",
            ], body: ByteBuffer(bytes: page.html()))
    }

    /// The page of a request that is refused: the one that asks for a key where nobody has signed in, else what to
    /// change.
    func consoleRefusal(_ problem: Problem, to request: Request, requestID: String) -> Response {
        var page: ConsolePage
        if problem == .notSignedIn {
            let target = request.method == .get && request.headProblem == nil ? request.target : ConsolePath.overview
            page = signInPage(to: Self.ownPath(target), nil, for: request)
        } else {
            page = ConsolePage(Self.title(of: problem), for: nil)
            page.add(
                nil,
                [
                    .notice(problem.sentence, isTrouble: true),
                    .links([ConsoleLink("To the console", ConsolePath.overview, .button)]),
                    .text("Tell whoever runs this server: \(problem.name.rawValue), \(requestID)."),
                ])
        }
        let headers = problem.response(as: .json, requestID: requestID).headers
        var response = consoleReply(page, problem.name.status)
        for name in [.requestID, .retryAfter, .allow] as [HTTPField.Name] where headers[name] != nil {
            response.headers[name] = headers[name]
        }
        return response
    }

    private static func title(of problem: Problem) -> String {
        switch problem.name.status.code {
        case 403: "This is not for your key"
        case 404: "There is nothing here"
        case 429: "Too many attempts"
        case 503: "The server is busy"
        case 500...: "Something broke here"
        default: "This could not be done"
        }
    }

    /// `GET /admin`
    func consoleOverview(_ request: Request) async throws -> Response {
        let session = try await signedIn(request)
        var page = consolePage("Overview", .overview, for: session)
        guard session.allows(.read) else {
            let charities = session.key.scopes.all.compactMap { scope -> ConsoleLink? in
                guard case .charity(let slug) = scope else { return nil }
                return ConsoleLink(slug.description, Routes.console.charity.path(slug), .button)
            }
            page.add(
                "Your charities", [charities.isEmpty ? .text("Your key may read nothing here.") : .links(charities)])
            return consoleReply(page)
        }
        if let problem = operations.readiness.report().cause {
            page.add(nil, [.notice("The server is not ready: \(problem.rawValue).", isTrouble: true)])
        }
        try await addCharts(to: &page)
        let entries = try await logPage(QueryParameters("/?limit=8"), for: session.key)
        page.add("Newest in the log", [.table(try await logTable(entries, of: session))])
        return consoleReply(page)
    }

    /// Charts of the last days. Where there are too many rows to add up, the page says so.
    private func addCharts(to page: inout ConsolePage) async throws {
        do {
            let days = try await statsPage(QueryParameters("/?days=\(Limits.statsDaysStandard)")).rows
            let known = Dictionary(days.map { ($0.day, $0) }) { first, _ in first }
            let today = clock.now.dayInUTC
            let all = (0..<Int32(Limits.statsDaysStandard)).reversed().map { today.advanced(byDays: -$0) }
            func chart(_ title: String, isDonation: Bool = false, _ number: (DayStats) -> Int64) -> ConsoleChart {
                ConsoleChart(title, all.map { ($0, known[$0].map(number) ?? 0) }, isDonation: isDonation)
            }
            page.add(
                "The last \(Limits.statsDaysStandard) days", id: "days",
                [
                    .charts([
                        chart("Posts") { $0.posts }, chart("Donations", isDonation: true) { $0.donations },
                        chart("New players") { $0.players },
                    ]),
                    .links([ConsoleLink("CSV", Routes.console.stats.path(.csv) + "?days=\(Limits.statsDaysStandard)")]),
                ])
        } catch let problem as Problem where problem == .tooManyStats || problem == .busy {
            page.add("The last \(Limits.statsDaysStandard) days", [.notice(problem.sentence, isTrouble: false)])
        }
    }

    /// `GET /admin/stats`
    func consoleStats(_ request: Request, _ format: ListFormat?) async throws -> Response {
        _ = try await signedIn(request, .read)
        return reply(
            Self.dayList, try await statsPage(request.parameters()), at: Routes.console.stats.path(nil),
            as: format ?? .csv)
    }

    /// `GET /admin/subscribers`
    func consoleSubscribers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let session = try await signedIn(request, .personal)
        let rows = try await subscribersPage(request.parameters())
        let path = Routes.console.subscribers.path(nil)
        if let format { return reply(subscriberList, rows, at: path, as: format) }
        var page = consolePage("Subscribers", .subscribers, for: session)
        page.intro = "Players who asked for updates by e-mail, with the link that ends them."
        page.add(
            nil,
            [
                .table(
                    table(
                        subscriberList, rows, at: path, "In the order of their ids",
                        ["name": "Name", "email": "E-mail", "since": "Since", "unsubscribe": "Link"],
                        order: ["name", "email", "since", "unsubscribe"], empty: "Nobody has asked for updates.",
                        cells: ["name": { Self.cell(of: $0.player, [$0.player: $0.name]) }]
                    ) { Routes.console.player.path($0.player) })
            ])
        return consoleReply(page)
    }

    /// A table of some columns of a list.
    /// - Parameters:
    ///   - titles: The titles of columns by their names, in `order`.
    ///   - own: What is shown in place of a column's value.
    ///   - address: Where the first cell of a row leads.
    func table<Row>(
        _ list: AdminList<Row>, _ page: ListPage<Row>, at path: String, _ caption: String, _ titles: [String: String],
        order: [String], empty: String, cells own: [String: (Row) -> ConsoleCell] = [:], address: (Row) -> String?
    ) -> ConsoleTable {
        let names = list.columns.map { "\($0.name)" }
        let shown = order.compactMap { name in names.firstIndex(of: name) }
        let columns = shown.map { index in
            ConsoleTable.Column(
                titles[names[index]] ?? names[index],
                isNumber: own[names[index]] == nil && list.columns[index].kind == .integer)
        }
        let rows = page.rows.map { row in
            let cells = list.cells(row)
            return shown.enumerated().map { position, index in
                if let own = own[names[index]] { return own(row) }
                let cell = ConsoleCell(cells[index].cell)
                guard position == 0, let address = address(row) else { return cell }
                return cell.leading(to: address)
            }
        }
        var table = ConsoleTable(caption, columns, rows, empty: empty)
        table.next = page.next.map { page.address(path, after: $0) }
        table.csv = page.same(path + ".csv")
        return table
    }
}

extension ConsoleCell {
    init(_ value: Value) {
        switch value {
        case .text(let text), .json(let text): self = .text(text)
        case .integer(let number): self = .number(number)
        case .tenths(let tenths): self = .number(tenths / 10)
        case .instant(let instant): self = .instant(instant)
        case .boolean(let isSo): self = .text(isSo ? "yes" : "no")
        case .link(let address): self = .code(address)
        case .embeddedBase64, .none: self = .none
        }
    }

    /// The cell as a link with the same text.
    fileprivate func leading(to address: String) -> ConsoleCell {
        switch self {
        case .text(let text): .link(ConsoleLink(text, address))
        case .number(let number): .link(ConsoleLink("\(number)", address))
        default: self
        }
    }
}

extension HTTPField.Name { static let referrerPolicy = standard("Referrer-Policy") }
