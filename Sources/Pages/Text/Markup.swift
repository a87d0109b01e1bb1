import Mustache

/// Text that may stand in a page as it is, also in an attribute between double quotes.
///
/// Templates get nothing else, and write it with three braces: what the library does for two braces escapes whole
/// characters, so that a quotation mark with a combining mark on it would end an attribute.
package struct Markup: Sendable, Equatable {
    package private(set) var html: String

    /// Escapes a text.
    package init(_ text: String) {
        guard text.utf8.contains(where: Self.isSpecial) else {
            html = text
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            // HTML allows no other controls, and a reader would have to guess what they mean.
            case 0..<9, 11, 12, 14..<32, 0x7F: bytes += "\u{FFFD}".utf8
            default: bytes.append(byte)
            }
        }
        html = String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter html: Markup that is known to be well-formed, such as that of a template.
    init(html: String) { self.html = html }

    static let empty = Markup(html: "")

    static func + (first: Markup, second: Markup) -> Markup { Markup(html: first.html + second.html) }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        case 9, 10, 13: false
        default: byte < 32 || byte == 0x7F
        }
    }
}

extension Markup: MustacheCustomRenderable {
    package var renderText: String { html }
    package var isNull: Bool { html.isEmpty }
}
