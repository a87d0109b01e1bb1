import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Who is invited to a challenge, and what becomes of its players.
@Suite struct ChallengeTests {
    @Test("only friends are invited, or players of one team where the game says so") func invitations() async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            let people = try await database.friends("Ada", "Bob", "Cy")
            let (ada, bob, cy) = (people[0], people[1], people[2])
            let dan = try await TiePerson("Dan", database)
            #expect(try await database.challenge([bob, cy], by: ada) == .made)
            #expect(try await database.challenge([dan], by: ada) == .notFriends)
            let teams = """
                update game set teams = 'server';
                insert into team (id, game_id, external, name, made_at) select 7, id, 'red', 'Red', now() from game;
                insert into member (player_id, first_day, team_id, since)
                values (\(ada.player.rawValue), '2026-11-01', 7, now()), (\(dan.player.rawValue), '2026-11-01', 7, now());
                """
            try await database.owner.script(teams)
            #expect(try await database.challenge([dan], by: ada) == .notFriends)
            try await database.owner.script("update game set challenges = 'team'")
            #expect(try await database.challenge([dan, bob], by: ada) == .made)
            #expect(try await database.challenge([dan], by: bob) == .notFriends)
            try await database.owner.script("update game set audience = 'young'")
            #expect(try await database.challenge([dan], by: ada) == .notFriends)
            #expect(try await database.challenge([bob], by: ada, stake: 1, charity: .of("water")) == .stake)
            try await database.owner.script("update game set audience = 'all'")
            #expect(try await dan.block(ada, database.store) == "said")
            #expect(try await database.challenge([dan], by: ada) == .notFriends)
            try await database.moderate(.hide(cy.player))
            #expect(try await database.challenge([cy], by: ada) == .notFriends)
            #expect(try await database.challenge([ada], by: cy) == .notFriends)
            #expect(try await database.challenge([bob], by: TiePerson("Eve", database)) == .notFriends)
        }
    }

    @Test("a player has so many challenges, also when several are made at once") func bounds() async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            let people = try await database.friends("Ada", "Bob", "Cy", "Dan", "Eve", "Fay")
            let bob = people[1]
            // Five players invite Bob to nine each, and then all to one more at once: 50 is the most.
            for maker in people where maker.player != bob.player {
                for _ in 0..<9 { #expect(try await database.challenge([bob], by: maker) == .made) }
            }
            let outcomes = try await withThrowingTaskGroup(of: ChallengeOutcome.self) { group in
                for maker in people where maker.player != bob.player {
                    for _ in 0..<2 { group.addTask { try await database.challenge([bob], by: maker) } }
                }
                return try await group.reduce(into: [ChallengeOutcome]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .made } == 5)
            #expect(try await database.challenge([people[2]], by: bob) == .full)
            let counts = try await database.owner.ask(
                "select open_entries(\(bob.player.rawValue)) || ' ' || max(n) from (select count(*) as n from challenge "
                    + "group by made_by) x")
            #expect(counts == ["50 10"])
        }
    }

    @Test("answers go with their players when these are merged, erased or left behind") func players() async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            let people = try await database.friends("Ada", "Bob", "Cy", "Dan")
            let (ada, bob, cy, dan) = (people[0], people[1], people[2], people[3])
            let id = UUID()
            #expect(try await database.challenge([bob, cy, dan], by: ada, id: id) == .made)
            #expect(try await database.enter(id, bob) == .entered)
            #expect(try await database.decline(id, cy) == .left)
            #expect(try await database.answers(id) == "Ada entered, Bob entered, Cy declined, Dan invited")
            let merge = try await database.moderate(.merge(bob.player, into: dan.player))
            #expect(try await database.answers(id) == "Ada entered, Cy declined, Dan invited")
            #expect(try await database.enter(id, bob) == .entered)
            #expect(try await database.answers(id) == "Ada entered, Cy declined, Dan entered")
            try await database.moderate(.undo(merge))
            #expect(try await database.answers(id) == "Ada entered, Bob entered, Cy declined, Dan entered")
            let kept = try await database.store.exportedChallenges(of: ada.player, after: nil, limitRows: 9)
            #expect(kept.map(\.isOwn) == [true] && kept.map(\.answer) == [.entered])
            try await database.moderate(.erase(ada.player, confirming: "Ada"))
            #expect(try await database.answers(id) == "Bob entered, Cy declined, Dan entered")
            #expect(try await database.findChallenge(id, bob)?.maker == nil)
            #expect(try await database.findChallenge(id, ada) == nil)
            #expect(try await database.store.exportedChallenges(of: ada.player, after: nil, limitRows: 9).isEmpty)
            let code = try await database.joinCode(of: bob.token)
            #expect(try await database.join("Cy", cy.token, by: code) == "joined")
            #expect(try await database.answers(id) == "Bob entered, Dan entered")
        }
    }

    @Test("a challenge is over with the season of its board") func seasons() async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            let people = try await database.friends("Ada", "Bob")
            let id = UUID()
            #expect(try await database.challenge([people[1]], by: people[0], id: id) == .made)
            #expect(try await database.enter(id, people[1]) == .entered)
            try await database.post(5, by: people[1].player, on: "derby")
            let end = Instant.noon.advanced(bySeconds: 3_600)
            _ = try await database.store.resetBoard(.of("derby"), in: .defaultGame, now: end)
            try await database.post(9, by: people[0].player, on: "derby", at: end.advanced(bySeconds: 1))
            #expect(try await database.findChallenge(id, people[0], now: end)?.state == .over)
            #expect(try await database.findChallenge(id, people[0])?.span.upperBound == end)
            let due = end.advanced(bySeconds: 600)
            #expect(try await database.settleChallenges(now: end.advanced(bySeconds: 599)) == 0)
            #expect(try await database.store.challengesDueCount(now: end.advanced(bySeconds: 599)) == 0)
            #expect(try await database.store.challengesDueCount(now: due) == 1)
            #expect(try await database.settleChallenges(now: due) == 1)
            #expect(try await database.store.challengesDueCount(now: due) == 0)
            let winners = try await database.store.entrants(of: id, asking: nil, now: end).filter(\.hasWon)
            #expect(winners.map(\.player.name) == ["Bob"])
        }
    }

    @Test("several processes settle a challenge once, and a stake that a crash left is given once") func crashes()
        async throws
    {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            try await database.addCharity("water")
            let people = try await database.friends("Ada", "Bob", "Cy")
            let id = UUID()
            let made = try await database.challenge(
                [people[1], people[2]], by: people[0], id: id, stake: 5, charity: .of("water"))
            #expect(made == .made)
            for player in people.dropFirst() {
                #expect(try await database.enter(id, player, for: .of("water")) == .entered)
            }
            for player in people { try await database.post(20, by: player.player, on: "derby") }
            let later = Instant.noon.advanced(bySeconds: 3 * 86_400)
            let settled = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await database.settleChallenges(now: later) } }
                return try await group.reduce(0, +)
            }
            #expect(settled == 1)
            let store = database.store
            let stakes = try await store.waitingStakes(after: nil)
            #expect(stakes.map(\.points) == [5, 5, 5])
            #expect(try await store.waitingStakes(after: stakes.last).isEmpty)
            // The first process ends after the donation and before its note.
            #expect(try await database.give(stakes[0], now: later) == .recorded)
            let again = try await store.waitingStakes(after: nil)
            #expect(again.map(\.donation) == stakes.map(\.donation))
            #expect(try await database.give(again[0], now: later) == .retry)
            try await database.giveStakes(now: later)
            #expect(try await store.waitingStakes(after: nil).isEmpty)
            #expect(try await database.owner.ask("select sum(points) from donation") == ["15"])
            #expect(try await store.entrants(of: id, asking: nil, now: later).map(\.gave) == [5, 5, 5])
            #expect(try await database.auditComplaints() == [])
            let last = later.advanced(bySeconds: Limits.challengeKeptDays * 86_400)
            #expect(try await store.sweepChallenges(before: later)?.rows == 0)
            #expect(try await store.sweepChallenges(before: last)?.rows == 1)
            #expect(
                try await database.owner.ask(
                    "select count(*) from challenge union all select count(*) from entry union all "
                        + "select count(*) from stake_share") == ["0", "0", "0"])
        }
    }

    @Test("points that a player owes to one challenge are not given to another") func promises() async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            try await database.addCharity("water")
            let people = try await database.friends("Ada", "Bob")
            let (ada, bob) = (people[0], people[1])
            let ids = [UUID(), UUID()]
            for id in ids {
                #expect(try await database.challenge([bob], by: ada, id: id, stake: 5, charity: .of("water")) == .made)
                #expect(try await database.enter(id, bob, for: .of("water")) == .entered)
            }
            for player in people { try await database.post(6, by: player.player, on: "derby") }
            let (store, later) = (database.store, Instant.noon.advanced(bySeconds: 3 * 86_400))
            #expect(try await store.settle(ids[0], now: later))
            #expect(try await store.waitingStakes(after: nil).map(\.points) == [5, 5])
            // The process ends after Ada's donation and before its note. It is not taken out of her points twice.
            let stake = try #require(try await store.waitingStakes(after: nil).first { $0.player == ada.player })
            let donation = NewDonation(
                stake.points, by: .player(stake.player), to: CharityName(stake.charity.slug), id: stake.donation,
                reachedAt: later)
            #expect(try await store.donate([donation], now: later)[0].outcome == .recorded)
            #expect(try await store.settle(ids[1], now: later))
            let second = try await store.waitingStakes(after: nil).filter { $0.challenge == ids[1] }
            #expect(second.map(\.points) == [1, 1])
        }
    }

    @Test("only its player is told to win by a score that is held") func held() async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            let people = try await database.friends("Ada", "Bob")
            let (ada, bob) = (people[0], people[1])
            let id = UUID()
            #expect(try await database.challenge([bob], by: ada, id: id) == .made)
            #expect(try await database.enter(id, bob) == .entered)
            try await database.post(5, by: ada.player, on: "derby")
            let score = UUID()
            try await database.post(9, by: bob.player, on: "derby", id: score)
            try await database.moderate(.hold(bob.player, score: score))
            func points(_ asking: TiePerson?) async throws -> [String] {
                try await database.store.entrants(of: id, asking: asking?.player, now: .noon).map {
                    "\($0.player.name) \($0.result.map { "\($0.points)" } ?? "-")"
                }
            }
            #expect(try await points(nil) == ["Ada 5", "Bob -"])
            #expect(try await points(ada) == ["Ada 5", "Bob -"])
            #expect(try await points(bob) == ["Bob 9", "Ada 5"])
        }
    }
}
