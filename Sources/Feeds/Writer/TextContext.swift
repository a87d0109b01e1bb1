/// The context of a text in a document, which decides what must be escaped.
package enum TextContext: Sendable {
    /// Text between tags, in XML and in HTML (our pages are XML as well).
    case element
    /// Text in an attribute between double quotes.
    case attribute
    /// Text in a JSON string. `< > &`, U+2028 and U+2029 are escaped too, so that a document can stand inside a script
    /// or a page.
    case json
    /// A JSON value inside JSON. What ``json`` escapes so that the document can stand inside a script or a page is only
    /// in the value's strings, so it is escaped alike; their quotes and backslashes stay.
    case nestedJSON
    /// Text in a field of CSV; a double quote, which only quoted fields hold, is doubled.
    case csv

    /// The bytes at which ``replacement(in:at:)`` must be asked; all others are copied.
    var stops: ByteSet {
        switch self {
        case .element: Self.elementStops
        case .attribute: Self.attributeStops
        case .json: Self.jsonStops
        case .nestedJSON: Self.nestedJSONStops
        case .csv: Self.csvStops
        }
    }

    /// The replacement for the character at `index`, and how many bytes of UTF-8 it replaces; nil when the character is
    /// copied.
    func replacement(in utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> (written: StaticString, lengthBytes: Int)? {
        switch self {
        case .element: Self.xml(utf8, index, inAttribute: false)
        case .attribute: Self.xml(utf8, index, inAttribute: true)
        case .json, .nestedJSON: Self.json(utf8, index)
        case .csv: (utf8[index] == UInt8(ascii: "\"") ? "\"\"" : "\u{FFFD}", 1)
        }
    }

    private static let controls = UInt8(0)..<32
    private static let elementStops = ByteSet(controls.filter { $0 != 9 && $0 != 10 } + Array("&<>".utf8) + [0xEF])
    private static let attributeStops = ByteSet(controls + Array("&<>\"".utf8) + [0xEF])
    private static let jsonStops = ByteSet(controls + Array("\"\\<>&".utf8) + [0x7F, 0xE2])
    private static let nestedJSONStops = ByteSet(Array("<>&".utf8) + [0x7F, 0xE2])
    private static let csvStops = ByteSet(controls.filter { $0 != 9 && $0 != 10 && $0 != 13 } + Array("\"".utf8))

    /// The escapes of XML. XML 1.0, section 2.2, allows no control but tab, line feed and carriage return, and neither
    /// U+FFFE nor U+FFFF; those become U+FFFD.
    private static func xml(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int, inAttribute: Bool) -> (StaticString, Int)?
    {
        switch utf8[index] {
        case UInt8(ascii: "&"): ("&amp;", 1)
        case UInt8(ascii: "<"): ("&lt;", 1)
        case UInt8(ascii: ">"): ("&gt;", 1)
        case UInt8(ascii: "\""): ("&quot;", 1)
        case 9: inAttribute ? ("&#9;", 1) : nil
        case 10: inAttribute ? ("&#10;", 1) : nil
        case 13: ("&#13;", 1)  // section 2.11: readers turn a bare one into a line feed
        case 0xEF: index + 2 < utf8.count && utf8[index + 1] == 0xBF && utf8[index + 2] >= 0xBE ? ("\u{FFFD}", 3) : nil
        default: ("\u{FFFD}", 1)
        }
    }

    /// The escapes of JSON (RFC 8259, section 7).
    private static func json(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> (StaticString, Int)? {
        switch utf8[index] {
        case UInt8(ascii: "\""): ("\\\"", 1)
        case UInt8(ascii: "\\"): ("\\\\", 1)
        case UInt8(ascii: "<"): ("\\u003c", 1)
        case UInt8(ascii: ">"): ("\\u003e", 1)
        case UInt8(ascii: "&"): ("\\u0026", 1)
        case 0x7F: ("\\u007f", 1)
        case 0xE2:
            if index + 2 < utf8.count, utf8[index + 1] == 0x80, utf8[index + 2] & 0xFE == 0xA8 {
                (utf8[index + 2] == 0xA8 ? "\\u2028" : "\\u2029", 3)
            } else {
                nil
            }
        case let control: (jsonControls[Int(control & 31)], 1)
        }
    }

    private static let jsonControls: [StaticString] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007", "\\b", "\\t", "\\n",
        "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015",
        "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
    ]
}

/// A set of bytes as 256 bits.
struct ByteSet: Sendable {
    /// Each word covers 64 byte values, lowest first.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            let bit: UInt64 = 1 << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 128 ? (byte < 64 ? words.0 : words.1) : (byte < 192 ? words.2 : words.3)
        return word &>> UInt64(byte & 63) & 1 == 1
    }

    /// Whether the set contains any byte of the text's UTF-8.
    func meets(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in utf8.contains { contains($0) } }
    }
}
