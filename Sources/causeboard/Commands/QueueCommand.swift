import ArgumentParser
import Domain
import FoundationEssentials
import Storage

struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List what waits for a decision, the oldest first: held posts, names, and reports.")
    @OptionGroup var database: DatabaseOptions
    @Option(help: "Items, 1 to 1000.") var limit: Int32 = 100
    @Option(help: "held, report, name, team-name or team-report; all of them without it.") var kind: QueueItem.Kind?
    @Option(help: "Begin after this item, the last one of a list that went on.") var after: UUIDArgument?

    func run() async throws {
        guard (1...1_000).contains(limit) else { throw CommandError("--limit is 1 to 1000.") }
        let items = try await Database.withStore(database) { [kind, limit, after] store in
            var start = QueueItem.Key.beginning
            if let after {
                guard let key = try await store.admin.findQueueKey(of: after.uuid) else {
                    throw CommandError("Nothing waits under the item of --after any more. Begin again without it.")
                }
                start = key
            }
            return try await store.admin.queue(kind, after: start, limitRows: limit, withWords: true)
        }
        var table = TextTable(
            ["item", "kind", "player or team", "since", "times", "networks", "why", "words"], alignedRight: [2, 4, 5])
        for item in items {
            table.add([
                item.item.uuidString.lowercased(), item.kind.rawValue,
                "\(item.player?.rawValue ?? item.team?.rawValue ?? 0)", item.at.rfc3339(.seconds), "\(item.times)",
                "\(item.sources)", item.why,
                (item.words ?? []).map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }.joined(
                    separator: " / "),
            ])
        }
        try Output.line(items.isEmpty ? "Nothing waits." : table.text)
    }
}

extension QueueItem.Kind: ExpressibleByArgument {}
