import Foundation

/// The name of the constant for a file: `boardTop` for `board_top.sql`.
func constantName(_ file: URL) -> String {
    let words = file.deletingPathExtension().lastPathComponent.split(separator: "_").map(String.init)
    return words.enumerated().map {
        $0.offset == 0 ? $0.element : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
    }.joined()
}

/// Writes `enum SQL` with one constant for each statement, and `enum Migrations` with the migrations in order.
func embedStatements(_ files: ArraySlice<String>, into output: String) throws {
    var statements: [String: (file: URL, text: String)] = [:]
    var migrations: [(number: Int, name: String, text: String)] = []
    for file in files.map(URL.init(fileURLWithPath:)) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let folder = file.deletingLastPathComponent().lastPathComponent
        if folder == "migrations" {
            let stem = file.deletingPathExtension().lastPathComponent
            guard let number = Int(stem.prefix(4)), stem.dropFirst(4).first == "_" else {
                throw Refused(description: "\(file.path): a migration is named 0001_what_it_does.sql")
            }
            guard number == migrations.count + 1 else {
                throw Refused(
                    description:
                        "\(file.path): the number after \(migrations.count) is \(migrations.count + 1), "
                        + "without gaps or twins"
                )
            }
            migrations.append((number, String(stem.dropFirst(5)), text))
        } else if folder != "SQL" {  // SQL/schema.sql records what the migrations make and is never sent
            let name = constantName(file)
            if let twin = statements[name] {
                throw Refused(description: "\(file.path): \(twin.file.path) has the same name")
            }
            let stem = file.deletingPathExtension().lastPathComponent
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
    for migration in migrations {
        swift += "(\(migration.number), \"\(migration.name)\", \(literal(migration.text))),\n"
    }
    swift += "]\n}\n"
    try Data(swift.utf8).write(to: URL(fileURLWithPath: output))
}
