/// Makes rows of a feed while its bytes arrive: of XML as Rails wrote lists, whose rows are the root's children, and of
/// property lists, whose rows are the dictionaries of the root's array.
struct FeedRowParser {
    /// A row's fields by their names, with `_` for `-`. A field without a text is absent.
    typealias Fields = [String: String]

    private var tokenizer = XMLTokenizer()
    private var open: [String] = []
    private var hasEnded = false
    private var fields: Fields = [:]
    private var text = ""
    /// The latest key of a property list's dictionary.
    private var key: String?
    private let isRecord: Bool

    /// - Parameter isRecord: Whether the document's root is the one row.
    init(isRecord: Bool = false) { self.isRecord = isRecord }

    /// Takes the next bytes.
    /// - Returns: The rows that they complete, in their order.
    mutating func take(_ bytes: some Collection<UInt8>) throws(FeedError) -> [Fields] {
        var rows: [Fields] = []
        do {
            var tokenizer = tokenizer
            try tokenizer.take(bytes) { token in try follow(token, &rows) }
            self.tokenizer = tokenizer
        } catch let error as FeedError { throw error } catch { throw FeedError("\(error)") }
        return rows
    }

    /// Tells that no more bytes come.
    /// - Throws: When the document is not whole.
    func end() throws(FeedError) {
        guard hasEnded, tokenizer.isBetweenTags else { throw FeedError("the document ends early") }
    }

    private var isPropertyList: Bool { open.first == "plist" }
    /// How many elements are open in a row, with the row itself.
    private var rowDepth: Int { isRecord ? 1 : isPropertyList ? 3 : 2 }

    private mutating func follow(_ token: XMLTokenizer.Token, _ rows: inout [Fields]) throws {
        switch token {
        case .text(let found): text = found
        case .start(let name):
            guard !hasEnded else { throw FeedError("there is something after the root") }
            guard open.count < Limits.feedDepthMax else { throw FeedError("elements are too deep") }
            guard text.isEmpty || !open.isEmpty else { throw FeedError("there is text before the root") }
            open.append(name)
            if open.count == rowDepth { (fields, key) = ([:], nil) }
        case .end(let name):
            guard open.last == name else { throw FeedError("\(name) ends where it is not open") }
            if open.count == rowDepth + 1 { try endField(name) }
            if open.count == rowDepth, !isPropertyList || name == "dict" { rows.append(fields) }
            open.removeLast()
            hasEnded = open.isEmpty
        }
    }

    private mutating func endField(_ name: String) throws {
        guard fields.count < Limits.feedFieldsMax else { throw FeedError("a row has too many fields") }
        if !isPropertyList {
            if !text.isEmpty { fields[String(name.map { $0 == "-" ? "_" : $0 })] = text }
        } else if name == "key" {
            key = text
        } else if let known = key {
            fields[known] = name == "true" || name == "false" ? name : text
            key = nil
        }
    }
}
