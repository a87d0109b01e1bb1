import Domain

extension Feed {
    /// Writes Atom (RFC 4287) with one entry for each row. The feed is as old as its newest row; an empty feed, and a
    /// row without an instant, is as old as the epoch.
    func writeAtom(links: FeedLinks, to writer: inout ByteWriter) {
        let moment = position(of: .moment)
        let newest = rows.map { updated($0, moment) }.max() ?? Self.epoch
        writer.appendXMLDeclaration()
        writer.append("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n  <id>")
        writeTag(key: nil, links: links, to: &writer)
        writer.append("</id>\n  <title>")
        writer.append(title, in: .element)
        writer.append("</title>\n  <updated>")
        writer.append(newest, .microseconds)
        writer.append("</updated>\n  <author><name>Causeboard</name></author>\n  <generator>Causeboard</generator>\n")
        writeAtomLinks(links: links, to: &writer)
        let entry = AtomEntry(self)
        for row in rows {
            writer.append("  <entry>\n    <id>")
            writeTag(key: entry.key(row, links: links), links: links, to: &writer)
            writer.append("</id>\n    <title>")
            entry.writeTitle(row, links: links, to: &writer)
            writer.append("</title>\n    <updated>")
            writer.append(updated(row, moment), .microseconds)
            writer.append("</updated>\n    <content type=\"text\">")
            entry.writeContent(row, links: links, to: &writer)
            writer.append("</content>\n  </entry>\n")
        }
        writer.append("</feed>\n")
    }

    private static let epoch = Instant(microsecondsSince1970: 0)

    private func updated(_ row: [Value], _ moment: Int?) -> Instant {
        guard let moment, case .instant(let instant) = value(row, moment) else { return Self.epoch }
        return instant
    }

    private func writeAtomLinks(links: FeedLinks, to writer: inout ByteWriter) {
        func link(_ rel: StaticString, _ format: FeedFormat, cursor: Cursor? = nil) {
            writer.append("  <link rel=\"")
            writer.append(rel)
            writer.append("\" type=\"")
            writer.append(format.mediaType, in: .attribute)
            writer.append("\" href=\"")
            writer.append(href(format, cursor: cursor, links: links), in: .attribute)
            writer.append("\"/>\n")
        }
        link("self", .atom)
        link("alternate", .html)
        if let next = head?.next { link("next", .atom, cursor: .after(next)) }
        if let prev = head?.prev { link("previous", .atom, cursor: .before(prev)) }
    }

    /// Writes an Atom id, `tag:authority,2026:/path/key?query` (RFC 4151); without a key it is the id of the feed.
    /// Characters that a tag cannot hold are percent-encoded.
    private func writeTag(key: Value?, links: FeedLinks, to writer: inout ByteWriter) {
        writer.append("tag:")
        writer.append(links.tagAuthority, in: .element)
        writer.append(",2026:")
        writer.append(percentEncoding: path, isEncoded: true)
        switch key {
        case .integer(let number)?:
            writer.append("/")
            writer.append(number)
        case .text(let text)?, .link(let text)?:
            writer.append("/")
            writer.append(percentEncoding: text, isEncoded: false)
        default: break
        }
        guard !query.isEmpty else { return }
        writer.append("?")
        writer.append(percentEncoding: query, isEncoded: true)
    }
}

/// Turns the rows of one feed into entries: it knows which columns are the key, the title and the text.
struct AtomEntry {
    private let feed: Feed
    private let keyColumn: Int?
    private let entryColumn: Int?
    private let rankColumn: Int?
    private let titleColumn: Int?
    private let pointsColumn: Int?
    private let contentColumns: [Int]

    init(_ feed: Feed) {
        self.feed = feed
        keyColumn = feed.position(of: .key)
        entryColumn = feed.position(of: .entry)
        rankColumn = feed.position(of: .rank)
        titleColumn = feed.position(of: .title)
        pointsColumn = feed.position(of: .points)
        contentColumns = feed.shown(in: .atom).filter {
            feed.columns[$0].kind != .picture && feed.columns[$0].role != .key
        }
    }

    /// The value that identifies the row permanently: its key, or else a hash of what identifies it in secret. The hash
    /// belongs to this feed, so that nobody finds a row again in another one. A row with neither is what it shows.
    func key(_ row: [Value], links: FeedLinks) -> Value {
        let key = keyColumn.map { feed.value(row, $0) } ?? .none
        switch key {
        case .integer, .text, .link: return key
        default: break
        }
        return .text(links.entryKey("\(feed.path)?\(feed.query) \(identity(row, links: links))"))
    }

    private func identity(_ row: [Value], links: FeedLinks) -> String {
        if let entryColumn, case .text(let entry) = feed.value(row, entryColumn) { return entry }
        var content = ByteWriter(capacityBytes: 256)
        writeContent(row, links: links, to: &content)
        return String(decoding: content.bytes, as: UTF8.self)
    }

    /// Writes `1. yarri: 15`, or as much of it as the feed has.
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

    /// Writes `rank 1, name yarri, points 15`: every column that Atom shows except keys and pictures.
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
