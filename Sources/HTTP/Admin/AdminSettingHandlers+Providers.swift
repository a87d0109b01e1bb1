import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import SignIn
import Storage

// The sign-in providers of a game.
extension AdminSettingHandlers {
    /// `GET /v1/admin/games/{game}/providers`
    func adminProviders(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await providersPage(request.parameters(), of: game)
        return replies.list(Self.providerList, page, at: Routes.admin.providers.path(game, nil), as: format)
    }

    func providersPage(_ query: QueryParameters, of game: Slug) async throws -> ListPage<ProviderListing> {
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return try await slugPage(query, at: Routes.admin.providers.path(game, nil), \.slug.description) {
            try await store.admin.providers(of: game)
        }
    }

    /// `GET /v1/admin/games/{game}/providers/{provider}`
    func adminProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        try await operators.admin(request, .read)
        let provider = try await provider(slug, in: game)
        return replies.versioned(Self.providerList.object(provider), version: provider.version)
    }

    /// `PUT /v1/admin/games/{game}/providers/{provider}`
    func addProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try Precondition.creates(request.headers)
        let fields = try request.fields(Self.providerFields)
        let provider = try await addProvider(slug, in: game, fields, by: admin)
        return replies.versioned(
            Self.providerList.object(provider), version: provider.version, .created,
            at: Routes.admin.provider.path(game, slug))
    }

    static let providerFields: Set<String> = ["kind", "audiences", "issuer", "jwks"]

    func addProvider(_ slug: Slug, in game: Slug, _ fields: Fields, by admin: AdminKey) async throws -> ProviderListing
    {
        guard let kind = try fields.choice("kind", IdentityProvider.Kind.self) else {
            throw FieldError("kind", "kind is missing. Send apple, google, facebook or oidc.")
        }
        guard let audiences = try fields.texts("audiences", countMax: Limits.audiencesMax) else {
            throw FieldError("audiences", "audiences is missing. Send the game's ids at the provider.")
        }
        let new = try IdentityProvider(
            kind: kind, audiences: audiences, issuer: fields.text("issuer"), keys: fields.text("jwks"))
        _ = try Issuer(of: new)
        let outcome = try await store.admin.addProvider(slug, new, in: game, by: admin.id.text, now: clock.now)
        let provider = try await store.admin.findProvider(slug, in: game)
        try outcome.check(provider.map { Precondition.etag($0.version) })
        guard let provider else { throw Problem.noProvider }
        return provider
    }

    /// `PATCH /v1/admin/games/{game}/providers/{provider}`
    func changeProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let fields = try request.fields(Self.providerFields)
        for field in ["kind", "issuer"] where fields.presence(of: field) != .absent {
            throw FieldError(field, "\(field) is fixed, because identities belong to an issuer. Add another provider.")
        }
        let provider = try await changeProvider(slug, in: game, fields, at: version, by: admin)
        return replies.versioned(Self.providerList.object(provider), version: provider.version)
    }

    func changeProvider(_ slug: Slug, in game: Slug, _ fields: Fields, at version: String, by admin: AdminKey)
        async throws -> ProviderListing
    {
        let change = ProviderChange(
            audiences: try fields.texts("audiences", countMax: Limits.audiencesMax),
            keys: try fields.patch("jwks", "an address") { $0 })
        let before = try await provider(slug, in: game).provider
        let after = try IdentityProvider(
            kind: before.kind, audiences: change.audiences ?? before.audiences, issuer: before.issuer,
            keys: change.keys.isGiven ? change.keys.value : before.keys)
        _ = try Issuer(of: after)
        let (outcome, provider) = try await store.admin.setProvider(
            slug, in: game, change, at: version, by: admin.id.text, now: clock.now)
        try outcome.check(provider.map { Precondition.etag($0.version) })
        guard let provider else { throw Problem.noProvider }
        return provider
    }

    /// `DELETE /v1/admin/games/{game}/providers/{provider}`
    func removeProvider(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try await removeProvider(slug, in: game, by: admin)
        return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
    }

    func removeProvider(_ slug: Slug, in game: Slug, by admin: AdminKey) async throws {
        try await store.admin.removeProvider(slug, in: game, by: admin.id.text, now: clock.now).check()
    }

    func provider(_ slug: Slug, in game: Slug) async throws -> ProviderListing {
        guard let provider = try await store.admin.findProvider(slug, in: game) else { throw Problem.noProvider }
        return provider
    }

    static let providerList = AdminList<ProviderListing>(
        name: "providers",
        columns: [
            Column("slug", .text), Column("kind", .text), Column("audiences", .text), Column("issuer", .text),
            Column("jwks", .text),
        ]
    ) { listing in
        [
            .value(.text(listing.slug.description)), .value(.text(listing.provider.kind.rawValue)),
            .list(listing.provider.audiences.map { .value(.text($0)) }), .value(.text(ifAny: listing.provider.issuer)),
            .value(.text(ifAny: listing.provider.keys)),
        ]
    }
}
