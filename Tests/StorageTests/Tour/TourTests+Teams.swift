import Credentials
import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

extension TourTests {
    /// Teams of players and of the game's server, and their ranking.
    func teams(_ database: TestDatabase) async throws {
        let store = database.store
        try await database.setTeams(rosters: .public)
        let (eve, fay) = (try await database.teamPlayer("Eve"), try await database.teamPlayer("Fay"))
        #expect(try await database.makeTeam("Red", by: eve) == .made)
        #expect(try await database.join(fay, teamOf: eve) == .joined)
        let team = try #require(try await store.team(of: eve.id))
        let today = Instant.noon.dayInUTC
        #expect(team == OwnTeam(id: team.id, name: "Red", isCaptain: true, firstDay: today, codeMadeAt: .noon))
        let members = [(eve.id, "Eve", true), (fay.id, "Fay", false)].map { id, name, isCaptain in
            TeamMember(player: PublicProfile(id: id, name: name, avatar: nil), isCaptain: isCaptain)
        }
        #expect(try await store.roster(of: team.id, withUnlisted: true) == members)
        let shown = Team(id: team.id, name: "Red", membersCount: 2, madeAt: .noon, closedAt: nil, showsRoster: true)
        #expect(try await store.findTeam(team.id, in: .defaultGame) == shown)
        #expect(try await store.shownTeam(of: fay.id)?.name == "Red")
        let change = try await database.changeTeam(by: eve) { change in
            change.name = try PlayerName("Scarlet", field: "name")
            change.captain = fay.id
            change.makesCode = true
        }
        #expect(change == .known)
        #expect(
            try await store.findExported(of: eve.id, now: .noon)?.0.memberships == [
                Membership(team: team.id, name: "Scarlet", firstDay: today, lastDay: nil, isCaptain: false)
            ])

        let board = try await database.addBoard("relay") { board in
            board.policy = .sum
            board.teams = .sum
        }
        for (player, points) in [(eve, Int64(5)), (fay, 7)] {
            try await database.post(points, by: player.id, on: "relay", at: .noon)
        }
        let (page, counts) = try await store.teamPage(of: board.id, days: nil, pageRequest: .top, limitRows: 3)
        #expect(page.rows.map(\.points) == [12] && page.rows.map(\.name) == ["Scarlet"] && counts == [2])
        #expect(page.position == 1 && page.sharedPosition == 1 && page.size == 1)
        #expect(page.rows.first?.sortKey.row == team.id.rawValue && page.rows.first?.reachedAt == .noon)

        let points = TeamPoints(team: team.id, points: 12, reachedAt: .noon, membersCount: 2)
        #expect(try await store.teamStandings(on: board.id, days: nil, limitRows: 9) == [points])
        let tallies = try await store.teamTallies(of: [team.id], on: board.id, days: nil, lastDay: today)
        #expect(TeamPoints.of(tallies, policy: .sum, lowestFirst: false, scoring: .sum) == [points])
        #expect(try await store.names(of: [team.id]) == [team.id: "Scarlet"])

        #expect(try await store.reportTeam(team.id, in: .defaultGame, by: eve.id, from: 7, now: .noon) == false)
        let reports = try await store.exportedTeamReports(of: eve.id, after: nil, limitRows: 9)
        #expect(reports.map(\.key.team) == [team.id] && reports.map(\.reportedAt) == [.noon])
        #expect(try await store.exportedTeamReports(of: eve.id, after: reports.first?.key, limitRows: 9).isEmpty)
        let item = try #require(try await store.admin.queue(.teamReport, limitRows: 9, withWords: true).first)
        let dismissal = try await database.moderate(.clearItem(item.item))
        try await database.moderate(.undo(dismissal))
        let rename = try await database.moderate(.renameTeam(team.id, PlayerName("Kind", field: "name")))
        let again = ModerationAction(
            .renameTeam(team.id, try PlayerName("Kind", field: "name")), id: UUID(),
            reason: try ModerationReason("a test"))
        #expect(try await store.admin.perform(again, by: "cli", now: .noon) == .conflict(rename))
        try await database.changeTeam(by: fay) { $0.name = try PlayerName("Asked", field: "name") }
        let waiting = try #require(try await store.admin.queue(.teamName, limitRows: 9, withWords: true).first)
        try await database.moderate(.clearItem(waiting.item))
        try await database.moderate(.hideTeam(team.id))
        #expect(try await store.findTeam(team.id, in: .defaultGame) == nil)

        let name = try PlayerName("Blue", field: "name")
        let (outcome, other) = try await store.putTeam("guild", named: name, in: .defaultGame, now: .noon)
        #expect(outcome == .made && other != nil)
        let listed = try await store.admin.teams(of: .defaultGame, after: nil, limitRows: 9)
        #expect(Set(listed.map(\.name)) == ["Asked", "Blue"] && listed.count { $0.isHidden } == 1)
        #expect(listed.first { $0.name == "Blue" }?.external == "guild")
        try await store.leaveTeam(eve.id, now: .noon)
        #expect(try await store.place(eve.id, in: "guild", of: .defaultGame, now: .noon) == .joined)
        #expect(try await store.remove(eve.id, from: "guild", of: .defaultGame, now: .noon) == .known)
        #expect(try await database.days(of: eve.id) == ["Asked 2026-11-20..2026-11-20"])
    }
}
