package import Domain
package import FoundationEssentials
import Postgres

extension Store {
    /// Adds a key. Only its hash is stored.
    /// - Returns: What became of it, and the key that has the id now. The outcome is `set` when it is the same key as
    ///   before, and `exists` when the id is another key's.
    package func addKey(_ key: NewKey, now: Instant) async throws(StoreError) -> (AdminOutcome, now: KeyListing?) {
        let (added, same, listed) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(KeyAdd(key: key, now: now), KeySame(key: key), KeyList(id: key.id))
        }
        guard let (outcome, _) = added.first, let isSame = same.first else { throw .wrongRowCount }
        return (outcome == .exists && isSame ? .set : outcome, listed.first)
    }

    /// Lists keys in the order in which they were added.
    /// - Parameters:
    ///   - kind: Nil for both.
    ///   - game: Nil for all games.
    ///   - number: The number of the key before the first one.
    package func keys(
        of kind: KeyKind? = nil,
        in game: Slug? = nil,
        after number: Int32 = 0,
        limitRows: Int = .max
    ) async throws(StoreError) -> [KeyListing] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(
                KeyList(kind: kind, game: game, after: number, limitRows: Int32(clamping: limitRows))
            )
        }
    }

    /// Ends a key.
    /// - Returns: `set`, or `exists` when it had ended before, or `noKey`; and the key as it is now.
    package func revokeKey(_ id: UUID, now: Instant) async throws(StoreError) -> (AdminOutcome, now: KeyListing?) {
        let (outcomes, listed) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(KeyRevoke(id: id, now: now), KeyList(id: id))
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return (outcome, listed.first)
    }

    /// Ends the key of a number in the list.
    /// - Parameter game: Nil for an operator's key.
    package func revokeKey(numbered number: Int32, of game: Slug?, now: Instant) async throws(StoreError)
        -> AdminOutcome
    {
        try await changing { connection throws(PostgresError) in
            try await connection.row(KeyRevokeNumbered(game: game, number: number, now: now))
        }
    }

    /// Finds an operator's key.
    /// - Returns: Nil for a key that is unknown, revoked or beyond its end.
    package func findAdminKey(_ key: TokenHash, now: Instant) async throws(StoreError) -> AdminKey? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(AdminKeyFind(key: key, now: now))
        }
    }

    /// Notes that a key was used on a day, in UTC.
    package func noteUse(of key: TokenHash, on day: Day) async throws(StoreError) {
        try await changing { connection throws(PostgresError) in
            _ = try await connection.rows(KeyUseNote(key: key, day: day))
        }
    }
}
