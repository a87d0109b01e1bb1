import Domain

/// A body that is one JSON object. The last of several members with the same name counts.
struct JSONObject {
    // The names are bytes, because hashing a hostile String takes time that grows with the square of its length: its
    // combining marks have to be sorted.
    private var members: [ArraySlice<UInt8>: JSONValue] = [:]

    /// An object without members.
    init() {}

    /// - Parameter bytes: At most ``Limits/bodyBytesMax``; a byte order mark at the start is skipped.
    init(_ bytes: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        // JSON has no byte order mark, and some clients send one.
        scanner.offset = TextLines.byteOrderMarkLength(of: bytes)
        scanner.skipSpace()
        guard scanner.take(UInt8(ascii: "{")) else { throw scanner.fault(.missing("an object in { }")) }
        scanner.skipSpace()
        if !scanner.take(UInt8(ascii: "}")) {
            var count = 0
            repeat {
                guard count < Limits.fieldsMax else { throw scanner.fault(.tooManyMembers(max: Limits.fieldsMax)) }
                count += 1
                let name = try scanner.name()
                members[name] = try scanner.value(depth: 1)
            } while try scanner.continues(until: UInt8(ascii: "}"))
        }
        try scanner.finish()
    }

    /// Whether every member has one of these names.
    func hasOnly(_ names: Set<String>) -> Bool {
        let known = names.map { Array($0.utf8) }
        return members.keys.allSatisfy { name in known.contains { $0.elementsEqual(name) } }
    }

    /// The member with a name; nil when there is none.
    subscript(_ name: String) -> JSONValue? { members[Array(name.utf8)[...]] }
}

/// Why and where bytes are no JSON, in a sentence that says what to change.
struct JSONError: Error, Equatable, CustomStringConvertible {
    enum Fault {
        /// The wanted text is not at the offset: other bytes are there, or the bytes end.
        case missing(String)
        case controlInString
        case notUTF8
        case halfOfAPair
        case tooDeep(max: Int)
        case tooManyMembers(max: Int)
    }

    /// Counted from 1; a line feed ends a line.
    let line: Int
    /// Counted from 1, in code points.
    let column: Int
    let description: String

    init(_ fault: Fault, in bytes: [UInt8], at offset: Int) {
        let before = bytes.prefix(offset).dropFirst(TextLines.byteOrderMarkLength(of: bytes))
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
        let place = "line \(line), column \(column)"
        let what =
            switch fault {
            case .missing(let wanted) where offset >= bytes.count:
                "it ends at \(place), where \(wanted) belongs. Send it whole, with its length in bytes."
            case .missing(let wanted):
                "\(place) has \(Self.thing(bytes[offset...])) where \(wanted) belongs. Correct it there."
            case .controlInString:
                "\(place) has \(Self.thing(bytes[offset...])) inside a string. Escape it, such as \\n."
            case .notUTF8: "\(place) has a byte that is no UTF-8. Send it in UTF-8."
            case .halfOfAPair: "\(place) has one half of a surrogate pair. Send both, such as \\ud83d\\ude00."
            case .tooDeep(let max): "\(place) opens more than \(max) brackets inside each other. Nest it less."
            case .tooManyMembers(let max): "\(place) goes on after \(max) members. Send only those that are needed."
            }
        description = "The body is no JSON: \(what)"
    }

    /// Describes the first character, in words that survive any quoting of the sentence.
    private static func thing(_ bytes: ArraySlice<UInt8>) -> String {
        switch bytes.first {
        case UInt8(ascii: "'"): return "a single quote"
        case UInt8(ascii: "\""): return "a quote"
        case UInt8(ascii: " "): return "a space"
        case .some(let byte) where (0x21...0x7E).contains(byte): return "'\(Unicode.Scalar(byte))'"
        default:
            var decoder = UTF8()
            var bytes = bytes.makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return "a byte that is no UTF-8" }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
