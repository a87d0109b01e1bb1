extension Feed {
    /// Writes XML as Rails wrote lists: `type="array"` on the root, two spaces a level.
    func writeXML(links: FeedLinks, to writer: inout ByteWriter) {
        writer.appendXMLDeclaration()
        writer.append("<")
        writer.append(dashed: names.list)
        guard !rows.isEmpty else { return writer.append(" type=\"array\"/>\n") }
        writer.append(" type=\"array\">\n")
        let shown = shown(in: .xml)
        for row in rows {
            writer.append("  <")
            writer.append(dashed: names.row)
            writer.append(">\n")
            for position in shown {
                let column = columns[position]
                let isPicture = column.kind == .picture
                writer.appendXMLElement(
                    column.name, value(row, position), isPicture: isPicture, links: links, indent: "    ")
            }
            writer.append("  </")
            writer.append(dashed: names.row)
            writer.append(">\n")
        }
        writer.append("</")
        writer.append(dashed: names.list)
        writer.append(">\n")
    }
}
