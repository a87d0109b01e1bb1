import Foundation

/// The name of the constant for a file: `boardTop` for `board_top.sql`.
func constantName(_ file: URL) -> String {
    let words = file.deletingPathExtension().lastPathComponent.split(separator: "_").map(String.init)
    return words.enumerated().map {
        $0.offset == 0 ? $0.element : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
    }.joined()
}

/// Writes `enum SQL` with one constant for each statement, and `enum Migrations` with the migrations in order, of which
/// the first one is `SQL/schema`, file after file.
func embedStatements(_ files: ArraySlice<String>, into output: String) throws {
    var statements: [String: (file: URL, text: String)] = [:]
    var schema: [String] = []
    var schemaNumber = 0
    var migrations: [(number: Int, name: String, text: String)] = []
    for file in files.map(URL.init(fileURLWithPath:)) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let stem = file.deletingPathExtension().lastPathComponent
        switch file.deletingLastPathComponent().lastPathComponent {
        case "schema":
            // Several files may have the same number: one file for each part of the schema.
            if !stem.hasPrefix("\(schemaNumber)_") {
                try check(stem, of: file, digits: 1, after: schemaNumber)
                schemaNumber += 1
            }
            schema.append(text)
        case "migrations":
            try check(stem, of: file, digits: 4, after: migrations.count + 1)
            migrations.append((migrations.count + 2, String(stem.dropFirst(5)), text))
        default:
            let name = constantName(file)
            if let twin = statements[name] {
                throw Refused(description: "\(file.path): \(twin.file.path) has the same name")
            }
            guard text.hasPrefix("-- \(stem): ") else {
                throw Refused(description: "\(file.path): the first line is `-- \(stem): what it is for`")
            }
            statements[name] = (file, text)
        }
    }
    var swift = """
        // Written by EmbedTool from SQL/*/*.sql.

        /// Every statement that is ever sent, by its file's name.
        package enum SQL {

        """
    for (name, statement) in statements.sorted(by: { $0.key < $1.key }) {
        swift += "package static let \(name): StaticString = \(literal(statement.text))\n"
    }
    swift += """

        /// All of them, by file name without `.sql`: what the contract test walks through.
        package static let all: [(name: String, text: StaticString)] = [

        """
    for (name, statement) in statements.sorted(by: { $0.key < $1.key }) {
        swift += "(\"\(statement.file.deletingPathExtension().lastPathComponent)\", \(name)),\n"
    }
    swift += "]\n}\n\n/// The numbered migrations, from 1 without gaps.\npackage enum Migrations {\n"
    swift += "package static let all: [(number: Int32, name: String, text: String)] = [\n"
    for migration in [(number: 1, name: "schema", text: schema.joined(separator: "\n"))] + migrations {
        swift += "(\(migration.number), \"\(migration.name)\", \(literal(migration.text))),\n"
    }
    swift += "]\n}\n"
    try Data(swift.utf8).write(to: URL(fileURLWithPath: output))
}

/// Files that are applied in order are named by their numbers, without gaps.
private func check(_ stem: String, of file: URL, digits: Int, after last: Int) throws {
    let number = String(repeating: "0", count: max(0, digits - "\(last + 1)".count)) + "\(last + 1)"
    guard stem.hasPrefix("\(number)_") else {
        throw Refused(description: "\(file.path): the next file is named \(number)_what_it_does.sql")
    }
}
