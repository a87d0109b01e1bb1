/// How the rows of one feed become entries: which column is the key, which the title, which the text.
struct AtomEntry {
    private let feed: Feed
    private let keyColumn: Int?
    private let rankColumn: Int?
    private let titleColumn: Int?
    private let pointsColumn: Int?
    private let contentColumns: [Int]

    init(_ feed: Feed) {
        self.feed = feed
        keyColumn = feed.position(of: .key)
        rankColumn = feed.position(of: .rank)
        titleColumn = feed.position(of: .title)
        pointsColumn = feed.position(of: .points)
        contentColumns = feed.shown(in: .atom).filter { feed.columns[$0].kind != .picture && feed.columns[$0].role != .key }
    }

    /// What names the row for good, if the feed has such a column; else, and for a row without a name, where it stands on this page.
    func key(_ row: [Value], at index: Int) -> Value {
        guard let keyColumn else { return .integer(Int128(index + 1)) }
        switch feed.value(row, keyColumn) {
        case .integer, .text, .link: return feed.value(row, keyColumn)
        default: return .text("row-\(index + 1)")
        }
    }

    /// `1. yarri: 15`, or what of it the feed has.
    func writeTitle(_ row: [Value], links: FeedLinks, to writer: inout ByteWriter) {
        if let rankColumn, feed.value(row, rankColumn) != .none {
            writer.appendXMLContent(feed.value(row, rankColumn), links: links)
            writer.append(". ")
        }
        if let titleColumn { writer.appendXMLContent(feed.value(row, titleColumn), links: links) }
        if let pointsColumn, feed.value(row, pointsColumn) != .none {
            writer.append(": ")
            writer.appendXMLContent(feed.value(row, pointsColumn), links: links)
        }
    }

    /// `rank 1, name yarri, points 15`: every column that Atom shows, pictures aside.
    func writeContent(_ row: [Value], links: FeedLinks, to writer: inout ByteWriter) {
        var isFirst = true
        for position in contentColumns where feed.value(row, position) != .none {
            if !isFirst { writer.append(", ") }
            isFirst = false
            writer.append(heading: feed.columns[position].name, capitalized: false)
            writer.append(" ")
            writer.appendXMLContent(feed.value(row, position), links: links)
        }
    }
}
