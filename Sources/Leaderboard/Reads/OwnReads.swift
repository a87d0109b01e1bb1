package import Domain
package import Storage

/// Bounds how many connections are held by players who ask for what they are told of themselves. Whoever has given
/// often has many rows to be added up, so one read of a player runs at a time, and all of them together leave
/// connections to everybody else.
struct OwnReads: Sendable {
    private let players = KeyedGate<Player.ID>(waitingMax: Limits.ownReadsOfPlayerWaitingMax)
    private let all: AdmissionGate

    /// - Parameter connectionsMax: How many connections the pool has on which they run.
    init(connectionsMax: Int) {
        all = AdmissionGate(runningMax: max(1, (connectionsMax - 1) / 2), waitingMax: Limits.ownReadsWaitingMax)
    }

    /// Runs a read of a player when it is its turn.
    /// - Throws: `overloaded` when too many wait, or when its turn comes too late; what `read` throws.
    func run<Value>(
        of player: Player.ID,
        _ read: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let endsAt = ContinuousClock.now + .seconds(Limits.ownReadsWaitSecondsMax)
        return try await players.run(of: player) { () async throws(StoreError) in
            try await all.run { () async throws(StoreError) in
                guard .now < endsAt else { throw .overloaded }
                return try await read()
            }
        }
    }
}

extension Rankings {
    /// The profile that a player sees of itself, its donations to each charity, anonymous ones included, and what its
    /// slots have.
    /// - Throws: `overloaded` when too many ask at the same time.
    package func ownProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: OwnProfile, donations: [DonationTotal], saves: [SaveVersion]
    ) {
        try await ownReads.run(of: player) { () async throws(StoreError) in
            try await store.ownProfile(of: player, now: clock.now)
        }
    }
}
