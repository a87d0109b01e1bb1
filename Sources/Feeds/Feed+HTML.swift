extension Feed {
    /// One page that needs nothing but itself: no script, no font, no file. It is well-formed XML too, so one rule of escaping serves both.
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
        writer.append("<style>")
        writer.append(Self.pageStyle)
        writer.append("</style>\n</head>\n<body>\n<main>\n<h1>")
        writer.append(title, in: .element)
        writer.append("</h1>\n")
        HTMLTable(self, links: links).write(to: &writer)
        writePageTurners(links: links, to: &writer)
        writer.append("</main>\n<footer>\n<nav aria-label=\"Other formats\">")
        for format in FeedFormat.allCases where format != .html {
            writer.append("\n<a")
            writeTarget(format, links: links, to: &writer)
            writer.append(">")
            writer.append(format.label)
            writer.append("</a>")
        }
        writer.append("\n</nav>\n</footer>\n</body>\n</html>\n")
    }

    /// ` type="…" href="…"` of this feed in another format.
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
