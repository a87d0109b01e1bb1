extension Feed {
    /// Writes the rows as a bare list, or inside the envelope of the ``head``.
    func writeJSON(links: FeedLinks, to writer: inout ByteWriter) {
        guard let head else {
            writeJSONRows(links: links, to: &writer)
            return writer.append("\n")
        }
        var isFirst = true
        writer.append("{")
        for field in head.fields {
            writer.appendJSONMember(field.name, field.value, links: links, isFirst: &isFirst)
        }
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
    /// The members before the rows, in order.
    fileprivate var fields: [Field] {
        [
            Field("board", .text(ifAny: board)), Field("window", .text(ifAny: window)),
            Field("from", .instant(ifAny: from)),
            Field("until", .instant(ifAny: until)), Field("zone", .text(ifAny: zone)),
            Field("final", final.map(Value.boolean) ?? .none),
            Field("ties", .text(ifAny: ties)), Field("of", of.map { .integer(Int128($0)) } ?? .none),
        ]
    }
}
