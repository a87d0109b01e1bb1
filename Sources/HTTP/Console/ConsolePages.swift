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

// What all pages of the console have.
extension ConsoleSessions {
    /// A page for whoever is signed in.
    func page(_ title: String, _ entry: ConsoleEntry, for session: ConsoleSession) -> ConsolePage {
        var entries: [ConsoleEntry] = []
        if session.allows(.read) {
            entries = [.overview, .queue, .players, .games, .charities, .campaigns, .keys, .log]
        } else {
            entries = [.overview]
        }
        if session.allows(.operate) { entries.append(.audit) }
        if session.allows(.personal) { entries.append(.subscribers) }
        let viewer = ConsoleViewer(
            name: session.key.name, scopes: session.key.scopes.texts, entries: entries, signOut: hidden(session))
        return ConsolePage(title, entry, for: viewer)
    }

    func reply(_ page: ConsolePage, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-store",
                .contentSecurityPolicy: ContentPolicy.page.header, .referrerPolicy: "same-origin",
            ], body: ByteBuffer(bytes: page.html()))
    }

    /// The page of a request that is refused: the one that asks for a key where nobody has signed in, else what to
    /// change.
    func refusal(_ problem: Problem, to request: Request, requestID: String) -> Response {
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
        var response = reply(page, problem.name.status)
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
}

extension ConsoleTable {
    /// A table of some columns of a list.
    /// - Parameters:
    ///   - titles: The titles of columns by their names, in `order`.
    ///   - own: What is shown in place of a column's value.
    ///   - address: Where the first cell of a row leads.
    init<Row>(
        _ list: AdminList<Row>, _ page: ListPage<Row>, at path: String, _ caption: String, _ titles: [String: String],
        order: [String], empty: String, cells own: [String: (Row) -> ConsoleCell] = [:], address: (Row) -> String?
    ) {
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
        self.init(caption, columns, rows, empty: empty)
        next = page.next.map { page.address(path, after: $0) }
        csv = page.same(path + ".csv")
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
