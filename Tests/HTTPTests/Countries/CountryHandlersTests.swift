import Domain
import Foundation
import HTTPTypes
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// The rankings of countries and regions, and among their players.
@Suite struct CountryHandlersTests {
    private static let lap = "/v1/games/maze/boards/lap"
    private static let gems = "/v1/games/maze/boards/gems"

    private func rows(_ response: Response, _ fields: String...) throws -> [String] {
        let rows = try #require(response.object["rows"] as? [[String: Any]], "\(response.text)")
        return rows.map { row in fields.map { row[$0].map { "\($0)" } ?? "-" }.joined(separator: " ") }
    }

    private func fill(_ server: FlagServer) async throws {
        for (name, flag, lap, gems) in [
            ("Ada", "DE-BE", 61_500, 5), ("Bob", "DE", 60_900, 7), ("Cy", "DE-BY", 64_000, 7), ("Dee", "FR", 60_000, 9),
            ("Eve", nil, 59_000, 20), ("Fay", "US-CA", 70_000, 1), ("Gus", "US-CA", 71_000, 1),
        ] as [(String, String?, Int, Int)] {
            let player = try await server.player(name, flag: flag)
            await server.post(lap, by: player, on: "lap")
            await server.post(gems, by: player, on: "gems")
        }
    }

    @Test("countries rank by their best players, and regions do") func countries() async throws {
        try await FlagServer.run { server in
            try await fill(server)
            let gems = await server.send(.get, Self.gems + "/countries/top.json")
            #expect(
                try rows(gems, "rank", "country", "points", "members", "tied") == [
                    "1 DE 14 3 0", "2 FR 9 1 0", "3 US 2 2 0",
                ])
            #expect(gems.object["of"] as? Int == 3 && gems.object["board"] as? String == "gems")
            // Where low is good a country with one player has no row.
            let lap = await server.send(.get, Self.lap + "/countries/top.json")
            #expect(try rows(lap, "rank", "country", "points") == ["1 DE 122400", "2 US 141000"])
            let regions = await server.send(.get, Self.gems + "/countries/top.json?of=DE")
            #expect(try rows(regions, "rank", "country", "points") == ["1 DE-BY 7", "2 DE-BE 5"])
            let second = await server.send(.get, Self.gems + "/countries/top.json?limit=1&from=2")
            #expect(try rows(second, "rank", "country") == ["2 FR"])
            let next = try #require(second.object["next"] as? String)
            let third = await server.send(.get, Self.gems + "/countries/top.json?limit=1&after=\(next)")
            #expect(try rows(third, "rank", "country") == ["3 US"])
            #expect(third.object["next"] == nil)
            let csv = await server.send(.get, Self.gems + "/countries/top.csv?window=today")
            #expect(csv.text.hasPrefix("rank,tied,country,points,members,reached_at\r\n1,false,DE,14,3,"))
            for format in ["xml", "plist", "atom", "html"] {
                let response = await server.send(.get, Self.gems + "/countries/top.\(format)")
                #expect(response.status == .ok && response.text.contains("DE"), "\(format)")
            }
        }
    }

    @Test("a ranking among the players of a country or region has their ranks on the board") func among() async throws {
        try await FlagServer.run { server in
            try await fill(server)
            let germans = await server.send(.get, Self.lap + "/top.json?country=DE")
            #expect(
                try rows(germans, "rank", "among", "name", "flag") == ["3 1 Bob DE", "4 2 Ada DE-BE", "5 3 Cy DE-BY"])
            #expect(germans.object["among"] as? String == "DE" && germans.object["of"] as? Int == 3)
            let berlin = await server.send(.get, Self.lap + "/top.json?country=DE-BE&window=today")
            #expect(try rows(berlin, "rank", "among", "name") == ["4 1 Ada"])
            let nobody = await server.send(.get, Self.lap + "/top.json?country=NZ")
            #expect(try rows(nobody, "rank") == [] && nobody.object["of"] as? Int == 0)
            let page = await server.send(.get, Self.lap + "/top.json?country=DE&limit=1&from=2")
            #expect(try rows(page, "rank", "among", "name") == ["4 2 Ada"])
            let next = try #require(page.object["next"] as? String)
            let last = await server.send(.get, Self.lap + "/top.json?country=DE&limit=1&after=\(next)")
            #expect(try rows(last, "among", "name") == ["3 Cy"] && last.object["next"] == nil)
        }
    }

    @Test("the page of countries leads to those of regions, and the board's page to it") func pages() async throws {
        try await FlagServer.run { server in
            try await fill(server)
            let countries = await server.send(.get, "/games/maze/boards/gems/countries")
            #expect(countries.status == .ok && countries.text.contains(">14<"))
            #expect(countries.text.contains("<bdi data-country=\"DE\">DE</bdi>"), "a script writes its name there")
            #expect(countries.text.contains("/games/maze/boards/gems/countries?of=DE"))
            let regions = await server.send(.get, "/games/maze/boards/gems/countries?of=DE&window=week")
            #expect(regions.status == .ok && regions.text.contains("DE-BY") && !regions.text.contains("FR"))
            #expect(await server.send(.get, "/games/maze/boards/gems").text.contains("boards/gems/countries"))
            #expect(await server.send(.get, "/games/maze/boards/gems/countries?of=XX").status == .badRequest)
            try await server.set { $0.flags = false }
            #expect(await server.send(.get, "/games/maze/boards/gems/countries").status == .notFound)
            #expect(await !server.send(.get, "/games/maze/boards/gems").text.contains("boards/gems/countries"))
        }
    }

    @Test("pages and embeds show flags beside names, and only where the game has flags") func flagsOnPages()
        async throws
    {
        try await FlagServer.run { server in
            try await fill(server)
            let board = await server.send(.get, "/games/maze/boards/gems")
            let top = await server.send(.get, Self.lap + "/top.json?country=DE-BE").object["rows"] as? [[String: Any]]
            let ada = try #require(top?.first?["player"] as? Int)
            let mark = "<abbr class=\"country\">DE-BE</abbr><a href=\"/players/\(ada)\"><bdi>Ada</bdi>"
            let paths = [
                "/", "/games/maze", "/games/maze/boards/gems", "/embed/boards/maze/gems", "/players/\(ada)",
                "/overlay/boards/maze/gems",
            ]
            for path in paths {
                let page = await server.send(.get, path)
                #expect(page.text.replacing(" target=\"_blank\" rel=\"noopener\"", with: "").contains(mark), "\(path)")
            }
            let profile = await server.send(.get, "/players/\(ada)")
            #expect(profile.text.contains("<bdi data-country=\"DE-BE\">DE-BE</bdi>"))
            #expect(board.text.components(separatedBy: "class=\"country\"").count == 7, "six of the rows have a flag")
            try await server.set { $0.flags = false }
            for path in paths {
                let page = await server.send(.get, path)
                #expect(page.status == .ok && !page.text.contains("DE-BE"), "\(path)")
            }
        }
    }

    @Test("a change of flag moves the player at once, with all its points") func moves() async throws {
        try await FlagServer.run { server in
            try await fill(server)
            let eve = try await server.player("Zoe")
            await server.post(50, by: eve, on: "gems")
            #expect(await server.send(.patch, "/v1/players/me", #"{"flag":"FR"}"#, by: eve).status == .ok)
            let gems = await server.send(.get, Self.gems + "/countries/top.json")
            #expect(try rows(gems, "country", "points").first == "FR 59")
            #expect(await server.send(.patch, "/v1/players/me", #"{"flag":null}"#, by: eve).status == .ok)
            #expect(try rows(await server.send(.get, Self.gems + "/top.json?country=FR"), "name") == ["Dee"])
        }
    }

    @Test("what is no country is told, and a game or board without countries has no such ranking") func refused()
        async throws
    {
        try await FlagServer.run { server in
            for query in ["country=de", "country=XX", "country=DE-XX", "country="] {
                let response = await server.send(.get, Self.lap + "/top.json?" + query)
                #expect(response.status == .badRequest && response.object["field"] as? String == "country", "\(query)")
            }
            for query in ["players=5&country=DE", "players=5&team=7", "team=7&country=DE"] {
                let response = await server.send(.get, Self.lap + "/top.json?" + query)
                #expect(response.status == .badRequest && response.object["field"] as? String == "players", "\(query)")
            }
            for query in ["of=DE-BE", "of=de", "of=XX"] {
                let response = await server.send(.get, Self.lap + "/countries/top.json?" + query)
                #expect(response.status == .badRequest && response.object["field"] as? String == "of", "\(query)")
            }
            try await server.database.addBoard("plain", in: FlagServer.game)
            #expect(
                await server.send(.get, "/v1/games/maze/boards/plain/countries/top.json").problemName == "not-found")
            #expect(await server.send(.get, "/v1/games/maze/boards/plain/top.json?country=DE").status == .ok)
            try await server.set { $0.flags = false }
            #expect(await server.send(.get, Self.lap + "/countries/top.json").problemName == "not-found")
            #expect(await server.send(.get, Self.lap + "/top.json?country=DE").problemName == "not-found")
        }
    }
}
