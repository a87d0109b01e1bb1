import Credentials
package import Domain
package import FoundationEssentials
import Postgres

// Challenges whose time has come. Each is decided in one transaction. What it decides to give is donated afterwards,
// under ids that are always the same, so a process that continues after a crash repeats nothing.
extension Store {
    /// Challenges to settle now, at most ``Limits/challengesSettledAtOnce``.
    package func challengesDue(now: Instant) async throws(StoreError) -> [UUID] {
        try await general { connection throws(PostgresError) in try await connection.rows(ChallengesDue(now: now)) }
    }

    /// Counts the challenges to settle now, at most ``Limits/challengesCounted``.
    package func challengesDueCount(now: Instant) async throws(StoreError) -> Int64 {
        try await general { connection throws(PostgresError) in try await connection.row(ChallengesDueCount(now: now)) }
    }

    /// Settles a challenge that is over. Only one process settles challenges at a time, because a player may have
    /// promised the same points for several of them.
    /// - Returns: Whether it was settled now: false if it was settled before, or if another process settles challenges.
    package func settle(_ challenge: UUID, now: Instant) async throws(StoreError) -> Bool {
        try await ledger { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                guard try await connection.row(SettlementLock()),
                    let found = try await connection.firstRow(ChallengeLock(id: challenge))
                else { return false }
                let contestants = try await connection.rows(ChallengeContestants(id: challenge, now: now))
                let settlement = ChallengeSettlement(of: contestants, stake: found.stake, ties: found.ties)
                let shares = settlement.shares
                try await connection.run(
                    ChallengeSettle(
                        id: challenge, state: settlement.state, now: now, winners: settlement.winners,
                        givers: shares.map(\.entrant), charities: shares.map(\.charity.id),
                        points: shares.map(\.points), donations: shares.map { $0.donation(of: challenge) }))
                return true
            }
        }
    }

    /// Stakes that are to be donated, after another one, or from the first one.
    /// - Returns: At most ``Limits/stakesGivenAtOnce``.
    package func waitingStakes(after last: WaitingStake?) async throws(StoreError) -> [WaitingStake] {
        let query = StakesDue(
            challenge: last?.challenge ?? .zero, player: last?.player ?? Player.ID(rawValue: 0),
            charity: last?.charity.id ?? 0)
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// Notes that a stake was donated, or that nothing of it will be.
    package func note(_ stake: WaitingStake, isGiven: Bool) async throws(StoreError) {
        let note = StakeNote(
            player: stake.player, challenge: stake.challenge, charity: stake.charity.id, isGiven: isGiven)
        _ = try await changing { connection throws(PostgresError) in try await connection.rows(note) }
    }
}

extension ChallengeSettlement.Share {
    /// The id of the donation, the same for every process.
    fileprivate func donation(of challenge: UUID) -> UUID {
        UUID(name: "stake|\(challenge.text)|\(entrant.rawValue)|\(charity.slug)")
    }
}
