import ArgumentParser
import Domain
import FoundationEssentials
import Storage

struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "List what was put right, the newest first: when, what, by whom and why.")
    @OptionGroup var database: DatabaseOptions
    @Option(help: "Entries, 1 to 100.") var limit: Int32 = 20
    @Option(help: "Begin before the entry with this number.") var before: Int64?

    func run() async throws {
        guard (1...100).contains(limit) else { throw CommandError("--limit is 1 to 100.") }
        let entries = try await Database.withStore(database) { [before, limit] store in
            try await store.admin.log(before: before, rows: limit)
        }
        var table = TextTable(["n", "at", "by", "what", "on", "values", "act", "why"], alignedRight: [0])
        for logged in entries {
            let entry = logged.entry
            let words = logged.words.map { words in
                (words.name.map { "\($0): " } ?? "")
                    + words.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
            }
            table.add([
                "\(entry.number)", entry.at.rfc3339(.seconds), entry.actor, entry.kind, entry.subject, entry.values,
                entry.action?.uuidString.lowercased() ?? "-", words ?? (entry.wordsHash == nil ? "-" : "(erased)"),
            ])
        }
        try Output.line(entries.isEmpty ? "The log is empty." : table.text)
    }
}
