import ArgumentParser
import Domain
import SignIn
import Storage

struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Sign-in providers of a game.",
        subcommands: [Add.self, List.self, Set.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a provider.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @Option(help: "apple, google, facebook, or oidc for any other OpenID Connect issuer.") var kind:
            IdentityProvider.Kind
        @Option(help: ArgumentHelp("The game's ids at the provider.", valueName: "id,…")) var audiences: String
        @Option(help: "For the kind oidc: the issuer's https address, as its tokens name it.") var issuer: String?
        @Option(help: "Address of the issuer's keys. By default its configuration names it.") var jwks: String?

        func run() async throws {
            let provider = try ProviderCommand.checked {
                try IdentityProvider(kind: kind, audiences: ProviderCommand.list(audiences), issuer: issuer, keys: jwks)
            }
            let outcome = try await Database.withStore(database) { [game, slug] store in
                try await store.admin.addProvider(slug, provider, in: game, now: .now)
            }
            try outcome.check("provider \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a provider. Kind and issuer are fixed.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug
        @Argument(help: "The provider's slug.") var slug: Slug
        @Option(help: ArgumentHelp("The game's ids at the provider, replacing all former ones.", valueName: "id,…"))
        var audiences: String?
        @Option(help: "For the kind oidc: address of the issuer's keys, or none to use its configuration.") var jwks:
            Optionally<String>?

        func run() async throws {
            let change = ProviderChange(audiences: audiences.map(ProviderCommand.list), keys: jwks.change())
            let outcome = try await Database.withStore(database) { [game, slug] store in
                guard let before = try await store.admin.findProvider(slug, in: game)?.provider else {
                    return AdminOutcome.noProvider
                }
                _ = try ProviderCommand.checked {
                    try IdentityProvider(
                        kind: before.kind, audiences: change.audiences ?? before.audiences, issuer: before.issuer,
                        keys: change.keys.isGiven ? change.keys.value : before.keys)
                }
                return try await store.admin.setProvider(slug, in: game, change, now: .now).outcome
            }
            try outcome.check("provider \(slug)")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a provider. Players can no longer sign in there; identities stay linked.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug
        @Argument(help: "The provider's slug.") var slug: Slug

        func run() async throws {
            let outcome = try await Database.withStore(database) { [game, slug] store in
                try await store.admin.removeProvider(slug, in: game, now: .now)
            }
            try outcome.check("provider \(slug)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the providers of a game.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug

        func run() async throws {
            let found = try await Database.withStore(database) { [game] store in
                try await store.admin.providers(of: game)
            }
            if found.isEmpty {
                throw CommandError(
                    "There is no game \(game), or it has no providers. Add one with: causeboard provider add")
            }
            var table = TextTable(["provider", "kind", "audiences", "issuer", "jwks"])
            for listing in found {
                table.add([
                    listing.slug.description, listing.provider.kind.rawValue,
                    listing.provider.audiences.joined(separator: ","), listing.provider.issuer ?? "",
                    listing.provider.keys ?? "",
                ])
            }
            try Output.line(table.text)
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Checks that the issuer's addresses are valid, too.
    private static func checked(_ make: () throws -> IdentityProvider) throws -> IdentityProvider {
        try CommandError.checked {
            let provider = try make()
            _ = try Issuer(of: provider)
            return provider
        }
    }
}
