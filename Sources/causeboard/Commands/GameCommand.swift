import ArgumentParser
import Domain
import Storage

struct GameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "game", abstract: "Games that players register from.",
        subcommands: [Add.self, List.self, Set.self])

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
                try await store.admin.addGame(
                    slug, name: name, classic: classic, salt: salt.flatMap { $0.isEmpty ? nil : $0 }, names: names,
                    now: .now)
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
        @Flag(help: "With --email off: remove the e-mail addresses that are stored, and the wishes for updates.")
        var removeAddresses = false

        func run() async throws {
            var names = try names.settings()
            names.removesAddresses = removeAddresses
            do {
                names = try names.checked()
                _ = try classic?.checked(for: slug)
            } catch { throw CommandError(error.asOption) }
            let outcome = try await Database.withStore(database) { [slug, name, classic, salt, names] store in
                if names.takesEmail == false {
                    try Self.say(try await store.admin.storedAddresses(of: slug), of: slug, names.removesAddresses)
                }
                return try await store.admin.setGame(
                    slug, name: name, classic: classic, salt: salt.change(), names: names, now: .now)
            }
            try outcome.check("game \(slug)")
        }

        /// Says what is stored before it is removed, or that it may be.
        private static func say(_ stored: StoredAddresses, of game: Slug, _ areRemoved: Bool) throws {
            guard stored.addresses > 0 || stored.wishes > 0 else { return }
            try Output.line(
                "\(stored.addresses) e-mail addresses and \(stored.wishes) wishes for updates of \(game) are stored."
                    + (areRemoved ? " They are removed." : " Remove them with --remove-addresses."))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all games.")
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            var table = TextTable(["game", "name", "classic", "salt", "names", "words", "email"])
            for game in try await Database.withStore(database, { store in try await store.admin.games() }) {
                table.add([
                    game.slug, game.name, game.classic.rawValue, game.hasSalt ? "set" : "none", game.names.rawValue,
                    "\(game.refusedWords.count)", game.takesEmail ? "on" : "off",
                ])
            }
            try Output.line(table.text)
        }
    }
}
