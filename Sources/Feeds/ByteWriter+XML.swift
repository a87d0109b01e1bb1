import Domain

extension ByteWriter {
    mutating func appendXMLDeclaration() {
        append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    }

    /// One element on a line of its own, in the form of Rails: dashed name, `type` where it is not text, `nil` where there is nothing.
    mutating func appendXMLElement(_ name: StaticString, _ value: Value, isPicture: Bool = false, links: FeedLinks, indent: StaticString) {
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

    /// The value as text between tags, of XML and of plist.
    mutating func appendXMLContent(_ value: Value, links: FeedLinks) {
        switch value {
        case .integer(let number): append(number)
        case .tenths(let tenths): append(tenths: tenths)
        case .text(let text): append(text, in: .element)
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
        case .text, .embeddedBase64, .link: ""
        }
    }
}
