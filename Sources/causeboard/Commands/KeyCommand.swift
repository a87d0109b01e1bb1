import ArgumentParser
import Credentials
import Domain
import FoundationEssentials
import Storage

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Keys of games' own servers, which speak for their players, and of operators.",
        subcommands: [Add.self, List.self, Revoke.self])

    /// Whose key it is: a game's, or an operator's.
    struct Owner: ParsableArguments {
        @Option(help: "The slug of the game whose key it is.") var game: Slug?
        @Flag(help: "It is an operator's key, for the admin API.") var admin = false

        func validate() throws {
            guard (game != nil) != admin else { throw ValidationError("Give either --game or --admin.") }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key. It is shown once; only its hash is kept.")
        @OptionGroup var database: DatabaseOptions
        @OptionGroup var owner: Owner
        @Option(help: "What it is for, \(DisplayName.rule); `key` if nothing is said.") var name: DisplayName?
        @Option(
            help: ArgumentHelp(
                """
                What it may do, with commas: register, post, donate, judge, groups and award for a game, the first \
                three if nothing is said; read, personal, moderate, operate and charity:{slug} for an operator.
                """, valueName: "scope,…")) var scopes: String?
        @Option(help: "It ends at this instant, such as 2027-01-01T00:00:00Z; never if nothing is said.") var expires:
            InstantArgument?

        func run() async throws {
            guard let name = name ?? DisplayName("key") else { throw CommandError("Give the key a --name.") }
            let scopes = try chosenScopes()
            let token = Token.generated(owner.admin ? .admin : .game)
            let key = NewKey(
                id: UUID(), game: owner.game, hash: token.hash, name: name, scopes: scopes, expiresAt: expires?.instant)
            let (outcome, listed) = try await Database.withStore(database) { store in
                try await store.admin.addKey(key, now: .now)
            }
            guard outcome == .added, let listed else { return try outcome.check("key") }
            let whose = owner.game.map { "of game \($0)" } ?? "of an operator"
            Output.hint("This is key \(listed.number) \(whose). Keep it: it is not shown again.")
            try Output.line(token.text)
        }

        private func chosenScopes() throws -> KeyScopes {
            let kind: KeyKind = owner.admin ? .admin : .game
            guard let scopes else {
                guard kind == .game else {
                    throw CommandError("Say what the key may do with --scopes. \(KeyScopes.rule(.admin))")
                }
                return .ofGames
            }
            let texts = scopes.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false)
            do { return try KeyScopes(texts.map(String.init), of: kind, field: "scopes") } catch {
                throw CommandError(error.asOption)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List keys, revoked ones too.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "Only this game's.") var game: Slug?
        @Flag(help: "Only those of operators.") var admin = false

        func run() async throws {
            let keys = try await Database.withStore(database) { [game, admin] store in
                try await store.admin.keys(of: admin ? .admin : nil, in: game)
            }
            if keys.isEmpty {
                let what = game.map { "There is no game \($0), or it has no keys." } ?? "There are no such keys."
                throw CommandError("\(what) Make one with: causeboard key add")
            }
            var table = TextTable(["key", "kind", "game", "name", "scopes", "added", "expires", "used", "revoked"])
            for key in keys {
                table.add([
                    "\(key.number)", key.scopes.kind.rawValue, key.game ?? "", key.name,
                    key.scopes.texts.joined(separator: ","), key.addedAt.rfc3339(.seconds),
                    key.expiresAt?.rfc3339(.seconds) ?? "", key.usedOn?.text ?? "",
                    key.revokedAt?.rfc3339(.seconds) ?? "",
                ])
            }
            try Output.line(table.text)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a key away: it is refused at once.")
        @OptionGroup var database: DatabaseOptions
        @OptionGroup var owner: Owner
        @Argument(help: "The key's number in the list.") var number: Int32

        func run() async throws {
            let outcome = try await Database.withStore(database) { [game = owner.game, number] store in
                try await store.admin.revokeKey(numbered: number, of: game, now: .now)
            }
            try outcome.check("key \(number)")
        }
    }
}
