import Domain

extension ByteWriter {
    mutating func appendXMLDeclaration() { append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }

    /// Appends one element on its own line in the form of Rails: dashed name, `type` where it is not text, `nil` where
    /// there is no value.
    mutating func appendXMLElement(
        _ name: StaticString, _ value: Value, isPicture: Bool = false, links: FeedLinks, indent: StaticString
    ) {
        append(indent)
        append("<")
        append(dashed: name)
        append(value.xmlAttributes(isPicture: isPicture))
        append(">")
        appendXMLContent(value, links: links)
        append("</")
        append(dashed: name)
        append(">\n")
    }

    /// Appends the value as text between tags, for XML and plist.
    mutating func appendXMLContent(_ value: Value, links: FeedLinks) {
        switch value {
        case .integer(let number): append(number)
        case .tenths(let tenths): append(tenths: tenths)
        case .text(let text), .json(let text): append(text, in: .element)
        case .instant(let instant): append(instant, .seconds)
        case .boolean(let truth): append(truth ? "true" : "false")
        case .embeddedBase64(let base64): append(safe: base64)
        case .link(let link): append(links.resolved(link), in: .element)
        case .none: break
        }
    }
}

extension Value {
    fileprivate func xmlAttributes(isPicture: Bool) -> StaticString {
        switch self {
        case .integer: " type=\"integer\""
        case .tenths: " type=\"decimal\""
        case .instant: " type=\"dateTime\""
        case .boolean: " type=\"boolean\""
        case .none: isPicture ? "" : " nil=\"true\""
        case .text, .json, .embeddedBase64, .link: ""
        }
    }
}

extension ByteWriter {
    /// Appends a snake_case name as people read it: `reached_at` becomes `Reached at`.
    mutating func append(heading name: StaticString, capitalized: Bool) {
        var isFirst = true
        for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
            let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            append(
                byte == UInt8(ascii: "_")
                    ? UInt8(ascii: " ") : isFirst && capitalized && isLowercase ? byte & 0xDF : byte)
            isFirst = false
        }
    }

    /// Appends `2009-09-12 10:00` in UTC, in a `<time>` element with the exact instant for programs.
    mutating func append(time instant: Instant) {
        append("<time datetime=\"")
        append(instant, .microseconds)
        append("\">")
        let text = instant.rfc3339Bytes(.seconds)  // 2009-09-12T10:00:03Z
        append(safe: text.prefix(10))
        append(" ")
        append(safe: text.dropFirst(11).prefix(5))
        append("</time>")
    }

    /// Appends a bar that is full at a hundred percent. The number stands beside it, so screen readers skip the bar.
    mutating func appendBar(tenths: Int128) {
        append("<progress aria-hidden=\"true\" max=\"1000\" value=\"")
        append(min(max(tenths, 0), 1000))
        append("\"></progress>")
    }
}

extension Column {
    /// Whether the values are numbers, which are aligned to the right.
    var isNumber: Bool { kind == .integer || kind == .percent }
}
