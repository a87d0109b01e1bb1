package import Domain
import Postgres

extension Store {
    /// Finds the device that a token belongs to; nil for a token of none.
    package func findDevice(ofToken token: TokenHash) async throws(StoreError) -> CallingDevice? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(DeviceOfToken(token: token))
        }
    }

    /// Gives the player of a token a new code, which ends the former one of its kind.
    /// - Parameters:
    ///   - kind: What the code is for: `join` or `recovery`.
    ///   - expiresAt: Nil for never.
    ///   - isNewDevice: Whether the device is new, so that it ends no code of an older one.
    /// - Returns: False for a token of no device, and where an older device has an unused code.
    package func makeCode(
        _ code: CodeHash, kind: String, for token: TokenHash, now: Instant, expiresAt: Instant?,
        isNewDevice: Bool = false
    ) async throws(StoreError) -> Bool {
        try await registering { connection throws(PostgresError) in
            let make = CodeMake(
                token: token, kind: kind, code: code, now: now, expiresAt: expiresAt, isNewDevice: isNewDevice)
            return try await !connection.transaction(lockingPlayerOf: token, make).isEmpty
        }
    }

    /// Stores a new join code of a player, requested by its game. It replaces the previous code.
    /// - Parameter own: The game's own id of the player. The code ends when that leaves the player.
    /// - Returns: False if there is no such player, or it was erased.
    package func makeCode(
        _ code: CodeHash, for player: Player.ID, knownAs own: DeviceHash, now: Instant, expiresAt: Instant
    ) async throws(StoreError) -> Bool {
        try await registering { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                guard try await connection.lockSurvivors(of: [player]) != nil else { return false }
                let make = CodeMakePlayer(player: player, code: code, now: now, expiresAt: expiresAt, own: own)
                return try await connection.firstRow(make) != nil
            }
        }
    }

    /// Gives a player a new join code that an operator asked for, which ends the former one.
    /// - Parameter actor: Who asked for it, for the log: a key's id.
    /// - Returns: False when there is no such player, or it was erased.
    package func makeCode(_ code: CodeHash, for player: Player.ID, by actor: String, now: Instant, expiresAt: Instant)
        async throws(StoreError) -> Bool
    {
        try await registering { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                // The code is of whom the player is by now.
                guard try await connection.lockSurvivors(of: [player]) != nil else { return false }
                let make = CodeMakePlayer(player: player, code: code, now: now, expiresAt: expiresAt, own: nil)
                guard let owner = try await connection.firstRow(make) else { return false }
                let log = LogWriter(
                    at: now, action: nil, actor: actor, kind: "POST",
                    subject: [("codes", "1"), ("player", String(player.rawValue))].canonicalText, values: [], words: nil
                )
                let entry = try await log.write(on: connection)
                try await connection.run(CodeLogNote(player: owner, code: code, entry: entry))
                return true
            }
        }
    }

    /// Brings a device to the player of a code, in one transaction. Of several that come with one code one joins.
    package func join(_ joining: Joining) async throws(StoreError) -> JoinOutcome {
        for _ in 0..<Self.joinAttemptsMax {
            let outcome = try await racing { raceAttempt throws(StoreError) in
                try await registering(raceAttempt) { connection throws(PostgresError) in
                    try await joining.attempt(on: connection)
                }
            }
            if let outcome { return outcome }
        }
        throw .overloaded
    }

    /// How often a join is judged anew, because somebody else has changed the device or the code meanwhile.
    private static let joinAttemptsMax = 4

    /// Notes that a device with a token was used on a day, in UTC.
    package func noteUse(ofToken token: TokenHash, on day: Day) async throws(StoreError) {
        try await note(DeviceUseNote(token: token, device: nil, day: day))
    }

    /// Notes that a device was used on a day, in UTC; of one without a token, too.
    package func noteUse(of device: DeviceHash, on day: Day) async throws(StoreError) {
        try await note(DeviceUseNote(token: nil, device: device, day: day))
    }

    private func note(_ use: DeviceUseNote) async throws(StoreError) {
        try await registering { connection throws(PostgresError) in _ = try await connection.rows(use) }
    }

    /// Notes that a device has registered again, at most once a day, and its name.
    package func note(_ device: DeviceHash, token: TokenHash, name: PlayerName?, now: Instant) async throws(StoreError)
    {
        try await registering { connection throws(PostgresError) in
            _ = try await connection.rows(DeviceSeen(device: device, token: token, name: name, today: now.dayInUTC))
        }
    }

    /// The devices of a token's player, in the order in which they came; none for a token of no device.
    package func devices(ofToken token: TokenHash) async throws(StoreError) -> [OwnDevice] {
        try await general { connection throws(PostgresError) in try await connection.rows(DevicesOwn(token: token)) }
    }

    /// The devices of a token's player, as ``devices(ofToken:)`` returns them, and the unused codes of the player,
    /// oldest first, including expired ones.
    package func devicesAndCodes(of player: Player.ID, ofToken token: TokenHash) async throws(StoreError) -> (
        devices: [OwnDevice], codes: [UnusedCode]
    ) {
        try await general { connection throws(PostgresError) in
            try await connection.pipeline(DevicesOwn(token: token), ExportCodes(player: player))
        }
    }

    /// Cuts a device off from the player of a token.
    /// - Returns: Nil for a token of no device.
    package func cutOff(_ device: DeviceHash, by token: TokenHash, now: Instant) async throws(StoreError) -> CutOutcome?
    {
        try await registering { connection throws(PostgresError) in
            try await connection.transaction(lockingPlayerOf: token, DeviceCut(token: token, device: device, now: now))
                .first
        }
    }

    /// Replaces a device's token, and deletes all codes of its player.
    /// - Returns: The outcome, the device, and the number of valid codes deleted; nil for an unknown token.
    package func rotate(_ token: TokenHash, to newToken: TokenHash, now: Instant) async throws(StoreError) -> (
        outcome: RotationOutcome, device: DeviceHash, codesEnded: Int64
    )? {
        let rotation = TokenRotate(token: token, newToken: newToken, now: now)
        return try await racing { raceAttempt throws(StoreError) in
            try await registering(raceAttempt) { connection throws(PostgresError) in
                try await connection.transaction(lockingPlayerOf: token, rotation).first
            }
        }
    }
}
