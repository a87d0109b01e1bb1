extension Feed {
    /// Writes the rows as a bare list, or inside the envelope of the ``head``.
    func writeJSON(links: FeedLinks, to writer: inout ByteWriter) {
        guard let head else {
            writeJSONRows(links: links, to: &writer)
            return writer.append("\n")
        }
        var isFirst = true
        writer.append("{")
        head.writeJSONMembers(links: links, to: &writer, isFirst: &isFirst)
        writer.appendJSONKey("rows", isFirst: &isFirst)
        writeJSONRows(links: links, to: &writer)
        writer.appendJSONMember("next", .text(ifAny: head.next), links: links, isFirst: &isFirst)
        writer.appendJSONMember("prev", .text(ifAny: head.prev), links: links, isFirst: &isFirst)
        writer.append("}\n")
    }

    private func writeJSONRows(links: FeedLinks, to writer: inout ByteWriter) {
        let shown = shown(in: .json)
        writer.append("[")
        var isFirstRow = true
        for row in rows {
            writer.append(isFirstRow ? "{" : ",{")
            isFirstRow = false
            var isFirst = true
            for position in shown {
                writer.appendJSONMember(columns[position].name, value(row, position), links: links, isFirst: &isFirst)
            }
            writer.append("}")
        }
        writer.append("]")
    }
}

extension Head {
    /// Writes the members before the rows, in order.
    fileprivate func writeJSONMembers(links: FeedLinks, to writer: inout ByteWriter, isFirst: inout Bool) {
        writer.appendJSONMember("board", .text(ifAny: board), links: links, isFirst: &isFirst)
        writer.appendJSONMember("day", .text(ifAny: day), links: links, isFirst: &isFirst)
        writer.appendJSONMember("window", .text(ifAny: window), links: links, isFirst: &isFirst)
        writer.appendJSONMember("from", .instant(ifAny: from), links: links, isFirst: &isFirst)
        writer.appendJSONMember("until", .instant(ifAny: until), links: links, isFirst: &isFirst)
        writer.appendJSONMember("zone", .text(ifAny: zone), links: links, isFirst: &isFirst)
        writer.appendJSONMember("final", final.map(Value.boolean) ?? .none, links: links, isFirst: &isFirst)
        writer.appendJSONMember("ties", .text(ifAny: ties), links: links, isFirst: &isFirst)
        writer.appendJSONMember("among", .text(ifAny: among), links: links, isFirst: &isFirst)
        writer.appendJSONMember("of", of.map { .integer(Int128($0)) } ?? .none, links: links, isFirst: &isFirst)
    }
}
