package import Domain
import Postgres

extension Administration {
    /// Adds a sign-in provider to a game.
    /// - Parameter actor: Who does it, for the log: a key's id, or `cli`.
    package func addProvider(
        _ slug: Slug, _ provider: IdentityProvider, in game: Slug, by actor: String = "cli", now: Instant
    ) async throws(StoreError) -> AdminOutcome {
        let change = ProviderChange(audiences: provider.audiences, keys: provider.keys.map { .set($0) } ?? .keep)
        let values: [(String, SettingValue)] =
            [("kind", .plain(provider.kind.rawValue))] + (provider.issuer.map { [("issuer", .plain($0))] } ?? [])
        let entry = ChangeEntry.provider(.put, slug, in: game, values + change.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            // Locks the game, so that concurrent additions cannot exceed the limit.
            _ = try await connection.rows(GameLock(slug: game))
            let add = ProviderAdd(
                game: game, slug: slug, kind: provider.kind, audiences: provider.audiences, issuer: provider.issuer,
                jwks: provider.keys, now: now)
            return (try await connection.row(add), ())
        }.outcome
    }

    /// Changes a provider.
    /// - Parameter version: The version that its settings must have; nil for any.
    /// - Returns: The outcome, and the provider as it is now.
    package func setProvider(
        _ slug: Slug, in game: Slug, _ change: ProviderChange, at version: String? = nil, by actor: String = "cli",
        now: Instant
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: ProviderListing?) {
        let entry = ChangeEntry.provider(.patch, slug, in: game, change.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            _ = try await connection.rows(GameLock(slug: game))
            let set = ProviderSet(
                game: game, slug: slug, audiences: change.audiences,
                jwks: change.keys.isGiven ? change.keys.value ?? "" : nil, version: version)
            let outcome = try await connection.row(set)
            return (outcome, try await connection.firstRow(ProviderList(game: game, slug: slug)))
        }
    }

    /// Removes a provider. Its identities stay linked.
    package func removeProvider(_ slug: Slug, in game: Slug, by actor: String = "cli", now: Instant)
        async throws(StoreError) -> AdminOutcome
    {
        try await changing(logging: .provider(.delete, slug, in: game), by: actor, now: now) {
            connection throws(PostgresError) in (try await connection.row(ProviderRemove(game: game, slug: slug)), ())
        }.outcome
    }

    /// The providers of a game, by slug.
    package func providers(of game: Slug) async throws(StoreError) -> [ProviderListing] {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(ProviderList(game: game))
        }
    }

    package func findProvider(_ slug: Slug, in game: Slug) async throws(StoreError) -> ProviderListing? {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(ProviderList(game: game, slug: slug))
        }
    }
}
