package import Domain
import Postgres
import Statements

extension Store {
    /// Makes or updates the player of a device, in one transaction. Whoever is refused, or changes nothing, takes no
    /// lock and writes nothing.
    /// - Parameters:
    ///   - name: What a new device is called; nil when it has no name.
    ///   - access: How the caller may speak for the device.
    ///   - expected: The player that the device must speak for; nil for any. With an expected player no new one is
    ///     made.
    package func register(
        _ registration: Registration, device: DeviceHash, in game: Slug, named name: PlayerName? = nil,
        access: Access = .classic, as expected: Player.ID? = nil, makesPlayer: Bool = true, now: Instant
    ) async throws(StoreError) -> RegistrationOutcome {
        let register = PlayerRegister(
            device: device, game: game, access: access, registration: registration, expected: expected, now: now,
            updatesKnown: true)
        let mayRegister = makesPlayer && expected == nil && registration.name != nil
        for _ in 0..<Self.labelAttemptsMax {
            let outcome = try await attempt(register, named: name, mayRegister: mayRegister)
            if case .otherLabel = outcome { continue }
            return outcome
        }
        throw .overloaded
    }

    /// How many times a registration starts again because another request changed the label of the token's device.
    private static let labelAttemptsMax = 4

    private func attempt(_ register: PlayerRegister, named name: PlayerName?, mayRegister: Bool)
        async throws(StoreError) -> RegistrationOutcome
    {
        guard let device = register.device, let game = register.game else { return .unauthorized }
        return try await racing { raceAttempt throws(StoreError) in
            let claim = DeviceClaim(
                device: device, candidates: Self.playerIDs(in: game), now: register.now, mayRegister: mayRegister,
                token: register.access.token, name: name)
            let outcome = try await registering(raceAttempt) {
                connection throws(PostgresError) -> RegistrationOutcome? in
                if let settled = try await register.settled(on: connection) { return settled }
                let (_, _, _, made, _) = try await connection.transactionPipeline(
                    LockPatience(), claim, CallersLock(callers: [.device(device)]), register,
                    DeviceRelease(device: device))
                return made.first?.outcome
            }
            guard let outcome else { throw .wrongRowCount }
            return outcome
        }
    }

    /// Judges how a caller would speak for a device, as ``register(_:device:in:named:access:as:now:)`` does, and writes
    /// nothing.
    /// - Returns: What a registration without any field would come to. That of a new device lacks a name.
    package func judgeAccess(_ access: Access, to device: DeviceHash, in game: Slug, now: Instant)
        async throws(StoreError) -> RegistrationOutcome
    {
        let judging = PlayerRegister(
            device: device, game: game, access: access, registration: Registration(source: ""), expected: nil, now: now,
            updatesKnown: false, writes: false)
        return try await general { connection throws(PostgresError) in try await connection.row(judging).outcome }
    }

    /// Updates the player of the device that has this token.
    package func change(_ registration: Registration, ofToken token: TokenHash, now: Instant) async throws(StoreError)
        -> RegistrationOutcome
    {
        let register = PlayerRegister(
            device: nil, game: nil, access: .token(token), registration: registration, expected: nil, now: now,
            updatesKnown: true)
        let outcome = try await registering { connection throws(PostgresError) -> RegistrationOutcome? in
            if let settled = try await register.settled(on: connection) { return settled }
            return try await connection.transaction(lockingPlayerOf: token, register).first?.outcome
        }
        guard let outcome else { throw .wrongRowCount }
        return outcome
    }

    /// Ends a player's wish for updates by e-mail. Nothing changes for who has none, or is not there.
    package func endUpdates(of player: Player.ID) async throws(StoreError) {
        try await registering { connection throws(PostgresError) in
            _ = try await connection.rows(UpdatesEnd(player: player))
        }
    }

    /// Looks up the game of a classic call, and the player whom the device speaks for.
    /// - Parameters:
    ///   - device: Nil when the call names none.
    ///   - name: The player's name in the call, to be checked against charities' names.
    /// - Returns: Nil when there is no such game.
    package func findClassicCall(from device: DeviceHash?, in game: Slug, name: PlayerName? = nil)
        async throws(StoreError) -> ClassicCall?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(ClassicCaller(game: game, device: device, name: name))
        }
    }

    /// Finds the public profile of a player.
    /// - Parameters:
    ///   - game: The player's game; nil for any.
    ///   - withUnlisted: Whether a player whose profile is unlisted is found.
    /// - Returns: Nil when there is no such player or the player is hidden.
    package func findProfile(_ player: Player.ID, in game: Slug?, withUnlisted: Bool = false) async throws(StoreError)
        -> PublicProfile?
    {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(PlayerProfile(player: player, game: game, withUnlisted: withUnlisted))
        }
    }

    /// Reads pictures.
    /// - Returns: The PNG bytes of each picture that is stored.
    package func avatars(_ hashes: Set<AvatarHash>) async throws(StoreError) -> [AvatarHash: [UInt8]] {
        if hashes.isEmpty { return [:] }
        let stored = try await general { connection throws(PostgresError) in
            try await connection.rows(AvatarImages(hashes: Array(hashes)))
        }
        return Dictionary(stored.map { ($0.hash, $0.png) }) { first, _ in first }
    }

    /// Reads one picture.
    /// - Returns: The PNG bytes, and whether a visible player uses the picture; nil when it was never stored.
    package func findAvatar(_ hash: AvatarHash) async throws(StoreError) -> (png: [UInt8], isUsed: Bool)? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(AvatarImage(hash: hash)) }
    }

    /// Draws eight random candidates for a new player's id, so that even in a game with most ids in use one is likely
    /// free.
    static func playerIDs(in game: Slug) -> [Player.ID] {
        let highest = game == .defaultGame ? Limits.classicPlayerIDMax : Limits.newPlayerIDMax
        return (0..<8).map { _ in Player.ID(rawValue: Int64.random(in: 1...highest)) }
    }
}

/// `report_add.sql`
struct ReportAdd: Query {
    static let sql = SQL.reportAdd
    let player: Player.ID
    let reporter: Player.ID
    let report: Report
    let source: Int64?
    let now: Instant
    var binds: Binds {
        [player, reporter, report.reason.rawValue, report.words?.description, now, Limits.reportWordsKept, source]
    }
    /// Whether it was known before.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

extension Store {
    /// Keeps what one player reports of another, unless that one has reported it before. Of many reports of one player
    /// ``Limits/reportWordsKept`` keep their words, those of different networks first, and all are counted.
    /// - Parameter source: A keyed hash of the reporter's network; nil if it is unknown.
    /// - Returns: Whether it had; nil when there is no such player, or it is hidden or was erased.
    package func add(_ report: Report, of player: Player.ID, by reporter: Player.ID, from source: Int64?, now: Instant)
        async throws(StoreError) -> Bool?
    {
        let add = ReportAdd(player: player, reporter: reporter, report: report, source: source, now: now)
        return try await registering { connection throws(PostgresError) in try await connection.firstRow(add) }
    }
}
