import ArgumentParser
import Domain
import Storage

struct GameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "game",
        abstract: "Games that players register from.",
        subcommands: [Add.self, List.self, Set.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a game.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @Option(help: "Its name for people, \(DisplayName.rule); the slug if none is given.") var name: DisplayName?
        @Option(help: "The classic protocol: open, token (only /high_scores) or off.") var classic = Game.Classic.off
        @Option(help: "Salt of the classic MD5 token.") var salt: String?
        @OptionGroup var names: NameOptions

        func run() async throws {
            let names = try names.settings()
            let name: DisplayName
            do {
                name = if let chosen = self.name { chosen } else { try DisplayName.standard(for: slug) }
                _ = try classic.checked(for: slug)
            } catch { throw CommandError(error.asOption) }
            let outcome = try await Database.withStore(database) { [slug, name, classic, salt] store in
                try await store.addGame(
                    slug,
                    name: name,
                    classic: classic,
                    salt: salt.flatMap { $0.isEmpty ? nil : $0 },
                    names: names,
                    now: .now
                )
            }
            try outcome.check("game \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a game.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The game's slug.") var slug: Slug
        @Option(help: "Its name for people.") var name: DisplayName?
        @Option(help: "The classic protocol: open, token (only /high_scores) or off.") var classic: Game.Classic?
        @Option(help: "Salt of the classic MD5 token; none takes it away, and then no token is good.") var salt:
            Optionally<String>?
        @OptionGroup var names: NameOptions

        func run() async throws {
            let names = try names.settings()
            do { _ = try classic?.checked(for: slug) } catch { throw CommandError(error.asOption) }
            let outcome = try await Database.withStore(database) { [slug, name, classic, salt] store in
                try await store.setGame(
                    slug,
                    name: name,
                    classic: classic,
                    salt: salt.change(),
                    names: names,
                    now: .now
                )
            }
            try outcome.check("game \(slug)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all games.")
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            var table = TextTable(["game", "name", "classic", "salt", "names", "words", "email"])
            for game in try await Database.withStore(database, { store in try await store.games() }) {
                table.add([
                    game.slug, game.name, game.classic.rawValue, game.hasSalt ? "set" : "none", game.names.rawValue,
                    "\(game.refusedWords.count)", game.takesEmail ? "on" : "off",
                ])
            }
            try Output.line(table.text)
        }
    }
}
