import Foundation
import Storage
import HTTPTypes
import Testing
import Domain

@testable import HTTP
@testable import HTTPServer

/// Flags that players choose, as they and others see them.
@Suite struct FlagHandlersTests {
    @Test("a flag is chosen, shown in profile and rankings, and kept for 30 days") func chosen() async throws {
        try await FlagServer.run { server in
            let ada = try await server.player("Ada")
            let before = await server.send(.get, "/v1/players/me", by: ada)
            #expect(before.object["flag"] == nil)
            let chosen = await server.send(.patch, "/v1/players/me", #"{"flag":"DE-BE","country":"NZ"}"#, by: ada)
            #expect(chosen.object["flag"] as? String == "DE-BE" && chosen.object["country"] as? String == "NZ")
            let id = try #require(chosen.object["id"] as? Int)
            let profile = await server.send(.get, "/v1/players/\(id)")
            #expect(profile.object["flag"] as? String == "DE-BE" && !profile.text.contains("NZ"))

            await server.post(5, by: ada, on: "lap")
            let top = await server.send(.get, "/v1/games/maze/boards/lap/top.json")
            #expect(top.text.contains(#""flag":"DE-BE""#))
            #expect(await server.send(.get, "/v1/games/maze/boards/lap/top.csv").text.contains(",DE-BE"))
            #expect(await server.send(.get, "/v1/games/maze/boards/lap/top.xml").text.contains("<flag>DE-BE</flag>"))
            let around = await server.send(.get, "/v1/games/maze/boards/lap/players/me/around.json", by: ada)
            #expect(around.text.contains(#""flag":"DE-BE""#))

            let other = await server.send(.patch, "/v1/players/me", #"{"flag":"FR"}"#, by: ada)
            #expect(other.status == .unprocessableContent && other.problemName == "flag-fixed")
            #expect((other.object["again_at"] as? String)?.hasPrefix("2026-12-21T12:0") == true)
            #expect(other.object["field"] as? String == "flag")
            let none = await server.send(.patch, "/v1/players/me", #"{"flag":null}"#, by: ada)
            #expect(none.status == .ok && none.object["flag"] == nil)
            let export = await server.send(.get, "/v1/players/me", by: ada)
            #expect(export.object["flag"] == nil && export.object["country"] as? String == "NZ")
        }
    }

    @Test("what is no country or region is refused whole", arguments: ["de", "XX", "DE-XX", "🇩🇪", "Germany"])
    func refused(_ flag: String) async throws {
        try await FlagServer.run { server in
            let ada = try await server.player("Ada")
            let body = #"{"flag":"\#(flag)","name":"Eve"}"#
            let refused = await server.send(.patch, "/v1/players/me", body, by: ada)
            #expect(refused.problemName == "field" && refused.object["field"] as? String == "flag")
            #expect(await server.send(.get, "/v1/players/me", by: ada).object["name"] as? String == "Ada")
        }
    }

    @Test("a game that shows no flags has no column for them, and takes none") func off() async throws {
        try await FlagServer.run { server in
            let ada = try await server.player("Ada", flag: "DE")
            await server.post(5, by: ada, on: "lap")
            try await server.set { $0.flags = false }
            #expect(await !server.send(.get, "/v1/games/maze/boards/lap/top.csv").text.contains("flag"))
            let bob = try await server.player("Bob")
            let refused = await server.send(.patch, "/v1/players/me", #"{"flag":"DE"}"#, by: bob)
            #expect(refused.problemName == "field" && refused.object["field"] as? String == "flag")
        }
    }
}
