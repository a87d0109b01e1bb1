import ArgumentParser
import Domain
import Storage

/// The list of erasures, which has to outlive a restored copy of the database.
struct ErasuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasures",
        abstract: "The players who were erased, by id alone; and to erase them again in a restored copy.",
        subcommands: [List.self, Apply.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the list, a line each: player, receipt, time.",
            discussion: "Keep it beside your backups, and apply it to what you restore from one.")
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await Database.withStore(database) { store in
                var key = Erasure.Key.beginning
                while true {
                    let erasures = try await store.erasures(after: key, limitRows: ErasuresCommand.pageRows)
                    for erasure in erasures { try Output.line(ErasureList.line(erasure)) }
                    guard let last = erasures.last, erasures.count == Int(ErasuresCommand.pageRows) else { return }
                    key = last.key
                }
            }
        }
    }

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase the players of a list again; those who are erased already, or are not there, stay so.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "A file that `causeboard erasures list` has written.") var file: String

        func run() async throws {
            let players = try ErasureList.players(inFile: file)
            let counts = try await Database.withStore(database, session: SessionPresets.ledger) { store in
                try await ErasureList.apply(players, to: store)
            }
            try Output.line("\(counts)")
        }
    }

    private static let pageRows: Int32 = 1_000
}
