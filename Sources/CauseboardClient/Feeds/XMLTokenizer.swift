/// Why a document is no feed.
struct FeedError: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Splits XML into tags and texts while its bytes arrive. It holds one tag or one text at a time, each within a bound,
/// knows no entities but those of XML itself and loads nothing, so that a hostile document costs no more than its
/// bytes.
///
/// It takes what feeds need: UTF-8, a declaration, a DOCTYPE without declarations of its own, comments, CDATA and
/// character references. Attributes are skipped.
struct XMLTokenizer {
    enum Token: Equatable {
        case start(String)
        case end(String)
        /// The text before a tag, without its leading and trailing white space; empty when there is none.
        case text(String)
    }

    private enum State: Equatable {
        case text
        /// After `<`, with the quote that an attribute's value is in.
        case tag(quote: UInt8?)
        /// In `<!-- -->`, `<![CDATA[ ]]>` or `<? ?>`, until their end.
        case comment, data, instruction
    }

    private var state = State.text
    /// The bytes of the tag, or of a reference, that is being read; of comments only the latest.
    private var tag: [UInt8] = []
    private var text: [UInt8] = []
    private var reference: [UInt8]?

    /// Whether the document may end here.
    var isBetweenTags: Bool { state == .text && reference == nil && text.allSatisfy { Self.isSpace($0) } }

    /// Takes the next bytes and tells what they complete, in order.
    mutating func take(_ bytes: some Collection<UInt8>, _ tell: (Token) throws -> Void) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            switch state {
            case .text: try takeText(&rest)
            case .tag: try takeTag(&rest, tell)
            case .comment: skip(&rest, until: "-->")
            case .instruction: skip(&rest, until: "?>")
            case .data: try takeData(&rest)
            }
        }
    }

    private mutating func takeText(_ rest: inout ArraySlice<UInt8>) throws {
        if reference != nil { return try takeReference(&rest) }
        let run = rest.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
        try append(run)
        rest = rest.dropFirst(run.count)
        guard let mark = rest.popFirst() else { return }
        if mark == UInt8(ascii: "&") { reference = [] } else { (state, tag) = (.tag(quote: nil), []) }
    }

    private mutating func takeTag(_ rest: inout ArraySlice<UInt8>, _ tell: (Token) throws -> Void) throws {
        guard case .tag(var quote) = state else { return }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ">"), quote == nil {
                state = .text
                return try endTag(tell)
            }
            tag.append(byte)
            guard tag.count <= Limits.feedTagBytesMax else { throw FeedError("a tag is too long") }
            if tag.count == 3, tag.elementsEqual("!--".utf8) { return begin(.comment) }
            if tag.count == 8, tag.elementsEqual("![CDATA[".utf8) { return begin(.data) }
            if tag.count == 1, byte == UInt8(ascii: "?") { return begin(.instruction) }
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "<"), quote == nil {
                throw FeedError("a tag is in a tag")
            }
        }
        state = .tag(quote: quote)
    }

    private mutating func begin(_ next: State) { (state, tag) = (next, []) }

    private mutating func endTag(_ tell: (Token) throws -> Void) throws {
        if tag.first == UInt8(ascii: "!") {
            guard tag.starts(with: "!DOCTYPE".utf8), !tag.contains(UInt8(ascii: "[")) else {
                throw FeedError("a document type with declarations of its own is not read")
            }
            return
        }
        try tell(.text(try takenText()))
        let isEnd = tag.first == UInt8(ascii: "/")
        let isEmpty = !isEnd && tag.last == UInt8(ascii: "/")
        let name = try Self.string(
            (isEnd ? tag.dropFirst() : tag[...]).prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "/") })
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
            throw FeedError("a tag has no name")
        }
        try tell(isEnd ? .end(name) : .start(name))
        if isEmpty {
            try tell(.text(""))
            try tell(.end(name))
        }
    }

    /// Skips to the end of a comment or an instruction, of which it keeps as many bytes as the end is long.
    private mutating func skip(_ rest: inout ArraySlice<UInt8>, until end: String) {
        while let byte = rest.popFirst() {
            tag.append(byte)
            if tag.count > end.utf8.count { tag.removeFirst() }
            if tag.elementsEqual(end.utf8) { return begin(.text) }
        }
    }

    private mutating func takeData(_ rest: inout ArraySlice<UInt8>) throws {
        while let byte = rest.popFirst() {
            try append(CollectionOfOne(byte))
            if text.suffix(3).elementsEqual("]]>".utf8) {
                text.removeLast(3)
                return begin(.text)
            }
        }
    }

    private mutating func append(_ bytes: some Collection<UInt8>) throws {
        text.append(contentsOf: bytes)
        guard text.count <= Limits.feedTextBytesMax else { throw FeedError("a text is too long") }
    }

    private mutating func takenText() throws -> String {
        defer { text.removeAll(keepingCapacity: true) }
        let start = text.firstIndex { !Self.isSpace($0) } ?? text.endIndex
        let end = text.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? start
        return try Self.string(text[start..<end])
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func string(_ bytes: some Collection<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw FeedError("a text is no UTF-8") }
        return text
    }
}

// MARK: - References

extension XMLTokenizer {
    /// `&#x10FFFF;` is the longest that means something, but for zeros.
    private static let referenceBytesMax = 16

    private mutating func takeReference(_ rest: inout ArraySlice<UInt8>) throws {
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ";") {
                let name = try Self.string(reference ?? [])
                reference = nil
                return try append(Array(String(try Self.character(name)).utf8))
            }
            reference?.append(byte)
            guard let count = reference?.count, count <= Self.referenceBytesMax else {
                throw FeedError("a reference is too long")
            }
        }
    }

    private static func character(_ name: String) throws -> Character {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
            guard name.hasPrefix("#"), !digits.hasPrefix("+"), !digits.hasPrefix("-"),
                let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), let scalar = Unicode.Scalar(number),
                number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number)
            else { throw FeedError("there is no entity \(name)") }
            return Character(scalar)
        }
    }
}
