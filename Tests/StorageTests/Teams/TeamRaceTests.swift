import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Teams whose members come, leave, merge and are erased at once.
@Suite struct TeamRaceTests {
    private static func players(_ count: Int, _ database: TestDatabase) async throws -> [TeamPlayer] {
        var players: [TeamPlayer] = []
        for number in 0..<count { players.append(try await database.teamPlayer("P\(number)")) }
        return players
    }

    /// What must be true whatever happened: nobody is in two teams, and no day of a player is in two. Of teams that
    /// players made each open one has members and one captain, and each closed one has none.
    private static func complaints(_ database: TestDatabase) async throws -> [String] {
        try await database.owner.ask(
            """
            select 'overlap of ' || a.player_id
              from member a join member b on a.player_id = b.player_id and a.first_day < b.first_day
             where a.last_day is null or a.last_day >= b.first_day
             union all
            select 'in two teams: ' || coalesce(g.survivor_id, m.player_id)
              from member m left join merge g on g.player_id = m.player_id
             where m.last_day is null
             group by coalesce(g.survivor_id, m.player_id)
            having count(distinct m.team_id) > 1
             union all
            select 'captains of ' || t.id || ': ' || count(m.player_id) filter (where m.captain)
              from team t left join member m on m.team_id = t.id and m.last_day is null
             where t.external is null
             group by t.id
            having count(m.player_id) filter (where m.captain) <> case when t.closed_at is null then 1 else 0 end
                or (count(m.player_id) = 0) <> (t.closed_at is not null)
             union all
            select 'erased in a team: ' || m.player_id
              from member m join erasure e on e.player_id = m.player_id
             where m.last_day is null
            """)
    }

    @Test("of many who join at once as many get in as there is room for") func room() async throws {
        try await withTestDatabase { database in
            try await database.setTeams(size: 5)
            let players = try await Self.players(16, database)
            try await database.makeTeam("Red", by: players[0])
            let outcomes = try await together(15) { try await database.join(players[$0 + 1], teamOf: players[0]) }
            #expect(outcomes.count { $0 == .joined } == 4)
            #expect(outcomes.count { $0 == .full } == 11)
            let team = try #require(try await database.store.team(of: players[0].id))
            #expect(try await database.roster(of: team.id).count == 5)
        }
    }

    @Test("a player who makes many teams at once has one") func makers() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let ada = try await database.teamPlayer("Ada")
            let outcomes = try await together(8) { try await database.makeTeam("T\($0)", by: ada) }
            #expect(outcomes.count { $0 == .made } == 1)
            #expect(outcomes.count { $0 == .inTeam } == 7)
            #expect(try await Self.complaints(database) == [])
        }
    }

    @Test("a team that everybody leaves at once is closed, and has a captain until then") func leaving() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let players = try await Self.players(8, database)
            try await database.makeTeam("Red", by: players[0])
            let team = try #require(try await database.store.team(of: players[0].id)).id
            for player in players.dropFirst() { try await database.join(player, teamOf: players[0]) }
            _ = try await together(7) { try await database.store.leaveTeam(players[$0].id, now: .noon) }
            #expect(try await database.roster(of: team) == ["P7*"])
            #expect(try await Self.complaints(database) == [])
            _ = try await together(2) { _ in try await database.store.leaveTeam(players[7].id, now: .noon) }
            #expect(try await database.store.findTeam(team, in: .defaultGame)?.closedAt == .noon)
            #expect(try await Self.complaints(database) == [])
        }
    }

    @Test(
        "joins, leaves, removals, hand-overs, merges and erasures at once leave every team in order", arguments: 1...3)
    func everything(round: Int) async throws {
        try await withTestDatabase { database in
            try await database.setTeams(size: 6)
            let players = try await Self.players(12, database)
            for (index, name) in ["Red", "Blue", "Green"].enumerated() {
                try await database.makeTeam(name, by: players[index])
            }
            _ = try await together(36) { number in
                let (player, other) = (players[number % 12], players[(number * 5 + round) % 12])
                do {
                    switch (number + round) % 6 {
                    case 0, 1: try await database.join(player, teamOf: other)
                    case 2: try await database.store.leaveTeam(player.id, now: .noon)
                    case 3: try await database.changeTeam(by: player) { $0.removed = other.id }
                    case 4: try await database.changeTeam(by: player) { $0.captain = other.id }
                    default:
                        let kind: ModerationKind =
                            number % 2 == 0
                            ? .merge(player.id, into: other.id) : .erase(player.id, confirming: "P\(number % 12)")
                        let action = ModerationAction(kind, id: UUID(), reason: try ModerationReason("a test"))
                        _ = try await database.store.admin.perform(action, by: "cli", now: .noon)
                    }
                } catch StoreError.overloaded {
                    // It waited for a lock for too long; nothing was done.
                }
            }
            #expect(try await Self.complaints(database) == [])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a merge ends the membership of who is merged where both are in teams, and an undo parts the rest")
    func merges() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let players = try await Self.players(4, database)
            let (ada, bob, cy, di) = (players[0], players[1], players[2], players[3])
            try await database.makeTeam("Red", by: ada)
            try await database.makeTeam("Blue", by: bob)
            try await database.join(cy, teamOf: bob)
            let merge = try await database.moderate(.merge(bob.id, into: ada.id))
            #expect(try await database.store.team(of: ada.id)?.name == "Red")
            #expect(try await database.store.team(of: cy.id)?.isCaptain == true)
            #expect(try await Self.complaints(database) == [])
            try await database.moderate(.undo(merge))
            #expect(try await database.store.team(of: bob.id) == nil)
            #expect(try await database.days(of: bob.id) == ["Blue 2026-11-20..2026-11-20"])
            // Who is in no team is in the team of those who come to it, until they part.
            let other = try await database.moderate(.merge(cy.id, into: di.id))
            #expect(try await database.store.team(of: di.id)?.isCaptain == true)
            let blue = try #require(try await database.store.team(of: di.id)).id
            #expect(try await database.roster(of: blue) == ["P3*"])
            try await database.moderate(.undo(other))
            #expect(try await database.store.team(of: di.id) == nil)
            #expect(try await database.store.team(of: cy.id)?.isCaptain == true)
            try await database.moderate(.merge(cy.id, into: di.id))
            try await database.moderate(.erase(di.id, confirming: "P3"))
            #expect(try await database.store.findTeam(blue, in: .defaultGame)?.closedAt == .noon)
            #expect(try await Self.complaints(database) == [])
        }
    }

    @Test("a device of a player who was in a team leaves no such player behind") func histories() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.makeTeam("Red", by: bob)
            let code = try await database.joinCode(of: ada.token)
            #expect(try await database.join("Bob", bob.token, by: code) == "has-history")
            #expect(try await Self.complaints(database) == [])
        }
    }
}
