/// A ranking or list that is described once and can be written in any format.
///
/// The bytes depend only on the feed and its links: no clock, no locale, no hash order. Every document is well-formed,
/// whatever the texts contain.
package struct Feed: Sendable {
    /// The heading of the page and of the Atom feed; any text is allowed.
    package var title: String
    /// The path of the feed without suffix, such as `/TopScores`.
    package var path: String
    /// The query that selected this feed, as it stands in a URL, without `?` and cursors: `window=week&limit=10`; empty
    /// for none.
    package var query: String
    /// The page or rows of the feed, as they stand in a URL: `after=…`, `from=101`, `players=1,2`; empty for the first
    /// page.
    package var page: String
    /// The path and query of the page that shows the same to people; nil where there is none.
    package var pagePath: String?
    /// The XML names of the list and of a row.
    package var names: ElementNames
    /// The envelope of the JSON form; when nil, the JSON is a bare list of rows.
    package var head: Head?
    /// All columns, in the order in which formats show them.
    package var columns: [Column]
    /// One value for each column. Missing values count as `Value.none`; surplus values are not shown.
    package var rows: [[Value]]

    package init(
        title: String, path: String, query: String = "", page: String = "", names: ElementNames, head: Head? = nil,
        columns: [Column], rows: [[Value]]
    ) {
        self.title = title
        self.path = path
        self.query = query
        self.page = page
        self.names = names
        self.head = head
        self.columns = columns
        self.rows = rows
    }

    /// The whole document in UTF-8, ending with a line feed. The function is pure and total: every feed has bytes in
    /// every format.
    package func bytes(_ format: FeedFormat, links: FeedLinks) -> [UInt8] {
        var writer = ByteWriter(capacityBytes: estimatedBytes)
        format.write(self, links: links, to: &writer)
        return writer.bytes
    }

    /// The value of a row in a column.
    func value(_ row: [Value], _ column: Int) -> Value { column < row.count ? row[column] : .none }

    /// The indices of the columns that a format shows, in order.
    func shown(in format: FeedFormat) -> [Int] { columns.indices.filter { columns[$0].audience.reads(format) } }

    /// The index of the first column with this role.
    func position(of role: Column.Role) -> Int? { columns.firstIndex { $0.role == role } }

    /// An estimate close enough that the writer seldom reallocates.
    private var estimatedBytes: Int {
        rows.reduce(4_096) { sum, row in row.reduce(sum + 64) { $0 + $1.estimatedBytes } }
    }
}

extension Feed {
    /// The cursor at which a page begins or ends.
    enum Cursor { case after(String), before(String) }

    /// The URL of this page, or of the page at a cursor, in a format; absolute when the public URL is known.
    func href(_ format: FeedFormat, cursor: Cursor? = nil, links: FeedLinks) -> String {
        var parts = query.isEmpty ? [] : [query]
        switch cursor {
        case .after(let text)?: parts.append("after=" + text)
        case .before(let text)?: parts.append("before=" + text)
        case nil where page.isEmpty: break
        case nil: parts.append(page)
        }
        let file = links.resolved(path + "." + format.suffix)
        return parts.isEmpty ? file : file + "?" + parts.joined(separator: "&")
    }
}
