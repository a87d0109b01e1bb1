package import Domain
import Postgres

extension Store {
    /// Makes or updates the player whom a device speaks for, in one transaction of one round trip.
    /// - Parameters:
    ///   - access: How the caller may speak for it.
    ///   - expected: The player that it must be; then no new one is made.
    package func register(
        _ registration: Registration,
        device: DeviceHash,
        in game: Slug,
        access: Access = .classic,
        as expected: Player.ID? = nil,
        now: Instant
    ) async throws(StoreError) -> RegistrationOutcome {
        let register = PlayerRegister(
            device: device,
            game: game,
            access: access,
            registration: registration,
            expected: expected,
            now: now,
            updatesKnown: true
        )
        let mayRegister = expected == nil && registration.name != nil
        return try await redrawing { () async throws(StoreError) in
            let claim = DeviceClaim(
                device: device,
                candidates: Self.playerIDs(in: game),
                now: now,
                mayRegister: mayRegister,
                token: access.token
            )
            let (_, _, outcomes, _) = try await ledger { connection throws(PostgresError) in
                try await connection.transactionPipeline(
                    claim,
                    CallersLock(callers: [.device(device)]),
                    register,
                    DeviceRelease(device: device)
                )
            }
            guard let outcome = outcomes.first else { throw .wrongRowCount }
            return outcome
        }
    }

    /// Changes the player whom a token speaks for.
    package func change(_ registration: Registration, ofToken token: TokenHash, now: Instant) async throws(StoreError)
        -> RegistrationOutcome
    {
        let register = PlayerRegister(
            device: nil,
            game: nil,
            access: .token(token),
            registration: registration,
            expected: nil,
            now: now,
            updatesKnown: true
        )
        let (_, outcomes) = try await ledger { connection throws(PostgresError) in
            try await connection.transactionPipeline(CallersLock(callers: [.token(token, claims: nil)]), register)
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return outcome
    }

    /// Does it again when somebody drew the same player id at the same moment: nothing was kept then.
    func redrawing<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        for _ in 0..<3 {
            do throws(StoreError) { return try await body() } catch {
                guard error == .bug(.uniqueViolation) else { throw error }
            }
        }
        return try await body()
    }

    /// - Parameters:
    ///   - device: Nil when the call names none.
    ///   - name: That the call brings.
    /// - Returns: Nil when there is no such game.
    package func findClassicCall(from device: DeviceHash?, in game: Slug, name: PlayerName? = nil)
        async throws(StoreError)
        -> ClassicCall?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ClassicCaller(game: game, device: device, name: name))
        }
    }

    /// - Parameter game: Nil for any.
    /// - Returns: What anybody may see of a player; nil when there is none, or it is hidden.
    package func findProfile(_ player: Player.ID, in game: Slug?) async throws(StoreError) -> PublicProfile? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(PlayerProfile(player: player, game: game))
        }
    }

    /// - Returns: The PNG bytes of those that are stored.
    package func avatars(_ hashes: Set<AvatarHash>) async throws(StoreError) -> [AvatarHash: [UInt8]] {
        if hashes.isEmpty { return [:] }
        let stored = try await general { connection throws(PostgresError) in
            try await connection.rows(AvatarsPNG(hashes: Array(hashes)))
        }
        return Dictionary(stored.map { ($0.hash, $0.png) }) { first, _ in first }
    }

    /// - Returns: One picture, and whether a visible player uses it; nil when it was never stored.
    package func findAvatar(_ hash: AvatarHash) async throws(StoreError) -> (png: [UInt8], isUsed: Bool)? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(AvatarPNG(hash: hash)) }
    }

    /// Ids to choose a new player's from: even a game that has used most of its ids finds a free one.
    static func playerIDs(in game: Slug) -> [Player.ID] {
        let highest = game == .defaultGame ? Limits.classicPlayerIDMax : Limits.playerIDMax
        return (0..<8).map { _ in Player.ID(rawValue: Int64.random(in: 1...highest)) }
    }
}
