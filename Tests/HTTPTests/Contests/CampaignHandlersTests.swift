import Domain
import Foundation
import HTTPTypes
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Campaigns as everybody sees them.
@Suite struct CampaignHandlersTests {
    @Test("a campaign shows its points, its milestones and the ranking of its days, as they are now") func shown()
        async throws
    {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob")
            let new = try NewCampaign(
                slug: .of("winter"), name: .of("Winter"), text: nil, subject: .charity(.of("water")),
                firstDay: Day(text: "2026-11-26"), lastDay: Day(text: "2026-11-27"), goal: 30,
                milestones: [Milestone(points: 5, name: "A pump"), Milestone(points: 20, name: "A well")])
            let outcome = try await server.database.store.admin.addCampaign(new, now: .noon)
            #expect(outcome == .added)
            #expect(await server.send(.get, "/v1/campaigns/summer").problemName == "not-found")
            let path = "/v1/campaigns/winter"
            let before = await server.send(.get, path).object
            #expect(before["state"] as? String == "open" && before["points"] as? Int == 0)
            for (player, points) in zip(players, [4, 6]) {
                await server.post(50, by: player, on: "purse")
                let id = UUID().uuidString.lowercased()
                let donated = await server.send(
                    .put, "/v1/charities/water/donations/\(id)", #"{"points":\#(points)}"#, by: player)
                #expect(donated.status == .created)
            }
            let after = await server.send(.get, path).object
            #expect(after["points"] as? Int == 10 && after["contributors"] as? Int == 2)
            #expect(after["progress"] as? Double == 33.3 && after["to_next"] as? Int == 10)
            let marks = after["milestones"] as? [[String: Any]] ?? []
            // Posts of one moment are some microseconds apart.
            #expect(marks.map { ($0["reached_at"] as? String)?.prefix(19) } == ["2026-11-26T08:00:00", nil])
            let top = await server.send(.get, path + "/top.json").object
            #expect((top["rows"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Bob", "Ada"])
            #expect(top["window"] as? String == "2026-11-26..2026-11-27")
            server.setClock("2026-11-28T00:00:00Z")
            let over = await server.send(.get, path).object
            #expect(over["state"] as? String == "over" && over["final"] as? Bool == true)
            let list = await server.send(.get, "/v1/campaigns").object["rows"] as? [[String: Any]]
            #expect(list?.map { $0["slug"] as? String } == ["winter"] && list?.first?["points"] == nil)
            #expect(list?.first?["state"] as? String == "over" && list?.first?["charity"] as? String == "water")
            #expect(await server.send(.get, path + "/live").status == .noContent)
        }
    }

    @Test("campaigns are listed from a position, in every format") func list() async throws {
        try await ChallengeServer.run { server in
            for (slug, last) in [("one", "2026-11-27"), ("two", "2026-11-29"), ("three", "2026-11-28")] {
                let new = try NewCampaign(
                    slug: .of(slug), name: nil, text: "<\(slug)>",
                    subject: .board(game: ChallengeServer.game, board: .of("lap")), firstDay: Day(text: "2026-11-27"),
                    lastDay: Day(text: last), goal: nil, milestones: [])
                #expect(try await server.database.store.admin.addCampaign(new, now: .noon) == .added)
            }
            let list = await server.send(.get, "/v1/campaigns.json?limit=2&from=2").object
            let rows = list["rows"] as? [[String: Any]] ?? []
            #expect(rows.map { $0["slug"] as? String } == ["three", "one"] && list["of"] as? Int == 3)
            #expect(rows.allSatisfy { $0["game"] as? String == "maze" && $0["state"] as? String == "coming" })
            let xml = await server.send(.get, "/v1/campaigns.xml").text
            #expect(xml.contains("<text>&lt;two&gt;</text>") && xml.contains("<first-day>2026-11-27</first-day>"))
            for format in ["plist", "csv", "atom", "html"] {
                #expect(await server.send(.get, "/v1/campaigns.\(format)").status == .ok)
            }
            #expect(await server.send(.get, "/v1/campaigns/one/teams/top").status == .notFound)
        }
    }

    @Test("a player who enters a campaign is ranked in its cohort") func cohorts() async throws {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob", "Cy")
            let new = try NewCampaign(
                slug: .of("race"), name: nil, text: nil, subject: .board(game: ChallengeServer.game, board: .of("lap")),
                firstDay: Day(text: "2026-11-26"), lastDay: Day(text: "2026-11-27"), goal: nil, cohort: 2,
                milestones: [])
            #expect(try await server.database.store.admin.addCampaign(new, now: .noon) == .added)
            let (path, top) = ("/v1/campaigns/race/entry", "/v1/campaigns/race/players/me/cohort.json")
            #expect(await server.send(.put, path).status == .unauthorized)
            #expect(await server.send(.put, "/v1/campaigns/none/entry", by: players[0]).status == .notFound)
            #expect(await server.send(.get, top, by: players[0]).status == .notFound)
            for (player, points) in zip(players, [70, 50, 60]) { await server.post(points, by: player) }
            let entered = await server.send(.put, path, by: players[0])
            #expect(entered.status == .created && entered.headers[.location] == "/v1/campaigns/race/players/me/cohort")
            #expect(entered.object["cohort"] as? Int == 1 && entered.object["of"] as? Int == 2)
            let again = await server.send(.put, path, by: players[0])
            #expect(again.status == .ok && again.headers[.idempotentReplayed] == "true")
            _ = await server.send(.put, path, by: players[2])
            #expect(await server.send(.put, path, by: players[1]).object["cohort"] as? Int == 2)
            let cohort = await server.send(.get, top, by: players[0])
            let rows = cohort.object["rows"] as? [[String: Any]] ?? []
            // Low is good. Bob, who leads, is in another cohort.
            #expect(rows.map { $0["name"] as? String } == ["Cy", "Ada"])
            #expect(rows.map { $0["rank"] as? Int } == [2, 3] && rows.map { $0["among"] as? Int } == [1, 2])
            #expect(cohort.object["among"] as? String == "cohort" && cohort.object["of"] as? Int == 2)
            #expect(cohort.headers[.cacheControl] == "private, no-store")
            server.setClock("2026-11-28T00:00:00Z")
            #expect(await server.send(.put, path, by: players[0]).status == .ok)
            let late = try await server.friends("Dee")
            #expect(await server.send(.put, path, by: late[0]).problemName == "challenge-over")
        }
    }
}
