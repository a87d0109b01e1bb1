import ArgumentParser
import Domain
import FoundationEssentials
import Storage

/// The list of erasures, which has to outlive a restored copy of the database.
struct ErasuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasures",
        abstract: "The players who were erased, by id alone; and to erase them again in a restored copy.",
        subcommands: [List.self, Apply.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the list, a line each: player, receipt, time.",
            discussion: "Keep it beside your backups, and apply it to what you restore from one."
        )
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await Database.withStore(database) { store in
                var key = Erasure.Key.beginning
                while true {
                    let erasures = try await store.erasures(after: key, limitRows: ErasuresCommand.pageRows)
                    for erasure in erasures {
                        try Output.line(
                            "\(erasure.player.rawValue) \(erasure.receipt.uuidString.lowercased()) "
                                + erasure.at.rfc3339(.microseconds)
                        )
                    }
                    guard let last = erasures.last, erasures.count == Int(ErasuresCommand.pageRows) else { return }
                    key = last.key
                }
            }
        }
    }

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase the players of a list again; those who are erased already, or are not there, stay so."
        )
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "A file that `causeboard erasures list` has written.") var file: String

        func run() async throws {
            let players = try Self.players(in: file)
            let counts = try await Database.withStore(database, session: SessionPresets.ledger) { store in
                var counts = (erased: 0, already: 0, unknown: 0)
                for player in players {
                    guard let record = try await store.findPlayerRecord(player, withAnonymous: true) else {
                        counts.unknown += 1
                        continue
                    }
                    let act = Act(.erase(player, confirming: record.name), id: UUID(), reason: .erasedBefore)
                    switch try await store.perform(act, by: "cli", now: .now) {
                    case .done: counts.erased += 1
                    default: counts.already += 1
                    }
                }
                return counts
            }
            try Output.line(
                "\(counts.erased) erased again, \(counts.already) erased already, \(counts.unknown) not there."
            )
        }

        private static func players(in path: String) throws -> [Player.ID] {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                throw CommandError(
                    "The file \(path) cannot be read. Name one that `causeboard erasures list` has written."
                )
            }
            let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            return try lines.enumerated().map { number, line in
                guard let id = line.split(separator: " ").first.flatMap({ Player.ID(digits: $0) }) else {
                    throw CommandError("Line \(number + 1) of \(path) does not begin with a player's id.")
                }
                return id
            }
        }
    }

    private static let pageRows: Int32 = 1_000
}
