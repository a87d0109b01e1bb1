import Domain
import Foundation
import HTTPTypes
import Leaderboard
import NIOCore
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// The pages, embeds and pictures of campaigns.
@Suite struct CampaignPagesTests {
    @Test("the page of a campaign follows its donations, and other pages link to it while it is open") func donations()
        async throws
    {
        try await ChallengeServer.run { server in
            #expect(await !server.page("/privacy").contains("href=\"/campaigns\""))
            #expect(await server.page("/campaigns").contains("There are no campaigns yet."))
            let players = try await server.friends("Ada", "Bob")
            try await server.campaign(
                "winter", name: "Winter <b>", .charity(.of("water")), "2026-11-26", "2026-11-27", goal: 40,
                milestones: [5, 20])
            server.responder.handlers.campaigns.rankings.forgetCampaigns()
            let empty = await server.page("/campaigns/winter")
            #expect(empty.contains("Winter &lt;b&gt;") && empty.contains("2 days left"))
            #expect(empty.contains("Nobody has given anything yet."))
            await server.post(50, by: players[0], on: "purse")
            let id = UUID().uuidString.lowercased()
            let donated = await server.send(
                .put, "/v1/charities/water/donations/\(id)", #"{"points":10}"#, by: players[0])
            #expect(donated.status == .created)
            let page = await server.page("/campaigns/winter")
            #expect(page.contains("data-points=\"10\" data-contributors=\"1\"") && page.contains("25.0%"))
            #expect(page.contains("Reached on 26 November 2026, 08:00") && page.contains("10 to go."))
            #expect(page.contains("Ada"))
            #expect(page.contains("/charities/water/contributors?window=2026-11-26..2026-11-27"))
            #expect(page.contains("/cards/campaigns/winter.png") && page.contains("/v1/campaigns/winter/top.csv"))
            for path in ["/", "/campaigns", "/charities/water"] {
                let text = await server.page(path)
                #expect(text.contains("href=\"/campaigns/winter\"") && text.contains("2 days left"), "\(path)")
            }
            #expect(await !server.page("/charities/books").contains("href=\"/campaigns/winter\""))
            #expect(await server.page("/privacy").contains("href=\"/campaigns\""))
            let embed = await server.page("/embed/campaigns/winter?size=l")
            #expect(embed.contains("data-event=\"campaign\"") && embed.contains("2 days left"))
            #expect(await server.page("/overlay/campaigns/winter").contains("class=\"clear\""))
            let svg = await server.page("/embed/campaigns/winter.svg?shape=badge")
            #expect(svg.hasPrefix("<svg") && svg.contains(">10<"))

            server.setClock("2026-11-27T12:00:00Z")
            #expect(await server.page("/campaigns/winter").contains("Ends tonight at midnight (UTC)"))
            server.setClock("2026-11-28T00:00:00Z")
            let over = await server.page("/campaigns/winter")
            #expect(over.contains("Ended on 27 November 2026") && !over.contains("data-live-total"))
            for path in ["/", "/charities/water"] {
                #expect(await !server.page(path).contains("href=\"/campaigns/winter\""), "\(path)")
            }
        }
    }

    @Test("a campaign over a score board ranks its days in the zone of the board, and has no total to draw")
    func scores() async throws {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob")
            let board = NewCampaign.Subject.board(game: ChallengeServer.game, board: .of("lap"))
            try await server.campaign("cup", name: "Cup", board, "2026-11-26", "2026-11-26")
            for (player, points) in zip(players, [70, 30]) { await server.post(points, by: player) }
            let page = await server.page("/campaigns/cup")
            #expect(page.contains("Ends tonight at midnight (Europe/Berlin)"))
            let (bob, ada) = (page.range(of: ">Bob<"), page.range(of: ">Ada<"))
            #expect(try #require(bob).lowerBound < #require(ada).lowerBound)
            #expect(page.contains("data-live=\"/v1/campaigns/cup/live\"") && !page.contains("Milestones"))
            #expect(await server.page("/games/maze/boards/lap").contains("href=\"/campaigns/cup\""))
            #expect(await !server.page("/games/maze/boards/purse").contains("href=\"/campaigns/cup\""))
            let embed = await server.page("/embed/campaigns/cup?limit=1")
            #expect(embed.contains(">Bob<") && !embed.contains(">Ada<"))
            #expect(await server.send(.get, "/embed/campaigns/cup.svg").problemName == "not-found")
            // Midnight in Berlin.
            server.setClock("2026-11-26T23:00:00Z")
            #expect(await server.page("/campaigns/cup").contains("Ended on 26 November 2026"))
        }
    }

    @Test("campaigns are on pages of twenty, and a page beyond the end is the first one") func many() async throws {
        try await ChallengeServer.run { server in
            try await server.campaign("open", name: "Open", .charity(.overall), "2026-11-26", "2026-11-26")
            for number in 1...24 {
                try await server.campaign(
                    "coming-\(number)", name: "Coming", .charity(.overall), "2026-12-\(number)", "2026-12-\(number)")
            }
            let first = await server.page("/campaigns")
            #expect(first.components(separatedBy: "href=\"/campaigns/").count == 21)
            let (open, coming) = (first.range(of: "Open now"), first.range(of: "Coming up"))
            #expect(try #require(open).lowerBound < #require(coming).lowerBound)
            #expect(first.contains("1–20 of 25") && first.contains("href=\"/campaigns?from=21\""))
            let second = await server.page("/campaigns?from=21")
            #expect(second.contains("href=\"/campaigns/coming-24\"") && !second.contains("Open now"))
            #expect(await server.page("/campaigns?from=1000") == server.page("/campaigns"))
            #expect(await server.send(.get, "/campaigns/none").problemName == "not-found")
        }
    }

    @Test("the page of a game links to its awards once it has any") func awards() async throws {
        try await ChallengeServer.run { server in
            #expect(await !server.page("/games/maze").contains("/games/maze/awards"))
            let award = Award(name: .of("First"), text: nil, rule: .granted, isSecret: false)
            let outcome = try await server.database.store.admin.addAward(
                .of("first"), award, in: ChallengeServer.game, now: .noon)
            #expect(outcome == .added)
            #expect(await server.page("/games/maze").contains("href=\"/games/maze/awards\""))
        }
    }

    @Test("a board of many seasons lists the newest fifty") func seasons() async throws {
        try await ChallengeServer.run { server in
            try await server.database.owner.script(
                """
                update board set season = 120 where slug = 'lap';
                insert into board (kind, game_id, slug, name, policy, season, season_ended_at, added_at)
                select 'score', b.game_id, b.slug, b.name, b.policy, n, '2026-01-01', b.added_at
                  from board b cross join generate_series(1, 119) n where b.slug = 'lap'
                """)
            let board = await server.send(.get, "/v1/games/maze/boards/lap").object
            let listed = (board["seasons"] as? [[String: Any]])?.map { $0["season"] as? Int }
            #expect(listed == (71...120).reversed().map(Int?.some))
            let page = await server.page("/games/maze/boards/lap")
            #expect(page.components(separatedBy: "<option value=\"").count { $0.hasPrefix("71\"") } == 1)
            #expect(!page.contains("<option value=\"70\"") && page.contains("/lap/winners?season=70"))
        }
    }
}

extension ChallengeServer {
    fileprivate func page(_ path: String) async -> String { String(buffer: await send(.get, path).body) }

    fileprivate func campaign(
        _ slug: String, name: String, _ subject: NewCampaign.Subject, _ first: String, _ last: String,
        goal: Int64? = nil, milestones: [Int64] = []
    ) async throws {
        let day = { (text: String) in
            Day(text: text.split(separator: "-").map { $0.count == 1 ? "0" + $0 : $0 }.joined(separator: "-"))
        }
        let new = try NewCampaign(
            slug: .of(slug), name: .of(name), text: nil, subject: subject, firstDay: day(first), lastDay: day(last),
            goal: goal, milestones: milestones.map { Milestone(points: $0, name: "\($0) points") })
        #expect(try await database.store.admin.addCampaign(new, now: .noon) == .added)
    }
}
