import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Who is in which team, and on which days.
@Suite struct TeamTests {
    @Test("a player makes a team and others join by its code, as the same again") func joining() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            #expect(try await database.makeTeam("Red", by: ada) == .off)
            try await database.setTeams()
            #expect(try await database.makeTeam("Red", by: ada) == .made)
            #expect(try await database.makeTeam("Red", by: ada) == .known)
            #expect(try await database.makeTeam("Blue", by: ada) == .inTeam)
            #expect(try await database.join(bob, teamOf: ada) == .joined)
            #expect(try await database.join(bob, teamOf: ada) == .known)
            let team = try #require(try await database.store.team(of: bob.id))
            #expect(team.name == "Red" && !team.isCaptain && team.firstDay == Instant.noon.dayInUTC)
            #expect(team.codeMadeAt == nil)
            #expect(try await database.roster(of: team.id) == ["Ada*", "Bob"])
            let shown = try #require(try await database.store.findTeam(team.id, in: .defaultGame))
            #expect(shown.membersCount == 2 && shown.madeAt == .noon && shown.closedAt == nil && !shown.showsRoster)
            let cy = try await database.teamPlayer("Cy")
            #expect(try await database.makeTeam("Blue", by: cy) == .made)
            #expect(try await database.join(cy, teamOf: ada) == .inTeam)
            let stranger = TeamPlayer(id: ada.id, token: Token.generated(.device).hash)
            #expect(try await database.makeTeam("Green", by: stranger) == .unauthorized)
            let wrong = database.secret.hash(of: .generated(.team), in: .defaultGame)
            #expect(try await database.store.joinTeam(by: wrong, bob.id, with: bob.token, now: .noon) == .refused)
        }
    }

    @Test("a day belongs to one team") func days() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            var players: [TeamPlayer] = []
            for name in ["Ada", "Bob", "Cy"] { players.append(try await database.teamPlayer(name)) }
            let (ada, bob, cy) = (players[0], players[1], players[2])
            try await database.makeTeam("Red", by: ada)
            try await database.makeTeam("Blue", by: bob)
            #expect(try await database.join(cy, teamOf: ada) == .joined)
            try await database.store.leaveTeam(cy.id, now: .noon)
            #expect(try await database.days(of: cy.id) == ["Red 2026-11-20..2026-11-20"])
            // Tomorrow's membership that ends today has never been.
            #expect(try await database.join(cy, teamOf: bob) == .joined)
            #expect(try await database.store.team(of: cy.id)?.firstDay.isoDate == "2026-11-21")
            try await database.store.leaveTeam(cy.id, now: .noon)
            #expect(try await database.days(of: cy.id) == ["Red 2026-11-20..2026-11-20"])
            // Back in the same team, it has not been away.
            #expect(try await database.join(cy, teamOf: ada) == .joined)
            #expect(try await database.days(of: cy.id) == ["Red 2026-11-20.."])
            try await database.store.leaveTeam(cy.id, now: .noon(after: 6))
            #expect(try await database.join(cy, teamOf: bob, now: .noon(after: 6)) == .joined)
            #expect(try await database.days(of: cy.id) == ["Red 2026-11-20..2026-11-26", "Blue 2026-11-27.."])
            #expect(
                try await database.store.findExported(of: cy.id, now: .noon)?.0.memberships.map(\.name) == [
                    "Red", "Blue",
                ])
            // A server whose clock is behind does not let days overlap.
            try await database.store.leaveTeam(cy.id, now: .noon(after: 8))
            #expect(try await database.join(cy, teamOf: ada, now: .noon(after: 7)) == .joined)
            #expect(try await database.store.team(of: cy.id)?.firstDay.isoDate == "2026-11-29")
        }
    }

    @Test("the captain is followed by the member of longest standing, and the last one closes the team") func captains()
        async throws
    {
        try await withTestDatabase { database in
            try await database.setTeams()
            var players: [TeamPlayer] = []
            for name in ["Ada", "Bob", "Cy", "Di"] { players.append(try await database.teamPlayer(name)) }
            let (ada, bob, cy, di) = (players[0], players[1], players[2], players[3])
            try await database.makeTeam("Red", by: ada)
            let team = try #require(try await database.store.team(of: ada.id)).id
            for (minute, player) in [cy, bob, di].enumerated() {
                try await database.join(player, teamOf: ada, now: .noon.advanced(bySeconds: Int64(minute + 1) * 60))
            }
            let former = database.teamCode(at: .noon)(team)
            // Who may not write leads nobody.
            let eve = try await database.teamPlayer("Eve")
            try await database.join(eve, teamOf: ada, now: .noon.advanced(bySeconds: 30))
            try await database.owner.script("update wallet set banned = true where player_id = \(eve.id.rawValue)")
            try await database.store.leaveTeam(ada.id, now: .noon)
            #expect(try await database.roster(of: team) == ["Cy*", "Eve", "Bob", "Di"])
            try await database.store.leaveTeam(eve.id, now: .noon)
            // The code of the former captain has ended.
            #expect(try await database.store.joinTeam(by: former, ada.id, with: ada.token, now: .noon) == .refused)
            #expect(try await database.changeTeam(by: bob) { $0.makesCode = true } == .forbidden)
            #expect(try await database.changeTeam(by: cy) { $0.makesCode = true } == .known)
            #expect(try await database.join(ada, teamOf: cy) == .joined)
            #expect(try await database.changeTeam(by: cy) { $0.removed = di.id } == .known)
            #expect(try await database.changeTeam(by: cy) { $0.removed = di.id } == .noPlayer)
            #expect(try await database.changeTeam(by: cy) { $0.removed = cy.id } == .noPlayer)
            #expect(try await database.changeTeam(by: cy) { $0.captain = di.id } == .noPlayer)
            #expect(try await database.changeTeam(by: cy) { $0.captain = bob.id } == .known)
            #expect(try await database.roster(of: team) == ["Bob*", "Ada", "Cy"])
            // Everybody else sees no member with an unlisted profile.
            try await database.owner.script("update player set unlisted = true where id = \(ada.id.rawValue)")
            let shown = try await database.store.roster(of: team, withUnlisted: false)
            #expect(shown.map(\.player.name) == ["Bob", "Cy"])
            // A code of a captain who may not write brings nobody in.
            try await database.owner.script("update wallet set banned = true where player_id = \(bob.id.rawValue)")
            #expect(try await database.join(di, teamOf: bob) == .refused)
            try await database.owner.script("update wallet set banned = false where player_id = \(bob.id.rawValue)")
            for player in [bob, ada, cy] { try await database.store.leaveTeam(player.id, now: .noon(after: 1)) }
            let closed = try #require(try await database.store.findTeam(team, in: .defaultGame))
            #expect(closed.closedAt == .noon(after: 1) && closed.membersCount == 0)
            #expect(try await database.store.team(of: ada.id) == nil)
        }
    }

    @Test("all of a change is done, or nothing") func changes() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.makeTeam("Red", by: ada)
            try await database.join(bob, teamOf: ada)
            let outcome = try await database.changeTeam(by: ada) { change in
                change.name = try PlayerName("Scarlet", field: "name")
                change.removed = Player.ID(rawValue: 5)
            }
            #expect(outcome == .noPlayer)
            #expect(try await database.store.team(of: ada.id)?.name == "Red")
            let done = try await database.changeTeam(by: ada) { change in
                change.name = try PlayerName("Scarlet", field: "name")
                change.removed = bob.id
                change.makesCode = true
            }
            #expect(done == .known)
            #expect(try await database.store.team(of: ada.id)?.name == "Scarlet")
            #expect(try await database.store.team(of: bob.id) == nil)
        }
    }

    @Test("names follow the rules of the game") func names() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.setTeams(names: .filtered, refusing: ["darn"])
            #expect(try await database.makeTeam("TREES", by: ada) == .nameRefused)
            #expect(try await database.makeTeam("The D4rn ones", by: ada) == .nameRefused)
            #expect(try await database.makeTeam("Red", by: ada) == .made)
            #expect(
                try await database.changeTeam(by: ada) { $0.name = try PlayerName("darn", field: "name") }
                    == .nameRefused)
            try await database.setTeams(names: .approved)
            #expect(try await database.makeTeam("Blue", by: bob) == .made)
            let team = try #require(try await database.store.team(of: bob.id))
            #expect(team.name == "Blue", "the captain sees the name that waits")
            let shown = try #require(try await database.store.findTeam(team.id, in: .defaultGame))
            #expect(shown.name.hasPrefix("Team ") && shown.name.count == 9)
            let item = try #require(
                try await database.store.admin.queue(.teamName, limitRows: 9, withWords: false).first)
            #expect(item.team == team.id && item.player == nil && item.why == "Blue")
            try await database.moderate(.clearItem(item.item))
            #expect(try await database.store.findTeam(team.id, in: .defaultGame)?.name == "Blue")
            #expect(try await database.store.admin.queue(nil, limitRows: 9, withWords: false).isEmpty)
        }
    }

    @Test("operators rename and hide teams, and undo it") func moderation() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.makeTeam("Rude", by: ada)
            let team = try #require(try await database.store.team(of: ada.id)).id
            for (reporter, isKnown) in [(bob, false), (bob, true)] {
                #expect(
                    try await database.store.reportTeam(team, in: .defaultGame, by: reporter.id, from: nil, now: .noon)
                        == isKnown)
            }
            let none = Team.ID(rawValue: 7)
            #expect(
                try await database.store.reportTeam(none, in: .defaultGame, by: bob.id, from: nil, now: .noon) == nil)
            let item = try #require(
                try await database.store.admin.queue(.teamReport, limitRows: 9, withWords: false).first)
            #expect(item.team == team && item.why == "Rude" && item.times == 1)
            let dismissal = try await database.moderate(.clearItem(item.item))
            #expect(try await database.store.admin.queue(nil, limitRows: 9, withWords: false).isEmpty)
            try await database.moderate(.undo(dismissal))
            #expect(try await database.store.admin.queue(nil, limitRows: 9, withWords: false).count == 1)
            let rename = try await database.moderate(.renameTeam(team, PlayerName("Kind", field: "name")))
            #expect(try await database.store.findTeam(team, in: .defaultGame)?.name == "Kind")
            // What the captain chooses next waits.
            try await database.changeTeam(by: ada) { $0.name = try PlayerName("Rude", field: "name") }
            #expect(try await database.store.findTeam(team, in: .defaultGame)?.name == "Kind")
            #expect(
                try await database.store.admin.queue(.teamName, limitRows: 9, withWords: false).map(\.why) == ["Rude"])
            try await database.moderate(.undo(rename))
            #expect(try await database.store.findTeam(team, in: .defaultGame)?.name == "Rude")
            let hide = try await database.moderate(.hideTeam(team))
            #expect(try await database.store.findTeam(team, in: .defaultGame) == nil)
            #expect(try await database.store.team(of: ada.id)?.id == team, "members stay in it")
            #expect(try await database.join(bob, teamOf: ada) == .refused)
            try await database.moderate(.undo(hide))
            #expect(try await database.join(bob, teamOf: ada) == .joined)
            let action = ModerationAction(.hideTeam(none), id: UUID(), reason: try ModerationReason("a test"))
            #expect(try await database.store.admin.perform(action, by: "cli", now: .noon) == .noTeam)
            let repeated = ModerationAction(.hideTeam(team), id: hide, reason: try ModerationReason("a test"))
            guard case .repeated = try await database.store.admin.perform(repeated, by: "cli", now: .noon) else {
                throw TestDatabaseError("not repeated")
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("the members of a renamed team cannot give its former name to another one") func renamed() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let ada = try await database.teamPlayer("Ada")
            try await database.makeTeam("Rude", by: ada)
            let team = try #require(try await database.store.team(of: ada.id)).id
            try await database.moderate(.renameTeam(team, PlayerName("Kind", field: "name")))
            for _ in 1...2 {
                _ = try await database.store.leaveTeam(ada.id, now: .noon)
                try await database.makeTeam("Rude", by: ada)
                let next = try #require(try await database.store.team(of: ada.id)).id
                #expect(try await database.store.findTeam(next, in: .defaultGame)?.name.hasPrefix("Team ") == true)
                let queue = try await database.store.admin.queue(.teamName, limitRows: 9, withWords: false)
                #expect(queue.map(\.team) == [next])
            }
        }
    }

    @Test("the game's server makes teams and says who is in them") func server() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let red = try PlayerName("Red", field: "name")
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            #expect(try await store.putTeam("g1", named: red, in: .defaultGame, now: .noon).outcome == .off)
            try await database.setTeams(.server, size: 2)
            let (made, team) = try await store.putTeam("g1", named: red, in: .defaultGame, now: .noon)
            #expect(made == .made)
            #expect(try await store.putTeam("g1", named: red, in: .defaultGame, now: .noon) == (.known, team))
            let scarlet = try PlayerName("Scarlet", field: "name")
            #expect(try await store.putTeam("g1", named: scarlet, in: .defaultGame, now: .noon) == (.renamed, team))
            #expect(try await store.putTeam("g1", named: red, in: .of("none"), now: .noon).outcome == .noGame)
            #expect(try await database.makeTeam("Blue", by: ada) == .off)
            #expect(try await store.place(ada.id, in: "g2", of: .defaultGame, now: .noon) == .noTeam)
            #expect(try await store.place(ada.id, in: "g1", of: .defaultGame, now: .noon) == .joined)
            #expect(try await store.place(ada.id, in: "g1", of: .defaultGame, now: .noon) == .known)
            #expect(try await store.place(bob.id, in: "g1", of: .defaultGame, now: .noon) == .joined)
            let cy = try await database.teamPlayer("Cy")
            #expect(try await store.place(cy.id, in: "g1", of: .defaultGame, now: .noon) == .full)
            #expect(try await store.remove(ada.id, from: "g1", of: .defaultGame, now: .noon) == .known)
            #expect(try await store.remove(ada.id, from: "g1", of: .defaultGame, now: .noon) == .known)
            #expect(try await store.place(cy.id, in: "g1", of: .defaultGame, now: .noon) == .joined)
            #expect(Set(try await database.roster(of: try #require(team))) == ["Bob", "Cy"], "it has no captain")
            for player in [bob, cy] {
                #expect(try await store.remove(player.id, from: "g1", of: .defaultGame, now: .noon) == .known)
            }
            #expect(try await store.findTeam(try #require(team), in: .defaultGame)?.closedAt == .noon)
            #expect(try await store.place(cy.id, in: "g1", of: .defaultGame, now: .noon) == .joined)
            #expect(try await store.findTeam(try #require(team), in: .defaultGame)?.closedAt == nil)
        }
    }
}
