import Domain
import Foundation
import TestDatabases

@testable import Storage

extension TestDatabase {
    /// The board of challenges; the game lets friends challenge each other for a stake.
    func allowChallenges(_ rules: ChallengeRules = .friends) async throws -> Board {
        var change = GameChange()
        (change.friends, change.challenges, change.stakeMax) = (.codes, rules, 10)
        guard try await store.admin.setGame(.defaultGame, change, now: .noon) == .set else {
            throw TestDatabaseError("not set")
        }
        return try await addBoard("derby")
    }

    /// Players who all are friends.
    func friends(_ names: String...) async throws -> [TiePerson] {
        var people: [TiePerson] = []
        for name in names { people.append(try await TiePerson(name, self)) }
        let ids = people.map { "\($0.player.rawValue)" }.joined(separator: ",")
        try await owner.script(
            """
            insert into tie (player_id, other_id, says, at)
            select a.id, b.id, 'yes', now() from player a, player b
             where a.id in (\(ids)) and b.id in (\(ids)) and a.id <> b.id
            """)
        return people
    }

    /// Makes a challenge for today and tomorrow.
    func challenge(
        _ others: [TiePerson], by maker: TiePerson, id: UUID = UUID(), stake: Int64 = 0, charity: Slug? = nil,
        now: Instant = .noon
    ) async throws -> ChallengeOutcome {
        let challenge = NewChallenge(
            id: id, game: .defaultGame, board: .of("derby"), days: 1, players: others.map(\.player), stake: stake,
            charity: charity)
        return try await store.make(challenge, by: maker.player, with: maker.token, now: now)
    }

    func enter(_ id: UUID, _ player: TiePerson, for charity: Slug? = nil, now: Instant = .noon) async throws
        -> ChallengeOutcome
    {
        try await store.answer(
            id, on: .of("derby"), in: .defaultGame, enters: true, charity: charity, by: player.player,
            with: player.token, now: now)
    }

    func decline(_ id: UUID, _ player: TiePerson, now: Instant = .noon) async throws -> ChallengeOutcome {
        try await store.answer(
            id, on: .of("derby"), in: .defaultGame, enters: false, charity: nil, by: player.player, with: player.token,
            now: now)
    }

    /// Settles all challenges that are due.
    /// - Returns: How many were settled now.
    func settleChallenges(now: Instant) async throws -> Int {
        var settled = 0
        for challenge in try await store.challengesDue(now: now) {
            if try await store.settle(challenge, now: now) { settled += 1 }
        }
        return settled
    }

    /// Donates a stake as its player would.
    func give(_ stake: WaitingStake, now: Instant) async throws -> DonationOutcome {
        let donation = NewDonation(
            stake.points, by: .player(stake.player), to: CharityName(stake.charity.slug), id: stake.donation,
            reachedAt: now)
        return try await store.donate([donation], now: now)[0].outcome
    }

    /// Donates the stakes that wait, and notes it.
    func giveStakes(now: Instant) async throws {
        for stake in try await store.waitingStakes(after: nil) {
            let outcome = try await give(stake, now: now)
            try await store.note(stake, isGiven: outcome == .recorded || outcome == .retry)
        }
    }

    func findChallenge(_ id: UUID, _ player: TiePerson, now: Instant = .noon) async throws -> Challenge? {
        try await store.findChallenge(id, on: .of("derby"), in: .defaultGame, for: player.player, now: now)
    }

    /// Names and answers by name, such as `Ada entered, Bob invited`.
    func answers(_ id: UUID) async throws -> String {
        try await store.entrants(of: id, asking: nil, now: .noon).map { "\($0.player.name) \($0.answer.rawValue)" }
            .sorted().joined(separator: ", ")
    }
}
