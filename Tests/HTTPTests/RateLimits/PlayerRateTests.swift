import Credentials
import Domain
import HTTPTypes
import TestDatabases
import Testing

@testable import HTTP

/// Limits of players, whichever device and token they come with.
@Suite struct PlayerRateTests {
    @Test("another token of the player renames no more often")
    func renames() async throws {
        try await RatedServer.with(["player-renames": "2/day"]) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            func rename(_ name: String, _ token: String) async -> RatedServer.Answer {
                await server.send(.patch, "/v1/players/me", #"{"name": "\#(name)"}"#, bearer: token)
            }
            func register(_ name: String, _ token: String) async -> RatedServer.Answer {
                await server.send(.put, "/v1/games/default/devices/Ada", #"{"name": "\#(name)"}"#, bearer: token)
            }
            #expect(await rename("Zoe", ada).status == 200)
            let new = Token.generated(.device).text
            let rotated = await server.send(.put, "/v1/players/me/token", #"{"token": "\#(new)"}"#, bearer: ada)
            #expect(rotated.status == 200, "\(rotated.text)")
            for _ in 0..<3 { #expect(await register("Zoe", new).status == 200, "no rename") }
            #expect(await register("Eve", new).status == 200)
            let newer = Token.generated(.device).text
            #expect(
                await server.send(.put, "/v1/players/me/token", #"{"token": "\#(newer)"}"#, bearer: new).status == 200
            )
            #expect(await rename("Uma", newer).isOver("player-renames"))
            #expect(await register("Uma", newer).isOver("player-renames"))
            #expect(await register("Eve", newer).status == 200)
            #expect(await rename("Ben", bob).status == 200)
        }
    }

    @Test("who has too many posts held is refused as if it posted too often, whatever it posts")
    func held() async throws {
        try await RatedServer.with(["player-posts": "1/min:2"]) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            for _ in 0..<2 { #expect(await server.post(bearer: bob).status == 201) }
            let often = await server.post(bearer: bob)
            #expect(often.isOver("player-posts"))
            try await server.database.owner.script("update wallet set holds = \(Limits.holdsOfPlayerMax)")
            let held = await server.post(bearer: ada)
            #expect(held.status == 429 && held.text == often.text && held.retryAfter == often.retryAfter)
        }
    }
}
