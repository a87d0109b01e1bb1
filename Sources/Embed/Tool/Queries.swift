import Foundation

/// Writes a `struct` that conforms to `Query` for each statement whose header ends with what it returns.
///
/// Such a header names the Swift property of each parameter, and its type where PostgreSQL's does not say it:
///
///     -- $1 bigint player: Player.ID   $2 text game: Slug? = nil, or null for all   $3 int = Limits.sweptRows, rows
///     -- returns place: Int64?, name: String
///
/// A row is `nothing`, a type, a tuple, or a type with the labels of its initializer: `LedgerRowID(owner, id)`.
/// Statements without such a line have a query that is written by hand.
func embedQueries(_ files: ArraySlice<String>, into output: String) throws {
    var swift = """
        // Written by EmbedTool from the headers of SQL/*/*.sql.

        \(["Domain", "FoundationEssentials", "Postgres", "Statements"].map { "import \($0)" }.joined(separator: "\n"))


        """
    var names: [String] = []
    for file in files.map(URL.init(fileURLWithPath:)) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let header = text.split(separator: "\n").prefix { $0.hasPrefix("--") }.map { $0.dropFirst(2) }
        guard let end = header.firstIndex(where: { $0.hasPrefix(" returns ") }) else { continue }
        let first = header.prefix(end).firstIndex { $0.hasPrefix(" $1 ") } ?? end
        let constant = constantName(file)
        let name = constant.prefix(1).uppercased() + constant.dropFirst()
        do {
            let parameters = try parameters(header[first..<end].joined())
            let row = try row(header[end...].joined().dropFirst(" returns ".count))
            swift += query(name, constant, parameters, row)
            names.append(name)
        } catch let error as Refused { throw Refused(description: "\(file.path): \(error)") }
    }
    swift += """
        /// The queries of this file.
        enum GeneratedQueries { static let all: [any Query.Type] = [\(names.map { "\($0).self" }.joined(separator: ", "))] }

        """
    try Data(swift.utf8).write(to: URL(fileURLWithPath: output))
}

private struct Parameter {
    /// Nil for a constant.
    var name: String?
    var type = ""
    /// The value of a constant, or the default of a property.
    var value: String?
}

private struct Row {
    var type: String
    var expression: String
}

/// Reads the lines with the parameters, in the order of their numbers.
private func parameters(_ text: String) throws -> [Parameter] {
    var parts: [String] = []
    for part in text.split(separator: "$").dropFirst() {
        if part.hasPrefix("\(parts.count + 1) ") {
            parts.append(String(part.drop { $0 != " " }.dropFirst()))
        } else {
            parts[parts.count - 1] += "$" + part
        }
    }
    return try parts.map(parameter)
}

private func parameter(_ text: String) throws -> Parameter {
    guard
        let match = text.wholeMatch(
            of: /\s*(?<sql>[\w\[\]]+) (?<name>\w+)?(?:: (?<type>[\w.?\[\]]+))?(?: ?= (?<value>[^ ,]+))?(?:,.*)?\s*/),
        match.name != nil || match.value != nil
    else { throw Refused(description: "a parameter is `$1 bigint player: Player.ID, what it means`, not `\(text)`") }
    let value = match.value.map(String.init)
    guard let name = match.name else { return Parameter(value: value) }
    guard let type = match.type.map(String.init) ?? standardType(String(match.sql)) else {
        throw Refused(description: "say which Swift type \(name) has")
    }
    return Parameter(name: String(name), type: type, value: value)
}

/// The Swift type for a type of PostgreSQL.
private func standardType(_ sql: String) -> String? {
    if sql.hasSuffix("[]") { return standardType(String(sql.dropLast(2))).map { "[\($0)]" } }
    return [
        "bool": "Bool", "smallint": "Int16", "int": "Int32", "bigint": "Int64", "double": "Double", "text": "String",
        "bytea": "Bytes", "timestamptz": "Instant", "date": "Day", "numeric": "Int128", "uuid": "UUID",
    ][sql]
}

private func row(_ text: Substring) throws -> Row {
    let text = text.split(separator: " ").joined(separator: " ")
    if text == "nothing" { return Row(type: "Void", expression: "") }
    if let match = text.wholeMatch(of: /(?<type>[\w.]+)\((?<labels>\w+(?:, \w+)*)\)/) {
        let values = match.labels.split(separator: ", ").map { "\($0): row.next()" }
        return Row(type: String(match.type), expression: "try \(match.type)(\(values.joined(separator: ", ")))")
    }
    guard text.wholeMatch(of: /(?:\w+: )?[\w.?\[\]]+(?:, (?:\w+: )?[\w.?\[\]]+)*/) != nil else {
        throw Refused(description: "`\(text)` is no row")
    }
    let count = text.split(separator: ", ").count
    if count == 1 { return Row(type: text, expression: "try row.next()") }
    let values = Array(repeating: "try row.next()", count: count).joined(separator: ", ")
    return Row(type: "(\(text))", expression: "(\(values))")
}

private func query(_ name: String, _ constant: String, _ parameters: [Parameter], _ row: Row) -> String {
    let properties = parameters.compactMap { parameter in
        parameter.name.map { name in
            parameter.value.map { "    var \(name): \(parameter.type) = \($0)\n" }
                ?? "    let \(name): \(parameter.type)\n"
        }
    }
    let binds = parameters.map { $0.name ?? $0.value ?? "" }.joined(separator: ", ")
    let decode = """
            static func decode(_ row: inout RowReader) throws(DecodingFailure) -> \(row.type) { \(row.expression) }

        """
    return """
        struct \(name): Query {
            static let sql = SQL.\(constant)
        \(properties.joined())    var binds: Binds { [\(binds)] }
        \(row.type == "Void" ? "    typealias Row = Void\n" : decode)}


        """
}
