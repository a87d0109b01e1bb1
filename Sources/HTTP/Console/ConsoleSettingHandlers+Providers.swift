import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// The sign-in providers of a game in the console.
extension ConsoleSettingHandlers {
    /// The section of a game's page.
    func providerBlocks(of game: Slug, _ session: ConsoleSession) async throws -> [ConsoleBlock] {
        let rows = try await admin.providersPage(QueryParameters("/?limit=100"), of: game)
        var blocks: [ConsoleBlock] = [
            .table(
                ConsoleTable(
                    AdminSettingHandlers.providerList, rows, at: Routes.console.providers.path(game, nil),
                    "Where players sign in to keep their progress on a new phone",
                    ["slug": "Provider", "kind": "Kind", "audiences": "Ids of the game", "issuer": "Issuer"],
                    order: ["slug", "kind", "audiences", "issuer"], empty: "This game has no sign-in providers.",
                    cells: ["audiences": { .text($0.provider.audiences.joined(separator: ", ")) }]
                ) { Routes.console.provider.path(game, $0.slug) })
        ]
        if session.allows(.operate) {
            blocks.append(.links([ConsoleLink("Add a provider", Routes.console.newProvider.path(game), .button)]))
        }
        return blocks
    }

    /// `GET /admin/games/{game}/providers`, as CSV or JSON.
    func consoleProviders(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        _ = try await sessions.signedIn(request, .read)
        guard let format else { return sessions.seeOther(Routes.console.game.path(game)) }
        let rows = try await admin.providersPage(request.parameters(), of: game)
        return replies.list(
            AdminSettingHandlers.providerList, rows, at: Routes.console.providers.path(game, nil), as: format)
    }

    /// `GET /admin/games/{game}/new/provider`
    func newProviderPage(_ request: Request, in game: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return newProviderPage(session, in: game, sent: nil, nil)
    }

    /// `POST /admin/games/{game}/new/provider`
    func makeProvider(_ request: Request, in game: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.provider.sentNames)
        return try await answering(Routes.console.game.path(game)) {
            _ = try await admin.addProvider(Self.slug(sent), in: game, SettingForm.provider.made(sent), by: session.key)
        } refused: { problem in
            newProviderPage(session, in: game, sent: sent, problem)
        }
    }

    private func newProviderPage(_ session: ConsoleSession, in game: Slug, sent: Submission?, _ problem: Problem?)
        -> Response
    {
        newPage(
            "provider", .games, path(to: game), Routes.console.newProvider.path(game), SettingForm.provider,
            intro: "Register the game at the provider first. Issuer and keys are needed for the kind oidc only.",
            session, sent: sent, problem)
    }

    /// `GET /admin/games/{game}/providers/{provider}`
    func consoleProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .read)
        return try await providerPage(
            slug, in: game, session, sent: nil, saved: request.parameters()["saved"] != nil, nil)
    }

    /// `POST /admin/games/{game}/providers/{provider}`
    func saveProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        let sent = try sessions.submission(request, session, known: SettingForm.provider.sentNames)
        let provider = try await admin.provider(slug, in: game)
        let fields = SettingForm.provider(of: provider.provider.kind).changes(sent, of: Self.settings(of: provider))
        return try await answering(Routes.console.provider.path(game, slug) + "?saved=") {
            _ = try await admin.changeProvider(slug, in: game, fields, at: sent["version"], by: session.key)
        } refused: { problem in
            try await providerPage(slug, in: game, session, sent: sent, saved: false, problem)
        }
    }

    private func providerPage(
        _ slug: Slug, in game: Slug, _ session: ConsoleSession, sent: Submission?, saved: Bool, _ problem: Problem?
    ) async throws -> Response {
        let provider = try await admin.provider(slug, in: game)
        var page = sessions.page(slug.description, .games, for: session)
        page.path = path(to: game)
        page.intro = "Sign-in with \(provider.provider.issuer ?? provider.provider.kind.title)"
        let form = SettingForm.provider(of: provider.provider.kind).form(
            Routes.console.provider.path(game, slug), of: Self.settings(of: provider), version: provider.version,
            hidden: sessions.hidden(session), sent: sent, problem)
        page.add("Settings", settingBlocks(form, session, saved: saved))
        if session.allows(.operate) {
            let remove = ConsoleLink("Remove the provider", Routes.console.providerRemoval.path(game, slug), .stop)
            page.add(nil, [.links([remove])])
        }
        return sessions.reply(page, problem?.name.status ?? .ok)
    }

    /// `GET /admin/games/{game}/providers/{provider}/removal`
    func removeProviderPage(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        _ = try await admin.provider(slug, in: game)
        var page = sessions.page("Remove the provider \(slug)", .games, for: session)
        page.path = path(to: game) + [ConsoleLink(slug.description, Routes.console.provider.path(game, slug))]
        page.add(
            nil,
            [
                .text(
                    "Players cannot sign in there any more. They keep their devices. Identities stay linked, and work "
                        + "again once the game has a provider of the same issuer."),
                .form(
                    ConsoleForm(
                        Routes.console.providerRemoval.path(game, slug), hidden: sessions.hidden(session),
                        buttons: [ConsoleForm.Button("Remove the provider", .stop)])),
            ])
        return sessions.reply(page)
    }

    /// `POST /admin/games/{game}/providers/{provider}/removal`
    func removeConsoleProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let session = try await sessions.signedIn(request, .operate)
        _ = try sessions.submission(request, session, known: [])
        try await admin.removeProvider(slug, in: game, by: session.key)
        return sessions.seeOther(Routes.console.game.path(game))
    }

    /// The parent pages of a page of a game.
    func path(to game: Slug) -> [ConsoleLink] {
        [
            ConsoleLink("Games and boards", ConsolePath.games),
            ConsoleLink(game.description, Routes.console.game.path(game)),
        ]
    }

    private static func settings(of listing: ProviderListing) -> [String: String] {
        ["audiences": listing.provider.audiences.joined(separator: ","), "jwks": listing.provider.keys ?? ""]
    }
}

extension SettingForm {
    static let provider = SettingForm(
        fields: [
            ConsoleForm.Field("kind", "Kind", .choice(IdentityProvider.Kind.allCases.map { ($0.rawValue, $0.title) })),
            ConsoleForm.Field(
                "audiences", "Ids of the game at the provider",
                hint: "Separated by commas. Apple: the bundle id; Google: the client ids; Facebook: the app id.",
                isRequired: true),
            ConsoleForm.Field("issuer", "Issuer", hint: "An https address. For the kind oidc only."),
            ConsoleForm.Field(
                "jwks", "Address of its keys", hint: "For the kind oidc only. Empty: from its configuration."),
        ], fixed: ["kind", "issuer"])

    /// The settings of a provider that can be changed.
    static func provider(of kind: IdentityProvider.Kind) -> SettingForm {
        kind == .oidc ? provider : SettingForm(fields: provider.fields, fixed: provider.fixed.union(["jwks"]))
    }
}

extension IdentityProvider.Kind {
    fileprivate var title: String {
        switch self {
        case .apple: "Apple"
        case .google: "Google"
        case .facebook: "Facebook"
        case .oidc: "another OpenID Connect issuer"
        }
    }
}
