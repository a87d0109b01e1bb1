@testable import HTTP

/// The OpenAPI document as it is served: what its YAML says. It reads only what the document uses: block maps and
/// lists, maps and lists in brackets, scalars of one line, and block scalars.
indirect enum ServedDocument: Equatable, Sendable {
    case text(String)
    case list([ServedDocument])
    case map([Member])

    struct Member: Equatable, Sendable {
        let key: String
        let value: ServedDocument
    }

    static let whole: ServedDocument = {
        var reader = Reader(String(decoding: OpenAPI.bytes, as: UTF8.self))
        return reader.block()
    }()

    /// The schema of this name.
    static func schema(_ name: String) -> ServedDocument? { whole["components", "schemas", name] }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [ServedDocument] { if case .list(let list) = self { list } else { [] } }
    var members: [Member] { if case .map(let members) = self { members } else { [] } }

    /// The member with this name, and in it the member with the next one. A number is a place in a list.
    subscript(_ path: String...) -> ServedDocument? {
        var node: ServedDocument? = self
        for step in path {
            if case .list(let list) = node, let index = Int(step) {
                node = list.indices.contains(index) ? list[index] : nil
            } else {
                node = node?.members.first { $0.key == step }?.value
            }
        }
        return node
    }

    /// The properties of a schema, with those of the schemas in its `allOf`.
    var properties: [Member] {
        let inherited = (self["allOf"]?.list ?? []).flatMap { $0.resolved?.properties ?? [] }
        return inherited + (self["properties"]?.members ?? [])
    }

    /// The schema that this refers to; itself if it refers to none.
    var resolved: ServedDocument? {
        guard let reference = self["$ref"]?.text else { return self }
        return Self.schema(String(reference.split(separator: "/").last ?? ""))
    }
}

private struct Reader {
    private var lines: ArraySlice<Substring>

    init(_ text: String) {
        lines =
            text.split(separator: "\n").filter { line in
                let words = line.drop { $0 == " " }
                return !words.isEmpty && !words.hasPrefix("#")
            }[...]
    }

    /// The map or list that begins with the next line.
    mutating func block() -> ServedDocument {
        guard let first = lines.first else { return .map([]) }
        let indent = Self.indent(first)
        var items: [ServedDocument] = []
        var members: [ServedDocument.Member] = []
        while let line = lines.first, Self.indent(line) == indent {
            lines.removeFirst()
            let words = line.dropFirst(indent)
            if words.hasPrefix("- ") {
                items.append(Self.inline(words.dropFirst(2)))
                continue
            }
            let (key, rest) = Self.member(words)
            let value: ServedDocument =
                switch rest {
                case "": block()
                case "|", ">-": .text(scalar(below: indent))
                default: Self.inline(rest)
                }
            members.append(.init(key: key, value: value))
        }
        return items.isEmpty ? .map(members) : .list(items)
    }

    private mutating func scalar(below indent: Int) -> String {
        let text = lines.prefix { Self.indent($0) > indent }
        lines = lines.dropFirst(text.count)
        return text.map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    private static func member(_ words: Substring) -> (key: String, rest: Substring) {
        if words.hasSuffix(":") { return (unquoted(words.dropLast()), "") }
        guard let end = words.firstRange(of: ": ") else { return (unquoted(words), "") }
        return (unquoted(words[..<end.lowerBound]), words[end.upperBound...])
    }

    private static func unquoted(_ words: Substring) -> String {
        words.hasPrefix("'") ? String(words.dropFirst().dropLast()).replacing("''", with: "'") : String(words)
    }

    private static func inline(_ words: Substring) -> ServedDocument {
        guard words.hasPrefix("{") || words.hasPrefix("[") else { return .text(unquoted(words)) }
        var rest = Array(words.utf8)[...]
        return flow(&rest)
    }

    /// A value in brackets, up to the comma or bracket behind it.
    private static func flow(_ rest: inout ArraySlice<UInt8>) -> ServedDocument {
        let (comma, colon, space) = (UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "))
        let closings = [UInt8(ascii: "}"), UInt8(ascii: "]")]
        switch rest.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isMap = rest.removeFirst() == UInt8(ascii: "{")
            var items: [ServedDocument] = []
            var members: [ServedDocument.Member] = []
            while let next = rest.first, !closings.contains(next) {
                if next == comma || next == space {
                    rest.removeFirst()
                } else if isMap {
                    let key = plain(&rest) { bytes in bytes.first == colon && bytes.dropFirst().first == space }
                    rest = rest.dropFirst(2)
                    members.append(.init(key: key, value: flow(&rest)))
                } else {
                    items.append(flow(&rest))
                }
            }
            rest = rest.dropFirst()
            return isMap ? .map(members) : .list(items)
        case let quote? where quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""):
            var text = [rest.removeFirst()]
            while let next = rest.popFirst() {
                text.append(next)
                guard next == quote else { continue }
                if rest.first == quote { text.append(rest.removeFirst()) } else { break }
            }
            return .text(unquoted(Substring(decoding: text, as: UTF8.self)))
        default: return .text(plain(&rest) { $0.first == comma || closings.contains($0.first ?? 0) })
        }
    }

    /// Text without quotes, up to where it ends.
    private static func plain(_ rest: inout ArraySlice<UInt8>, until isEnd: (ArraySlice<UInt8>) -> Bool) -> String {
        var text: [UInt8] = []
        while let next = rest.first, !isEnd(rest) {
            text.append(next)
            rest.removeFirst()
        }
        return unquoted(Substring(decoding: text, as: UTF8.self))
    }
}
