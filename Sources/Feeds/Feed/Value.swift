package import Domain

/// What stands in one cell of a feed or one field of a document.
package enum Value: Sendable, Hashable {
    /// Exact in every format, whatever its size.
    case integer(Int128)
    /// A number with one decimal, counted in tenths: 975 is written 97.5.
    case tenths(Int64)
    /// Any text at all, hostile ones included.
    case text(String)
    case instant(Instant)
    case boolean(Bool)
    /// A PNG as base64 (RFC 4648, section 4): ASCII letters, digits, `+ / =` and nothing else, for it is copied as it
    /// is. A data URI in HTML.
    case embeddedBase64([UInt8])
    /// A URL. One that starts with `/` is our own and becomes absolute when the server knows its public address.
    case link(String)
    /// No value. JSON and plist leave the key out, CSV and HTML the cell empty; XML says `nil="true"`. A picture that
    /// is not there is an empty element in XML and an empty string in plist, as the 2009 clients expect.
    case none

    /// The text, or ``none`` when there is none.
    package static func text(ifAny text: String?) -> Value {
        text.map(Value.text) ?? .none
    }

    /// The instant, or ``none`` when there is none.
    package static func instant(ifAny instant: Instant?) -> Value {
        instant.map(Value.instant) ?? .none
    }

    /// Size in a document with its markup, roughly.
    var estimatedBytes: Int {
        switch self {
        case .text(let text), .link(let text): text.utf8.count + 64
        case .embeddedBase64(let base64): base64.count + 64
        default: 80
        }
    }
}

/// A named value of a ``Document``.
package struct Field: Sendable {
    /// snake_case; XML shows it dashed. A literal, so that no data can become markup.
    package var name: StaticString
    package var value: Value

    package init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }
}
