package import Domain
import Postgres

extension Store {
    /// Links an identity to the player of a token.
    /// - Returns: Nil for a token of no device.
    package func link(_ identity: IdentityHash, by provider: Slug, to token: TokenHash, now: Instant)
        async throws(StoreError) -> LinkOutcome?
    {
        let link = IdentityLink(token: token, identity: identity, provider: provider, now: now, today: now.dayInUTC)
        return try await registering { connection throws(PostgresError) in
            try await connection.transaction(lockingPlayerOf: token, link).first
        }
    }

    /// Unlinks the identities of a provider from the player of a token. Nothing changes where there is none.
    package func unlink(_ provider: Slug, from token: TokenHash) async throws(StoreError) {
        try await registering { connection throws(PostgresError) in
            _ = try await connection.transaction(
                lockingPlayerOf: token, IdentityUnlink(token: token, provider: provider))
        }
    }

    /// The identities of a player, in the order in which they were linked.
    package func identities(of player: Player.ID) async throws(StoreError) -> [OwnIdentity] {
        try await general { connection throws(PostgresError) in try await connection.rows(IdentitiesOwn(player: player))
        }
    }
}
