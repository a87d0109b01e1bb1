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
        @OptionGroup var shape: NewSettings<GameSettings>

        func run() async throws {
            var settings: GameChange
            do throws(FieldError) {
                settings = try shape.change().checked(for: slug)
                if settings.name == nil { settings.name = try DisplayName.standard(for: slug) }
            } catch { throw CommandError(error.asOption) }
            let outcome = try await Database.withStore(database) { [slug, settings] store in
                try await store.admin.addGame(slug, settings, now: .now)
            }
            try outcome.check("game \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a game.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The game's slug.") var slug: Slug
        @OptionGroup var shape: ChangedSettings<GameSettings>
        @Flag(help: "With --email off: remove the e-mail addresses that are stored, and the wishes for updates.")
        var removeAddresses = false

        func run() async throws {
            let change: GameChange
            do throws(FieldError) {
                change = try shape.change().checked(for: slug, removesAddresses: removeAddresses)
            } catch { throw CommandError(error.asOption) }
            let outcome = try await Database.withStore(database) { [slug, change, removeAddresses] store in
                if let audience = try await store.admin.findGame(slug)?.audience {
                    do throws(FieldError) { try change.check(for: change.audience ?? audience) } catch {
                        throw CommandError(error.asOption)
                    }
                }
                if change.takesEmail == false {
                    try Self.say(try await store.admin.storedAddresses(of: slug), of: slug, removeAddresses)
                }
                return try await store.admin.setGame(slug, change, removesAddresses: removeAddresses, now: .now)
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
                    game.slug, game.name.description, game.classic.rawValue, game.hasSalt ? "set" : "none",
                    game.names.rawValue, "\(game.refusedWords.texts.count)", game.takesEmail ? "on" : "off",
                ])
            }
            try Output.line(table.text)
        }
    }
}
