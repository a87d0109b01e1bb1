package import Domain

/// The value of one cell of a feed or one field of a document.
package enum Value: Sendable, Hashable {
    /// An integer; every format writes it exactly, whatever its size.
    case integer(Int128)
    /// A number with one decimal, counted in tenths: 975 is written 97.5.
    case tenths(Int128)
    /// Any text, including hostile ones.
    case text(String)
    /// A well-formed JSON value without white space between its parts, with hostile texts inside. JSON nests it; the
    /// other formats write its text.
    case json(String)
    case instant(Instant)
    case boolean(Bool)
    /// A PNG in base64 (RFC 4648, section 4): only ASCII letters, digits and `+ / =`, because it is copied unescaped.
    /// HTML shows it as a data URI.
    case embeddedBase64([UInt8])
    /// A URL. One that starts with `/` is a path on this server and becomes absolute when the public URL is known.
    case link(String)
    /// No value. JSON and plist leave out the key, CSV and HTML leave the cell empty, XML writes `nil="true"`. An
    /// absent picture is an empty element in XML and an empty string in plist, as the clients of 2009 expect.
    case none

    /// The text, or ``none`` when there is none.
    package static func text(ifAny text: String?) -> Value { text.map(Value.text) ?? .none }

    /// The JSON value, or ``none`` when there is none.
    package static func json(ifAny json: String?) -> Value { json.map(Value.json) ?? .none }

    /// The instant, or ``none`` when there is none.
    package static func instant(ifAny instant: Instant?) -> Value { instant.map(Value.instant) ?? .none }

    /// Approximate bytes of the value with its markup.
    var estimatedBytes: Int {
        switch self {
        case .text(let text), .json(let text), .link(let text): text.utf8.count + 64
        case .embeddedBase64(let base64): base64.count + 64
        default: 80
        }
    }
}

/// A named value of a ``Document``.
package struct Field: Sendable {
    /// The name in snake_case; XML shows it dashed. It is a literal, so that no data can become markup.
    package var name: StaticString
    package var value: Value

    package init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }
}
