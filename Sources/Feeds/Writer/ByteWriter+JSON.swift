import Domain

extension ByteWriter {
    /// Begins a member of an object, after a comma unless it is the first.
    mutating func appendJSONKey(_ name: StaticString, isFirst: inout Bool) {
        append(isFirst ? "\"" : ",\"")
        isFirst = false
        append(name)
        append("\":")
    }

    /// Begins a member of an object, after a comma unless it is the first.
    /// - Parameter key: One of the source code, in snake_case.
    mutating func appendJSONKey(_ key: String, isFirst: inout Bool) {
        append(isFirst ? "\"" : ",\"")
        isFirst = false
        append(safe: key.utf8)
        append("\":")
    }

    /// Appends a member of an object; nothing for `Value.none`.
    mutating func appendJSONMember(_ name: StaticString, _ value: Value, links: FeedLinks, isFirst: inout Bool) {
        if case .none = value { return }
        appendJSONKey(name, isFirst: &isFirst)
        appendJSON(value, links: links)
    }

    mutating func appendJSON(_ value: Value, links: FeedLinks) {
        switch value {
        case .integer(let number): append(number)
        case .tenths(let tenths): append(tenths: tenths)
        case .text(let text): appendJSON(text)
        case .json(let json): append(json, in: .nestedJSON)
        case .instant(let instant):
            append("\"")
            append(instant, .microseconds)
            append("\"")
        case .boolean(let truth): append(truth ? "true" : "false")
        case .embeddedBase64(let base64):
            append("\"")
            append(safe: base64)
            append("\"")
        case .link(let link): appendJSON(links.resolved(link))
        case .none: append("null")
        }
    }

    mutating func appendJSON(_ text: String) {
        append("\"")
        append(text, in: .json)
        append("\"")
    }
}
