extension Feed {
    /// Writes an XML property list byte for byte as the plist gem 3.0.0 wrote it in 2009: an array of dictionaries,
    /// tabs, Apple Computer's DOCTYPE.
    func writePlist(links: FeedLinks, to writer: inout ByteWriter) {
        writer.appendXMLDeclaration()
        writer.append(
            """
            <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """)
        let shown = shown(in: .plist)
        writer.append(rows.isEmpty ? "<array/>\n" : "<array>\n")
        for row in rows {
            writer.append("\t<dict>\n")
            for position in shown { writer.appendPlistEntry(columns[position], value(row, position), links: links) }
            writer.append("\t</dict>\n")
        }
        writer.append(rows.isEmpty ? "</plist>\n" : "</array>\n</plist>\n")
    }
}

extension ByteWriter {
    fileprivate mutating func appendPlistEntry(_ column: Column, _ value: Value, links: FeedLinks) {
        if case .none = value, column.kind != .picture { return }
        append("\t\t<key>")
        append(column.name)
        append("</key>\n\t\t")
        switch value {
        case .boolean(let truth): append(truth ? "<true/>" : "<false/>")
        case .integer(let number):
            // Apple's readers refuse the whole list for an integer of more than 64 bits.
            let fits = Int64(exactly: number) != nil
            appendPlistElement(fits ? "integer" : "real", value, links: links)
        case .tenths: appendPlistElement("real", value, links: links)
        case .instant: appendPlistElement("date", value, links: links)
        case .text, .json, .embeddedBase64, .link, .none: appendPlistElement("string", value, links: links)
        }
        append("\n")
    }

    private mutating func appendPlistElement(_ type: StaticString, _ value: Value, links: FeedLinks) {
        append("<")
        append(type)
        append(">")
        appendXMLContent(value, links: links)
        append("</")
        append(type)
        append(">")
    }
}
