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
            let list = await server.send(.get, "/v1/campaigns").object["campaigns"] as? [[String: Any]]
            #expect(list?.map { $0["slug"] as? String } == ["winter"] && list?.first?["points"] == nil)
        }
    }
}
