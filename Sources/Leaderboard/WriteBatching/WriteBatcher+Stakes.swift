import Domain
import Storage

extension WriteBatcher {
    /// Settles challenges that are over, and donates what their players have staked. Each process may do this at any
    /// time: a challenge is settled once, and a donation that was made before is a retry.
    /// - Returns: How many challenges were settled, and how many stakes were donated.
    package func settleChallenges() async throws -> (settled: Int, donated: Int) {
        var (settled, donated) = (0, try await giveStakes())
        for challenge in try await store.challengesDue(now: clock.now) where !Task.isCancelled {
            guard try await store.settle(challenge, now: clock.now) else { continue }
            settled += 1
            // A player may have staked points on several challenges: what is left decides about the next one.
            donated += try await giveStakes()
        }
        return (settled, donated)
    }

    /// Donates the stakes of settled challenges that were not donated yet.
    private func giveStakes() async throws -> Int {
        var donated = 0
        var last: WaitingStake?
        repeat {
            let stakes = try await store.waitingStakes(after: last)
            for stake in stakes {
                if Task.isCancelled { return donated }
                if try await give(stake) { donated += 1 }
            }
            last = stakes.last
        } while last != nil
        return donated
    }

    /// Donates a stake as its player would, with all rules of a donation: what the player no longer has, and what the
    /// charity does not take, is not given.
    /// - Returns: Whether it is given now.
    private func give(_ stake: WaitingStake) async throws -> Bool {
        let recorded = try await donate { arrival in
            NewDonation(
                stake.points, by: .player(stake.player), to: CharityName(stake.charity.slug), id: stake.donation,
                reachedAt: arrival)
        }
        switch recorded.receipt.outcome {
        case .recorded, .retry:
            try await store.note(stake, isGiven: true)
            return true
        // Its batch has put it off. The next look finds it again.
        case .deferred: return false
        case .conflict, .overspent, .settling, .unauthorized, .forbidden, .scope, .protocolClosed, .tokenNeeded,
            .noPlayer, .noCharity, .charityClosed, .capReached, .banned:
            try await store.note(stake, isGiven: false)
            return false
        }
    }
}
