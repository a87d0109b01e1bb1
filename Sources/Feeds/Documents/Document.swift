/// A single record, such as a `<customer>`: a name and its fields in order, written as Rails XML or as JSON.
package struct Document: Sendable {
    /// The name in snake_case: the root element of the XML, dashed, and the one key of the JSON.
    package var name: StaticString
    package var fields: [Field]

    package init(_ name: StaticString, _ fields: [Field]) {
        self.name = name
        self.fields = fields
    }

    /// The record as XML, indented by two spaces a level, ending with a line feed.
    package func xml(links: FeedLinks) -> [UInt8] {
        var writer = ByteWriter(capacityBytes: estimatedBytes)
        writer.appendXMLDeclaration()
        writer.append("<")
        writer.append(dashed: name)
        guard !fields.isEmpty else {
            writer.append("/>\n")
            return writer.bytes
        }
        writer.append(">\n")
        for field in fields { writer.appendXMLElement(field.name, field.value, links: links, indent: "  ") }
        writer.append("</")
        writer.append(dashed: name)
        writer.append(">\n")
        return writer.bytes
    }

    /// The record as JSON under its name, `{"customer":{"id":1}}`, ending with a line feed.
    package func json(links: FeedLinks) -> [UInt8] {
        var writer = ByteWriter(capacityBytes: estimatedBytes)
        var isFirst = true
        writer.append("{")
        writer.appendJSONKey(name, isFirst: &isFirst)
        isFirst = true
        writer.append("{")
        for field in fields { writer.appendJSONMember(field.name, field.value, links: links, isFirst: &isFirst) }
        writer.append("}}\n")
        return writer.bytes
    }

    private var estimatedBytes: Int { fields.reduce(128) { $0 + $1.value.estimatedBytes } }
}

/// Error sentences for the clients of the classic protocol.
package struct ErrorsDocument: Sendable {
    /// Any texts, in the order in which they are shown.
    package var sentences: [String]

    package init(_ sentences: [String]) { self.sentences = sentences }

    /// The sentences as `<errors>` with one `<error>` each, as Rails wrote them.
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

    /// The sentences as `{"errors":["..."]}`, ending with a line feed.
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
