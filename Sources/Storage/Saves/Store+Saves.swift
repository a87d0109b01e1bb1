import Concurrency
package import Domain
import Postgres

extension Store {
    /// What a player has in its slots, in the order of their names.
    package func saves(of player: Player.ID) async throws(StoreError) -> [SaveVersion] {
        try await general { connection throws(PostgresError) in try await connection.rows(SavesOwn(player: player)) }
    }

    /// The versions that are kept of a slot, the newest first; none for an empty slot.
    package func saveVersions(of player: Player.ID, in slot: Slug) async throws(StoreError) -> [SaveVersion] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(SaveVersions(player: player, slot: slot))
        }
    }

    /// What a player has in a slot.
    /// - Parameter etag: An earlier version that is asked for; nil for the newest.
    /// - Returns: Nil when the slot is empty, or has no such version any more.
    package func findSave(of player: Player.ID, in slot: Slug, etag: SaveETag?) async throws(StoreError) -> Save? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(SaveFind(player: player, slot: slot, etag: etag))
        }
    }

    /// Puts bytes into a slot of a token's player, if the slot has what the caller expects. Those of one token come one
    /// after the other, before they have a connection.
    /// - Parameters:
    ///   - body: At most ``Limits/saveBytesMax`` bytes.
    ///   - etag: That of the body.
    /// - Returns: Nil for a token of no device.
    package func save(
        _ body: [UInt8], _ etag: SaveETag, in slot: Slug, of token: TokenHash, expected: SaveExpectation, now: Instant
    ) async throws(StoreError) -> SaveOutcome? {
        let put = SavePut(token: token, slot: slot, body: body, etag: etag, expected: expected, now: now)
        for _ in 0..<Self.saveAttemptsMax {
            let rows = try await saving.run(of: token) { () async throws(StoreError) in
                try await changing { connection throws(PostgresError) in
                    try await connection.transaction(lockingPlayerOf: token, put)
                }
            }
            guard let row = rows.first else { return nil }
            if let outcome = row { return outcome }
        }
        throw .overloaded
    }

    /// Empties a slot of a token's player, if it has what the caller expects.
    /// - Returns: Nil for a token of no device.
    package func deleteSave(in slot: Slug, of token: TokenHash, expected: SaveETag?) async throws(StoreError)
        -> SaveDeletion?
    {
        let delete = SaveDelete(token: token, slot: slot, expected: expected)
        return try await saving.run(of: token) { () async throws(StoreError) in
            try await changing { connection throws(PostgresError) in
                try await connection.transaction(lockingPlayerOf: token, delete).first
            }
        }
    }

    /// Saves of a player and of those who became one with it, for its export.
    /// - Parameters:
    ///   - key: The last one of the page before.
    ///   - limitRows: At least 1.
    package func exportedSaves(of player: Player.ID, after key: ExportedSave.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedSave]
    {
        try await general { connection throws(PostgresError) in
            try await connection.rows(SavesExported(player: player, after: key, rows: Int32(clamping: limitRows)))
        }
    }

    /// A number for each of these tokens, which is another one when something has changed of what its player is told
    /// of itself. A token of no device has none.
    /// - Parameter seconds: After which what changes with time alone counts as changed; at least 1.
    package func ownVersions(of tokens: [TokenHash], now: Instant, timedBy seconds: Int32) async throws(StoreError)
        -> [TokenHash: Int64]
    {
        let rows = try await general { connection throws(PostgresError) in
            try await connection.rows(OwnVersions(tokens: tokens, now: now, seconds: seconds))
        }
        return Dictionary(rows.map { ($0.token, $0.version) }) { first, _ in first }
    }

    /// How often bytes are saved anew, because the player has become one with another meanwhile.
    private static let saveAttemptsMax = 4
}
