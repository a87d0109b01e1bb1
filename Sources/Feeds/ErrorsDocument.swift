/// What was wrong, one sentence each, for the callers of the classic protocol.
package struct ErrorsDocument: Sendable {
    /// Any texts, in the order in which they are shown.
    package var sentences: [String]

    package init(_ sentences: [String]) {
        self.sentences = sentences
    }

    /// `<errors>` with an `<error>` for each sentence, as Rails wrote it.
    package func xml() -> [UInt8] {
        var writer = ByteWriter(capacityBytes: 256)
        writer.appendXMLDeclaration()
        guard !sentences.isEmpty else {
            writer.append("<errors/>\n")
            return writer.bytes
        }
        writer.append("<errors>\n")
        for sentence in sentences {
            writer.append("  <error>")
            writer.append(sentence, in: .element)
            writer.append("</error>\n")
        }
        writer.append("</errors>\n")
        return writer.bytes
    }

    /// `{"errors":["..."]}` and a line feed.
    package func json() -> [UInt8] {
        var writer = ByteWriter(capacityBytes: 256)
        writer.append("{\"errors\":[")
        var isFirst = true
        for sentence in sentences {
            if !isFirst { writer.append(",") }
            isFirst = false
            writer.appendJSON(sentence)
        }
        writer.append("]}\n")
        return writer.bytes
    }
}
