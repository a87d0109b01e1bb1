import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Players who enter campaigns, and their cohorts.
@Suite struct CohortTests {
    private static let slug = Slug.of("winter")

    private static func add(_ database: TestDatabase, _ subject: NewCampaign.Subject, cohort: Int64?) async throws {
        let new = try NewCampaign(
            slug: slug, name: nil, text: nil, subject: subject, firstDay: Day(text: "2026-11-20"),
            lastDay: Day(text: "2026-11-22"), goal: nil, cohort: cohort, milestones: [])
        #expect(try await database.store.admin.addCampaign(new, now: .noon) == .added)
    }

    /// The outcome and the place: `entered 1/2`.
    @discardableResult private static func enter(_ database: TestDatabase, _ player: TiePerson, at now: Instant = .noon)
        async throws -> String
    {
        let entry = try await database.store.enter(slug, by: player.player, with: player.token, now: now)
        return "\(entry.outcome.rawValue) \(entry.place.map { "\($0.cohort)/\($0.of)" } ?? "-")"
    }

    @Test("each player gets a place in the newest cohort with room, and keeps it") func places() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await Self.add(database, .charity(.of("water")), cohort: 2)
            var players: [TiePerson] = []
            for name in ["Ada", "Bob", "Cy", "Dee", "Eve"] { players.append(try await TiePerson(name, database)) }
            var found: [String] = []
            for player in players { found.append(try await Self.enter(database, player)) }
            #expect(found == ["entered 1/2", "entered 1/2", "entered 2/2", "entered 2/2", "entered 3/2"])
            #expect(try await Self.enter(database, players[1]) == "known 1/2")
            let cohort = try await database.store.cohort(of: players[2].player, in: Self.slug)
            #expect(cohort == [players[2].player, players[3].player].sorted())
            // Later players get the new size. Players who have entered keep their places.
            var change = CampaignChange()
            change.cohort = .set(3)
            #expect(try await database.store.admin.setCampaign(Self.slug, change, now: .noon) == .set)
            let (fay, gil) = (try await TiePerson("Fay", database), try await TiePerson("Gil", database))
            #expect(try await Self.enter(database, fay) == "entered 3/3")
            #expect(try await Self.enter(database, players[4]) == "known 3/2")
            change.cohort = .clear
            #expect(try await database.store.admin.setCampaign(Self.slug, change, now: .noon) == .set)
            #expect(try await Self.enter(database, gil) == "no-cohorts -")
            #expect(try await Self.enter(database, players[0]) == "known 1/2")
            let later = Instant.at("2026-11-23T00:00:00Z")
            change.cohort = .set(3)
            #expect(try await database.store.admin.setCampaign(Self.slug, change, now: .noon) == .set)
            #expect(try await Self.enter(database, gil, at: later) == "over -")
            #expect(try await database.store.cohort(of: gil.player, in: Self.slug) == [])
            let unknown = try await database.store.enter(.of("summer"), by: gil.player, with: gil.token, now: .noon)
            #expect(unknown.outcome == .noCampaign)
        }
    }

    @Test("players who enter at the same moment fill cohorts one by one") func races() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await Self.add(database, .charity(.overall), cohort: 3)
            var players: [TiePerson] = []
            for number in 0..<12 { players.append(try await TiePerson("P\(number)", database)) }
            try await withThrowingTaskGroup(of: String.self) { group in
                for player in players { group.addTask { try await Self.enter(database, player) } }
                for try await place in group { #expect(place.hasPrefix("entered ")) }
            }
            #expect(
                try await database.owner.ask(
                    "select cohort || ' ' || count(*) from cohort_member group by cohort order by 1") == [
                        "1 3", "2 3", "3 3", "4 3",
                    ])
        }
    }

    @Test("merged players have the survivor's cohort, and an erased player leaves no row") func merges() async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            try await database.addBoard("lap")
            try await Self.add(database, .board(game: .defaultGame, board: .of("lap")), cohort: 2)
            let (ada, bob) = (try await TiePerson("Ada", database), try await TiePerson("Bob", database))
            let (cy, dee) = (try await TiePerson("Cy", database), try await TiePerson("Dee", database))
            let other = try await TiePerson("Eve", database)
            try await database.owner.script(
                "update player set game_id = (select id from game where slug = 'maze') where id = \(other.player.rawValue)"
            )
            #expect(try await Self.enter(database, other) == "other-game -")
            for player in [ada, bob, cy] { try await Self.enter(database, player) }
            try await database.moderate(.merge(bob.player, into: cy.player))
            func cohort(_ player: Player.ID) async throws -> [Player.ID] {
                try await database.store.cohort(of: player, in: Self.slug)
            }
            #expect(try await cohort(cy.player) == [cy.player])
            #expect(try await cohort(ada.player) == [ada.player])
            // A survivor that has not entered has the cohort of the player merged into it.
            try await database.moderate(.merge(ada.player, into: dee.player))
            #expect(try await cohort(dee.player) == [dee.player])
            let kept = try await database.store.exportedCohorts(of: dee.player, after: nil, limitRows: 9)
            #expect(kept.map(\.key.campaign) == [Self.slug] && kept.map(\.cohort) == [1] && kept.map(\.of) == [2])
            #expect(kept.first?.key.player == ada.player && kept.first?.enteredAt == .noon)
            #expect(
                try await database.store.exportedCohorts(of: dee.player, after: kept.first?.key, limitRows: 9).isEmpty)
            try await database.moderate(.erase(dee.player, confirming: "Dee"))
            #expect(
                try await database.owner.ask("select player_id from cohort_member order by 1")
                    == [bob.player, cy.player].sorted().map { "\($0.rawValue)" })
        }
    }
}
