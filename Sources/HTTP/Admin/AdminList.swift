import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import NIOCore

/// The formats of lists of the admin API.
enum ListFormat: String, PathSuffix, CaseIterable { case json, csv }

/// Which rows of a list are asked for.
struct AdminPage {
    /// 1...``Limits/feedRowsMax``.
    let limitRows: Int
    /// The last row of the page before.
    let after: AdminCursor?

    /// - Parameter path: The path of the list without its suffix. A cursor of another one is none of this.
    /// - Throws: 400 for a limit out of range, and for a text that is no cursor of this list.
    init(_ query: QueryParameters, of path: String, _ secret: Secret) throws(Problem) {
        limitRows = try query.number("limit", 1...Int64(Limits.feedRowsMax), "rows") ?? Limits.feedRowsStandard
        guard let text = query["after"] else {
            after = nil
            return
        }
        guard let cursor = AdminCursor(bytes: try secret.cursorBytes(text, field: "after")), cursor.path == path else {
            throw .badCursor("after")
        }
        after = cursor
    }
}

extension QueryParameters {
    func number(_ name: String, _ range: ClosedRange<Int64>, _ what: String) throws(Problem) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int64(text), range.contains(value), text == String(value) else {
            throw Problem.outOfRange(name, range, what)
        }
        return Int(clamping: value)
    }
}

/// The edge of a page of a list of the admin API: what its last row is ordered by.
struct AdminCursor: Equatable {
    let path: String
    let number: Int64
    let text: String

    private static let version: UInt8 = 3

    var bytes: [UInt8] {
        var bytes = [Self.version]
        bytes.append(short: path)
        bytes.append(bigEndian: number)
        bytes.append(short: text)
        return bytes
    }

    init(path: String, number: Int64 = 0, text: String = "") {
        (self.path, self.number, self.text) = (path, number, text)
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer() == Self.version, let path = reader.text(), let number = reader.integer(Int64.self),
            let text = reader.text(), reader.isAtEnd
        else { return nil }
        self.init(path: path, number: number, text: text)
    }
}

/// A list of the admin API: what its columns are, and how a row becomes cells.
struct AdminList<Row>: Sendable {
    /// The one word for the list, as in its path.
    let name: StaticString
    let columns: [Column]
    let cells: @Sendable (Row) -> [JSONTree]

    /// A row as an object, which leaves out what has no value.
    func object(_ row: Row) -> JSONTree { .object(members(row)) }

    func members(_ row: Row) -> [JSONTree.Member] { zip(columns, cells(row)).map { JSONTree.Member($0.name, $1) } }

    /// The rows as JSON, `{"rows": [...], "next"}`.
    func json(_ rows: [Row], next: String?) -> JSONTree {
        .object([.init("rows", .list(rows.map(object))), .init("next", .text(ifAny: next))])
    }

    /// The rows as CSV; a list within a cell is a text with spaces between its words.
    func csv(_ rows: [Row], links: FeedLinks) -> [UInt8] {
        Feed(
            title: "\(name)", path: "", names: ElementNames(name, name), columns: columns,
            rows: rows.map { row in cells(row).map(\.cell) }
        ).bytes(.csv, links: links)
    }
}

/// The rows of one page of a list, as they were read.
struct ListPage<Row> {
    let rows: [Row]
    /// The text that names the next page; nil on the last one.
    let next: String?
    fileprivate let query: QueryParameters

    /// The path with the query that was asked, and another `after`.
    func address(_ path: String, after: String?) -> String {
        var parts = query.all.filter { $0.name != "after" }.map { "\($0.name.pathText)=\($0.value.pathText)" }
        if let after { parts.append("after=\(after)") }
        return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
    }

    /// The same page under a path, with the `after` that it was asked with.
    func same(_ path: String) -> String { address(path, after: query["after"]) }
}

extension Replies {
    /// One page of a list.
    /// - Parameters:
    ///   - path: The list's path without its suffix, for which its cursors are sealed.
    ///   - read: Reads the rows after the page before, one more than the page shows if there are as many.
    ///   - cursor: The number and the text that a row is ordered by.
    func page<Row>(
        _ query: QueryParameters, at path: String, read: (AdminPage) async throws -> [Row],
        cursor: (Row) -> (number: Int64, text: String)
    ) async throws -> ListPage<Row> {
        let page = try AdminPage(query, of: path, secret)
        let rows = try await read(page)
        let shown = Array(rows.prefix(page.limitRows))
        let next =
            rows.count <= page.limitRows
            ? nil
            : shown.last.map(cursor).flatMap { edge in
                secret.cursor(AdminCursor(path: path, number: edge.number, text: edge.text).bytes)
            }
        return ListPage(rows: shown, next: next, query: query)
    }

    /// Answers with one page of a list.
    /// - Parameter path: The address that was asked for, without its suffix.
    func list<Row>(_ list: AdminList<Row>, _ page: ListPage<Row>, at path: String, as format: ListFormat?) -> Response {
        var headers: HTTPFields = [.contentType: (format == .csv ? FeedFormat.csv : .json).contentType]
        if let next = page.next {
            let suffix = format.map { ".\($0.rawValue)" } ?? ""
            headers[.link] = "<\(page.address(path + suffix, after: next))>; rel=\"next\""
        }
        let bytes =
            format == .csv
            ? list.csv(page.rows, links: links) : list.json(page.rows, next: page.next).bytes(links: links)
        return Response(status: .ok, headers: headers, body: ByteBuffer(bytes: bytes))
    }

    /// What is there under one address, with its ETag.
    func versioned(_ tree: JSONTree, version: String, _ status: HTTPResponse.Status = .ok, at path: String? = nil)
        -> Response
    {
        var response = own(status, tree)
        response.headers[.eTag] = Precondition.etag(version)
        if let path { response.headers[.location] = (links.publicURL ?? "") + path }
        return response
    }
}

extension HTTPField.Name { static let link = standard("Link") }
