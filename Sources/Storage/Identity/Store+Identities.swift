package import Domain
import Postgres

extension Store {
    /// Links an identity to the player of a token.
    /// - Returns: The outcome, and the identity as it is linked; nil if the token is not of a device.
    package func link(_ identity: IdentityHash, by provider: Slug, to token: TokenHash, now: Instant)
        async throws(StoreError) -> (outcome: LinkOutcome, identity: OwnIdentity)?
    {
        let link = IdentityLink(token: token, identity: identity, provider: provider, now: now, today: now.dayInUTC)
        return try await registering { connection throws(PostgresError) in
            guard let linked = try await connection.transaction(lockingPlayerOf: token, link).first else { return nil }
            return (
                linked.outcome, OwnIdentity(provider: linked.provider, linkedAt: linked.linkedAt, usedOn: linked.usedOn)
            )
        }
    }

    /// Unlinks a provider's identities from the player of a token, if there are any.
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
