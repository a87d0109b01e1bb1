import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// What the audit finds in the stakes of a challenge.
@Suite struct StakeAuditTests {
    private static let later = Instant.noon.advanced(bySeconds: 3 * 86_400)

    /// Ada, Bob and Cy have entered a challenge for a stake of 5. Ada, who named `trees`, and Bob, who named `water`,
    /// tie. So each gives 3 points to `trees` and 2 to `water`.
    private func withChallenge(_ body: (TestDatabase, [TiePerson]) async throws -> Void) async throws {
        try await withTestDatabase { database in
            _ = try await database.allowChallenges()
            try await database.owner.script("update board set ties = 'shared' where slug = 'derby'")
            for charity in ["trees", "water"] { try await database.addCharity(charity) }
            let people = try await database.friends("Ada", "Bob", "Cy", "Dan")
            let id = UUID()
            let made = try await database.challenge(
                [people[1], people[2]], by: people[0], id: id, stake: 5, charity: .of("trees"))
            #expect(made == .made)
            for player in people[1...2] { #expect(try await database.enter(id, player, for: .of("water")) == .entered) }
            for (player, points) in zip(people, [20, 20, 9]) {
                try await database.post(Int64(points), by: player.player, on: "derby")
            }
            try await body(database, people)
        }
    }

    private func complaints(_ database: TestDatabase) async throws -> [String] {
        try await Auditor(database.store).findings().filter { $0.differing > 0 }.map(\.subject)
    }

    @Test(
        "the audit finds a stake that does not follow from its challenge, or was not donated",
        arguments: [
            "update challenge set state = 'lapsed', winners = 0", "update challenge set winners = 0",
            "update challenge set stake = 4", "delete from challenge", "update challenge set winners = 1",
            "update entry set state = 'left' where player_id = :cy", "delete from entry where player_id = :cy",
            "update entry set won = true where player_id = :cy",
            "update entry set won = false where player_id = :bob; update challenge set winners = 1",
            "update entry set charity_id = :trees where player_id = :bob",
            "update stake_share set donation = gen_random_uuid() where player_id = :cy and points = 2",
            "update stake_share set points = 4, gave = 4 where player_id = :cy and points = 2",
            "update stake_share set points = 1, gave = null where player_id = :cy and points = 3",
            "update stake_share set points = 5 - points, gave = null where player_id = :cy",
            "delete from stake_share where player_id = :cy and points = 2",
        ]) func tampering(statement: String) async throws
    {
        try await withChallenge { database, people in
            #expect(try await database.settleChallenges(now: Self.later) == 1)
            try await database.giveStakes(now: Self.later)
            #expect(
                try await database.owner.ask("select gave || ' ' || count(*) from stake_share group by gave order by 1")
                    == ["2 3", "3 3"])
            #expect(try await complaints(database) == [])
            let trees = try await database.owner.ask("select id from charity where slug = 'trees'")[0]
            let names = [
                (":bob", "\(people[1].player.rawValue)"), (":cy", "\(people[2].player.rawValue)"), (":trees", trees),
            ]
            try await database.owner.script(names.reduce(statement) { $0.replacing($1.0, with: $1.1) })
            #expect(try await complaints(database) == ["stakes of challenges"])
        }
    }

    @Test("waiting stakes, refused stakes and erased winners are no findings") func good() async throws {
        try await withChallenge { database, people in
            let (ada, cy, dan) = (people[0], people[2], people[3])
            let merge = try await database.moderate(.merge(cy.player, into: dan.player))
            // Cy has 4 of 9 points left.
            try await database.donate(5, by: dan.player, to: "water")
            #expect(try await database.settleChallenges(now: Self.later) == 1)
            #expect(try await complaints(database) == [])
            let stakes = try await database.store.waitingStakes(after: nil)
            #expect(stakes.filter { $0.player == cy.player }.map(\.points) == [2, 2])
            // Cy's own donation has the id of a stake, and another number of points.
            let stake = try #require(stakes.first { $0.player == cy.player })
            try await database.donate(1, by: dan.player, to: "\(stake.charity.slug)", id: stake.donation)
            try await database.giveStakes(now: Self.later)
            #expect(try await database.owner.ask("select sum(gave) from stake_share") == ["12"])
            #expect(try await complaints(database) == [])
            // What was donated as the survivor stays the survivor's.
            try await database.moderate(.undo(merge))
            #expect(try await complaints(database) == [])
            try await database.moderate(.erase(ada.player, confirming: "Ada"))
            #expect(try await complaints(database) == [])
        }
    }
}
