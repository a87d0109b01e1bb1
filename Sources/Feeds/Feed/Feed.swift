/// A ranking or a list, described once, written in any format.
///
/// The bytes depend on the feed and its links alone: no clock, no locale, no hash order. Whatever the texts contain,
/// every document is well-formed.
package struct Feed: Sendable {
    /// Any text; the heading of the page and of the Atom feed.
    package var title: String
    /// The feed's own path without suffix, such as `/TopScores`.
    package var path: String
    /// The query that made this feed, as it stands in a URL and without `?`, cursors left out: `window=week&limit=10`;
    /// empty for none.
    package var query: String
    /// Which page or which rows of the feed these are, as it stands in a URL: `after=…`, `from=101`, `players=1,2`;
    /// empty for the first page.
    package var page: String
    /// What XML calls the list and a row of it.
    package var names: ElementNames
    /// The envelope of the JSON form; nil makes JSON a bare list of rows.
    package var head: Head?
    /// Every column, in the order in which formats show them.
    package var columns: [Column]
    /// One value for each column. Values that a row lacks count as `Value.none`; surplus ones are not shown.
    package var rows: [[Value]]

    package init(
        title: String,
        path: String,
        query: String = "",
        page: String = "",
        names: ElementNames,
        head: Head? = nil,
        columns: [Column],
        rows: [[Value]]
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

    /// The whole document, UTF-8, ending with a line feed. Pure and total: any feed has bytes in any format.
    package func bytes(_ format: FeedFormat, links: FeedLinks) -> [UInt8] {
        var writer = ByteWriter(capacityBytes: estimatedBytes)
        format.write(self, links: links, to: &writer)
        return writer.bytes
    }

    /// What a row holds in a column.
    func value(_ row: [Value], _ column: Int) -> Value {
        column < row.count ? row[column] : .none
    }

    /// The positions of the columns that a format shows, in order.
    func shown(in format: FeedFormat) -> [Int] {
        columns.indices.filter { columns[$0].audience.reads(format) }
    }

    /// The position of the first column with this role.
    func position(of role: Column.Role) -> Int? {
        columns.firstIndex { $0.role == role }
    }

    /// Near enough that the writer seldom grows.
    private var estimatedBytes: Int {
        rows.reduce(4_096) { sum, row in row.reduce(sum + 64) { $0 + $1.estimatedBytes } }
    }
}

extension Feed {
    /// Where a page of the feed begins or ends.
    enum Cursor {
        case after(String), before(String)
    }

    /// The address of this page of the feed in a format, or of another page, absolute when the public address is known.
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
