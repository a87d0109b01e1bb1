package import Domain
import Postgres
import Statements

// The e-mail addresses that a game's players left, and how they are removed.

/// How much a game keeps of what its players said about e-mail.
package struct StoredAddresses: Sendable, Equatable {
    package let addresses: Int64
    /// Players who asked for updates, with an address or without.
    package let wishes: Int64

    package init(addresses: Int64, wishes: Int64) {
        self.addresses = addresses
        self.wishes = wishes
    }

    /// As the log has them when they are removed.
    var values: [(String, SettingValue)] {
        [("addresses", .plain(String(addresses))), ("updates", .plain(String(wishes)))]
    }
}

extension Administration {
    /// How many addresses of a game's players are stored. It reads all players.
    package func storedAddresses(of game: Slug) async throws(StoreError) -> StoredAddresses {
        try await store.general { connection throws(PostgresError) in
            try await connection.row(AddressesCount(game: game))
        }
    }

    /// Removes the addresses of a game that takes none any more, some players at a time, so that nobody who registers
    /// waits for long. When it is cut short, doing it again goes on.
    func removeAddresses(of game: Slug) async throws(StoreError) {
        // Whoever began to register before the game took no addresses may still be about to leave one.
        _ = try await store.ledger { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                try await connection.run(PlayersAwait())
            }
        }
        var last = Player.ID(rawValue: 0)
        while true {
            let remove = AddressesRemove(game: game, after: last, limitRows: Limits.addressesRemovedAtOnce)
            let removed = try await store.changing { connection throws(PostgresError) in
                try await connection.transaction { connection throws(PostgresError) in try await connection.row(remove)
                }
            }
            guard let reached = removed.last else { return }
            last = reached
        }
    }
}
