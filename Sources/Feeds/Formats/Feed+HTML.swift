import Domain

extension Feed {
    /// Writes a self-contained page: no script, no font, no other file. It is also well-formed XML, so one escaping
    /// rule serves both.
    func writeHTML(links: FeedLinks, to writer: inout ByteWriter) {
        writer.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        writer.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        writer.append("<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>")
        writer.append(title, in: .element)
        writer.append("</title>\n")
        for format in FeedFormat.allCases where format != .html {
            writer.append("<link rel=\"alternate\"")
            writeTarget(format, links: links, to: &writer)
            writer.append("/>\n")
        }
        if let pagePath {
            writer.append("<link rel=\"canonical\" href=\"")
            writer.append(links.resolved(pagePath), in: .attribute)
            writer.append("\"/>\n")
        }
        writer.append("<style>")
        writer.append(Self.pageStyle)
        writer.append("</style>\n</head>\n<body>\n<main>\n<h1>")
        writer.append(title, in: .element)
        writer.append("</h1>\n")
        HTMLTable(self, links: links).write(to: &writer)
        writePageTurners(links: links, to: &writer)
        writer.append("</main>\n<footer>\n<nav aria-label=\"Other formats\">")
        if let pagePath {
            writer.append("\n<a rel=\"canonical\" href=\"")
            writer.append(links.resolved(pagePath), in: .attribute)
            writer.append("\">Page</a>")
        }
        for format in FeedFormat.allCases where format != .html {
            writer.append("\n<a")
            writeTarget(format, links: links, to: &writer)
            writer.append(">")
            writer.append(format.label)
            writer.append("</a>")
        }
        writer.append("\n</nav>\n</footer>\n</body>\n</html>\n")
    }

    /// Writes ` type="…" href="…"` of this feed in another format.
    private func writeTarget(_ format: FeedFormat, links: FeedLinks, to writer: inout ByteWriter) {
        writer.append(" type=\"")
        writer.append(format.mediaType, in: .attribute)
        writer.append("\" href=\"")
        writer.append(href(format, links: links), in: .attribute)
        writer.append("\"")
    }

    private func writePageTurners(links: FeedLinks, to writer: inout ByteWriter) {
        guard let head, head.prev != nil || head.next != nil else { return }
        writer.append("<nav aria-label=\"Pages\">")
        if let prev = head.prev {
            writer.append("\n<a rel=\"prev\" href=\"")
            writer.append(href(.html, cursor: .before(prev), links: links), in: .attribute)
            writer.append("\">Previous</a>")
        }
        if let next = head.next {
            writer.append("\n<a rel=\"next\" href=\"")
            writer.append(href(.html, cursor: .after(next), links: links), in: .attribute)
            writer.append("\">Next</a>")
        }
        writer.append("\n</nav>\n")
    }
}

/// The rows of one feed as an HTML table with a caption that describes them.
struct HTMLTable {
    private let feed: Feed
    private let links: FeedLinks
    private let titleColumn: Int?
    private let pictureColumn: Int?
    /// The indices of the columns with a table column of their own: pictures stand beside the title, and keys are for
    /// programs.
    private let shown: [Int]

    init(_ feed: Feed, links: FeedLinks) {
        self.feed = feed
        self.links = links
        let readable = feed.shown(in: .html)
        titleColumn = feed.position(of: .title)
        pictureColumn = readable.first { feed.columns[$0].kind == .picture }
        shown = readable.filter { feed.columns[$0].kind != .picture && feed.columns[$0].role != .key }
    }

    func write(to writer: inout ByteWriter) {
        guard !feed.rows.isEmpty else {
            writer.append("<p class=\"nobody\">Nobody yet.</p>\n")
            return
        }
        // What can be scrolled has to be reached by keys, and then it needs a name.
        writer.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
        writer.append(feed.title, in: .attribute)
        writer.append("\">\n<table>\n<caption>")
        writeCaption(to: &writer)
        writer.append("</caption>\n<thead>\n<tr>")
        for position in shown {
            writer.append(feed.columns[position].isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">")
            writer.append(heading: feed.columns[position].name, capitalized: true)
            writer.append(feed.columns[position].kind == .instant ? " (UTC)</th>" : "</th>")
        }
        writer.append("</tr>\n</thead>\n<tbody>\n")
        for row in feed.rows { writeRow(row, to: &writer) }
        writer.append("</tbody>\n</table>\n</div>\n")
    }

    /// Writes `10 of 300. Window week, from 2026-11-16 00:00 until 2026-11-23 00:00 UTC; days begin in Europe/Berlin.
    /// Final.`
    private func writeCaption(to writer: inout ByteWriter) {
        writer.append(Int128(feed.rows.count), grouped: true)
        if let of = feed.head?.of {
            writer.append(" of ")
            writer.append(Int128(of), grouped: true)
        } else {
            writer.append(" shown")
        }
        guard let head = feed.head else { return }
        if let window = head.window {
            writer.append(". Window ")
            writer.append(window, in: .element)
        }
        if let from = head.from {
            writer.append(", from ")
            writer.append(time: from)
        }
        if let until = head.until {
            writer.append(" until ")
            writer.append(time: until)
        }
        if head.from != nil || head.until != nil { writer.append(" UTC") }
        if let zone = head.zone {
            writer.append("; days begin in ")
            writer.append(zone, in: .element)
        }
        if head.final == true { writer.append(". Final") }
        writer.append(".")
    }

    private func writeRow(_ row: [Value], to writer: inout ByteWriter) {
        writer.append("<tr>")
        for position in shown {
            if position == titleColumn {
                writer.append("<th scope=\"row\">")
                if let pictureColumn { writePicture(feed.value(row, pictureColumn), to: &writer) }
                writeCell(feed.value(row, position), feed.columns[position], to: &writer)
                writer.append("</th>")
            } else {
                writer.append(feed.columns[position].isNumber ? "<td class=\"n\">" : "<td>")
                writeCell(feed.value(row, position), feed.columns[position], to: &writer)
                writer.append("</td>")
            }
        }
        writer.append("</tr>\n")
    }

    /// Writes the picture, or an empty square of its size, so that names stay aligned.
    private func writePicture(_ picture: Value, to writer: inout ByteWriter) {
        let tag: StaticString = "\" width=\"40\" height=\"40\" alt=\"\" class=\"face\" loading=\"lazy\"/>"
        switch picture {
        case .embeddedBase64(let base64):
            writer.append("<img src=\"data:image/png;base64,")
            writer.append(safe: base64)
            writer.append(tag)
        case .link(let link):
            guard let address = links.followable(link) else { fallthrough }
            writer.append("<img src=\"")
            writer.append(address, in: .attribute)
            writer.append(tag)
        default: writer.append("<span class=\"face\"></span>")
        }
    }

    private func writeCell(_ value: Value, _ column: Column, to writer: inout ByteWriter) {
        switch value {
        case .integer(let number): writer.append(number, grouped: true)
        case .tenths(let tenths):
            if column.kind == .percent { writer.appendBar(tenths: tenths) }
            writer.append(tenths: tenths)
            if column.kind == .percent { writer.append("%") }
        case .text(let text), .json(let text):
            // The text is isolated, so that a name in Arabic or Hebrew does not reverse its row.
            writer.append("<bdi>")
            writer.append(text, in: .element)
            writer.append("</bdi>")
        case .instant(let instant): writer.append(time: instant)
        case .boolean(let truth): writer.append(truth ? "Yes" : "No")
        case .link(let link): writeLink(link, to: &writer)
        case .embeddedBase64, .none: break
        }
    }

    private func writeLink(_ link: String, to writer: inout ByteWriter) {
        guard let address = links.followable(link) else { return writer.append(link, in: .element) }
        writer.append("<a rel=\"nofollow noopener\" href=\"")
        writer.append(address, in: .attribute)
        writer.append("\">")
        writer.append(link, in: .element)
        writer.append("</a>")
    }
}

extension Feed {
    /// Everything between `<style>` and `</style>` on every page, byte for byte, so that a Content-Security-Policy can
    /// name its hash.
    package static let pageStyle: StaticString = """

        :root { color-scheme: light dark; --ink: #1c1b1a; --soft: #66615b; --line: #e4dfd8; --paper: #fdfcfa; \
        --link: #0b5c8a; --bar: #2a8f5b }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #ece8e2; --soft: #a39c93; --line: #37332f; --paper: #191816; --link: #7cc3ee; --bar: #52b988 }
        }
        * { box-sizing: border-box }
        body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 44rem; color: var(--ink); \
        background: var(--paper);
          font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100% }
        h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere }
        .scroll { overflow-x: auto }
        table { width: 100%; border-collapse: collapse }
        caption { padding: 0 .5rem .75rem; text-align: left; color: var(--soft); font-size: .9rem }
        th, td { padding: .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: middle }
        thead th { color: var(--soft); font-size: .8rem; font-weight: 600; white-space: nowrap }
        tbody th { font-weight: 600; min-width: 9rem; overflow-wrap: anywhere }
        .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
        .face { display: inline-block; width: 40px; height: 40px; margin-right: .75rem; border-radius: 8px; \
        background: var(--line);
          vertical-align: middle }
        time { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums }
        progress { width: 6rem; margin-right: .5rem; accent-color: var(--bar); vertical-align: middle }
        .nobody { padding: 2.5rem 1rem; text-align: center; color: var(--soft) }
        a { color: var(--link) }
        nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-top: 1.25rem; font-size: .9rem }
        nav a { padding: .25rem 0 }

        """
}
