import ArgumentParser
import Domain
import Storage

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Keys with which a game's own server speaks for its players.",
        subcommands: [Add.self, List.self, Revoke.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key. It is shown once; only its hash is kept."
        )
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Option(help: "What it is for, \(DisplayName.rule); `key` if nothing is said.") var name: DisplayName?

        func run() async throws {
            guard let name = name ?? DisplayName("key") else { throw CommandError("Give the key a --name.") }
            let key = Token.generated(.game)
            let (outcome, id) = try await Database.withStore(database) { [game, name] store in
                try await store.addKey(key.hash, name: name, to: game, now: .now)
            }
            guard outcome == .added, let id else { return try outcome.check("key") }
            Output.hint("This is key \(id) of game \(game). Keep it: it is not shown again.")
            try Output.line(key.text)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List a game's keys, revoked ones too.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug

        func run() async throws {
            let keys = try await Database.withStore(database) { [game] store in try await store.keys(of: game) }
            if keys.isEmpty {
                throw CommandError("There is no game \(game), or it has no keys. Make one with: causeboard key add")
            }
            var table = TextTable(["key", "name", "added", "revoked"])
            for key in keys {
                table.add([
                    "\(key.id)", key.name, key.addedAt.rfc3339(.seconds), key.revokedAt?.rfc3339(.seconds) ?? "",
                ])
            }
            try Output.line(table.text)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a key away: it is refused at once.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Argument(help: "The key's number in the list.") var id: Int32

        func run() async throws {
            let outcome = try await Database.withStore(database) { [game, id] store in
                try await store.revokeKey(id, of: game, now: .now)
            }
            try outcome.check("key \(id)")
        }
    }
}
