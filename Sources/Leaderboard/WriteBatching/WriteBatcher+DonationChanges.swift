package import Domain
package import FoundationEssentials
package import Storage

extension WriteBatcher {
    /// Changes a donation as its player asks, and returns once this process's standings have it, within the time that
    /// a post waits for that. Of one player's changes one is under way at a time.
    /// - Parameter player: The caller's own player.
    package func change(_ donation: UUID, to charity: Slug, of player: Player.ID, _ change: DonationChange)
        async throws(StoreError) -> DonationChangeOutcome
    {
        try await gates.change(of: player) { () async throws(StoreError) in
            try await changeNow(donation, to: charity, of: player, change)
        }
    }

    private func changeNow(_ donation: UUID, to charity: Slug, of player: Player.ID, _ change: DonationChange)
        async throws(StoreError) -> DonationChangeOutcome
    {
        let marker = commitBarrier.issue()
        do throws(StoreError) {
            let outcome = try await store.change(
                donation, to: charity, of: player, change, marker: marker?.text, now: clock.now)
            if outcome == .done {
                await commitBarrier.seen(marker)
                standings.noteDonation()
            } else {
                commitBarrier.forget(marker)
            }
            return outcome
        } catch {
            commitBarrier.forget(marker)
            throw error
        }
    }
}
