package import Domain
package import Storage

extension Rankings {
    /// The profile that a player sees of itself, its donations to each charity, anonymous ones included, and what its
    /// slots have. Whoever has given often has many rows to be added up for that.
    /// - Throws: `crowded` if the queue is full, `overloaded` if the turn comes too late.
    package func ownProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: OwnProfile, donations: [DonationTotal], saves: [SaveVersion]
    ) {
        let endsAt = ContinuousClock.now + .seconds(Limits.ownReadsWaitSecondsMax)
        return try await ownReads.run(of: player) { () async throws(StoreError) in
            guard .now < endsAt else { throw .overloaded }
            return try await store.ownProfile(of: player, now: clock.now)
        }
    }
}
