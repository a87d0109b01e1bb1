package import Domain
package import FoundationEssentials
import Postgres

extension Administration {
    /// Adds a key. Only its hash is stored.
    /// - Returns: What became of it, and the key that has the id now. The outcome is `set` when it is the same key as
    ///   before, and `exists` when the id is another key's.
    package func addKey(_ key: NewKey, by actor: String = "cli", now: Instant) async throws(StoreError) -> (
        AdminOutcome, now: KeyListing?
    ) {
        let entry = ChangeEntry.key(.put, key.id, key.values)
        let (outcome, (isSame, listed)) = try await changing(logging: entry, by: actor, now: now) {
            connection throws(PostgresError) in
            let (outcome, _) = try await connection.row(KeyAdd(key: key, now: now))
            let isSame = try await connection.row(KeySame(key: key))
            return (outcome, (isSame, try await connection.firstRow(KeyList(id: key.id))))
        }
        return (outcome == .exists && isSame ? .set : outcome, listed)
    }

    /// Lists keys in the order in which they were added.
    /// - Parameters:
    ///   - kind: Nil for both.
    ///   - game: Nil for all games.
    ///   - number: The number of the key before the first one.
    package func keys(of kind: KeyKind? = nil, in game: Slug? = nil, after number: Int32 = 0, limitRows: Int = .max)
        async throws(StoreError) -> [KeyListing]
    {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(
                KeyList(kind: kind, game: game, after: number, limitRows: Int32(clamping: limitRows)))
        }
    }

    package func findKey(_ id: UUID) async throws(StoreError) -> KeyListing? {
        try await store.general { connection throws(PostgresError) in try await connection.firstRow(KeyList(id: id)) }
    }

    /// Ends a key.
    /// - Returns: `set`, or `exists` when it had ended before, or `noKey`; and the key as it is now.
    package func revokeKey(_ id: UUID, by actor: String = "cli", now: Instant) async throws(StoreError) -> (
        AdminOutcome, now: KeyListing?
    ) {
        try await changing(logging: .key(.delete, id), by: actor, now: now) { connection throws(PostgresError) in
            let outcome = try await connection.row(KeyRevoke(id: id, now: now))
            return (outcome, try await connection.firstRow(KeyList(id: id)))
        }
    }

    /// Ends the key of a number in the list.
    /// - Parameter game: Nil for an operator's key.
    /// - Returns: `set`, also when it had ended before, or `noKey`.
    package func revokeKey(numbered number: Int32, of game: Slug?, now: Instant) async throws(StoreError)
        -> AdminOutcome
    {
        let key = try await keys(of: game == nil ? .admin : .game, in: game).first { $0.number == number }
        guard let key else { return .noKey }
        let outcome = try await revokeKey(key.id, now: now).0
        return outcome == .exists ? .set : outcome
    }

    /// Finds an operator's key.
    /// - Returns: Nil for a key that is unknown, revoked or beyond its end.
    package func findAdminKey(_ key: TokenHash, now: Instant) async throws(StoreError) -> AdminKey? {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(AdminKeyFind(key: key, now: now))
        }
    }

    /// Notes that a key was used on a day, in UTC.
    package func noteUse(of key: TokenHash, on day: Day) async throws(StoreError) {
        try await store.changing { connection throws(PostgresError) in
            _ = try await connection.rows(KeyUseNote(key: key, day: day))
        }
    }
}
