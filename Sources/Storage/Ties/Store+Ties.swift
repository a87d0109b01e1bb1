import Concurrency
package import Domain
import Postgres

// Ties between players. Each write locks both players, in the same order as the ledger.
extension Store {
    /// Sends a friend request from the player of a device, or accepts the other's; with the other's friend code, makes
    /// both friends.
    /// - Returns: The outcome, whether both are friends now, and the other's name if they are.
    package func befriend(
        _ other: Player.ID, by code: CodeHash? = nil, device: CallingDevice, with token: TokenHash, now: Instant
    ) async throws(StoreError) -> (outcome: TieOutcome, areFriends: Bool, name: String?) {
        try await tying(device.player, other, token, outcome: \.outcome, changed: (.unauthorized, false, nil)) {
            TieYes(token: token, player: $0, other: $1, code: code, now: now)
        }
    }

    /// Ends a friendship, withdraws a request, or declines the other's request.
    package func end(with other: Player.ID, by device: CallingDevice, with token: TokenHash, now: Instant)
        async throws(StoreError) -> TieOutcome
    {
        try await tying(device.player, other, token, outcome: \.self, changed: .unauthorized) {
            TieRefuse(token: token, player: $0, other: $1, now: now, ends: .yes)
        }
    }

    package func block(_ other: Player.ID, by device: CallingDevice, with token: TokenHash, now: Instant)
        async throws(StoreError) -> TieOutcome
    {
        try await tying(device.player, other, token, outcome: \.self, changed: .unauthorized) {
            TieBlock(token: token, player: $0, other: $1, now: now)
        }
    }

    package func unblock(_ other: Player.ID, by device: CallingDevice, with token: TokenHash, now: Instant)
        async throws(StoreError) -> TieOutcome
    {
        try await tying(device.player, other, token, outcome: \.self, changed: .unauthorized) {
            TieRefuse(token: token, player: $0, other: $1, now: now, ends: .block)
        }
    }

    /// Finds the player of a friend code.
    /// - Returns: Nil if the code is wrong, used up or expired.
    package func findMaker(of code: CodeHash, now: Instant) async throws(StoreError) -> Player.ID? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(FriendCodeFind(code: code, now: now)).flatMap(\.self)
        }
    }

    /// Runs a statement under the locks of two players, and once more if one of them was merged in the meantime.
    /// - Parameter changed: The answer if the token is no longer of a device.
    private func tying<Q: Query>(
        _ player: Player.ID, _ other: Player.ID, _ token: TokenHash, outcome: (Q.Row) -> TieOutcome, changed: Q.Row,
        _ query: (Player.ID, Player.ID) -> Q
    ) async throws(StoreError) -> Q.Row where Q.Row: Sendable {
        var (player, other) = (player, other)
        for _ in 0..<Limits.survivorAttemptsMax {
            let statement = query(player, other)
            let lock = CallersLock(callers: [.player(player), .player(other)])
            let rows = try await registering { connection throws(PostgresError) in
                try await connection.transactionPipeline(LockPatience(), lock, statement).2
            }
            guard let row = rows.first else { throw .wrongRowCount }
            guard outcome(row) == .changed else { return row }
            let asked = other
            let (devices, survivors) = try await general { connection throws(PostgresError) in
                try await connection.pipeline(DeviceOfToken(token: token), SurvivorsFind(players: [asked]))
            }
            guard let device = devices.first else { return changed }
            (player, other) = (device.player, survivors.first?.survivor ?? other)
        }
        throw .overloaded
    }

    /// Stores a new friend code of the player of a token. It replaces the previous code.
    /// - Returns: False if the token is not of a device.
    package func makeFriendCode(_ code: CodeHash, for token: TokenHash, now: Instant, expiresAt: Instant)
        async throws(StoreError) -> Bool
    {
        let make = CodeMake(
            token: token, kind: "friend", code: code, now: now, expiresAt: expiresAt, isNewDevice: false,
            uses: Limits.friendCodeUses)
        return try await registering { connection throws(PostgresError) in
            try await !connection.transaction(lockingPlayerOf: token, make).isEmpty
        }
    }

    /// A player's friends, friend requests and blocks, each list with the newest first.
    package func ties(of player: Player.ID) async throws(StoreError) -> [OwnTie] {
        try await general { connection throws(PostgresError) in try await connection.rows(TiesOwn(player: player)) }
    }

    /// The friends of a player, by id, including hidden ones.
    package func friends(of player: Player.ID) async throws(StoreError) -> [Player.ID] {
        try await general { connection throws(PostgresError) in try await connection.rows(FriendsFind(player: player)) }
    }

    /// A player's ties by id: those after a key, or from the first one.
    package func exportedTies(of player: Player.ID, after key: ExportedTie.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedTie]
    {
        let none = Player.ID(rawValue: 0)
        let query = TiesExported(
            player: player, afterPlayer: key?.player ?? none, afterOther: key?.other ?? none,
            limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }
}
