/// A JSON reply of nested objects and lists.
package indirect enum JSONTree: Sendable {
    /// A single value; a member that is ``Value/none`` is left out.
    case value(Value)
    case null
    case list([JSONTree])
    case object([Member])

    package struct Member: Sendable {
        /// It is from the source code, so that no data can become markup.
        enum Name: Sendable {
            case literal(StaticString)
            case key(String)
        }

        let name: Name
        let tree: JSONTree

        /// - Parameter name: The key in snake_case.
        package init(_ name: StaticString, _ tree: JSONTree) {
            self.name = .literal(name)
            self.tree = tree
        }

        package init(_ name: StaticString, _ value: Value) { self.init(name, .value(value)) }

        /// - Parameter key: The raw value of a case, in snake_case.
        package init(key: String, _ tree: JSONTree) {
            name = .key(key)
            self.tree = tree
        }
    }

    /// The members of an object; none of anything else.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The whole document, UTF-8, ending with a line feed.
    package func bytes(links: FeedLinks) -> [UInt8] {
        var writer = ByteWriter(capacityBytes: 512)
        write(links: links, to: &writer)
        writer.append("\n")
        return writer.bytes
    }

    private var isLeftOut: Bool { if case .value(.none) = self { true } else { false } }

    private func write(links: FeedLinks, to writer: inout ByteWriter) {
        switch self {
        case .value(let value): writer.appendJSON(value, links: links)
        case .null: writer.append("null")
        case .list(let trees):
            writer.append("[")
            for (index, tree) in trees.enumerated() {
                if index > 0 { writer.append(",") }
                tree.write(links: links, to: &writer)
            }
            writer.append("]")
        case .object(let members):
            var isFirst = true
            writer.append("{")
            for member in members where !member.tree.isLeftOut {
                switch member.name {
                case .literal(let name): writer.appendJSONKey(name, isFirst: &isFirst)
                case .key(let key): writer.appendJSONKey(key, isFirst: &isFirst)
                }
                member.tree.write(links: links, to: &writer)
            }
            writer.append("}")
        }
    }
}

extension JSONTree {
    /// The tree as a cell of a table: a list is its texts with spaces between them, and an object has no cell.
    package var cell: Value {
        switch self {
        case .value(let value): value
        case .list(let trees):
            .text(
                trees.compactMap { if case .value(.text(let text)) = $0 { text } else { nil } }.joined(separator: " "))
        case .null, .object: .none
        }
    }
}
