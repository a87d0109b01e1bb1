import Credentials
import Domain
import HTTPTypes
import Storage
import TestDatabases
import Testing

@testable import HTTP

/// Limits of players, whichever device and token they come with.
@Suite struct PlayerRateTests {
    @Test("another token of the player renames no more often") func renames() async throws {
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
                await server.send(.put, "/v1/players/me/token", #"{"token": "\#(newer)"}"#, bearer: new).status == 200)
            #expect(await rename("Uma", newer).isOver("player-renames"))
            #expect(await register("Uma", newer).isOver("player-renames"))
            #expect(await register("Eve", newer).status == 200)
            #expect(await rename("Ben", bob).status == 200)
        }
    }

    @Test("all new devices of a player share one limit, and take nothing from that of an older one") func newDevices()
        async throws
    {
        let rates = [
            "player-codes": "3/h", "player-renames": "1/day", "player-reports": "1/day", "player-saves": "1/h",
        ]
        try await RatedServer.with(rates) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            let cy = await server.player("Cy")
            var thieves: [String] = []
            for _ in 0..<2 {
                let token = Token.generated(.device).text
                let code = try await server.code(bearer: ada)
                let path = "/v1/games/default/devices/\(RatedServer.newID())"
                let joined = await server.send(.put, path, #"{"code": "\#(code)"}"#, bearer: token)
                #expect(joined.status == 201)
                thieves.append(token)
            }
            func make(_ token: String) async -> RatedServer.Answer {
                await server.send(.post, "/v1/players/me/codes", bearer: token)
            }
            func rename(_ name: String, _ token: String) async -> RatedServer.Answer {
                await server.send(.patch, "/v1/players/me", #"{"name": "\#(name)"}"#, bearer: token)
            }
            func report(_ other: String, _ token: String) async throws -> RatedServer.Answer {
                let path = "/v1/players/\(try await server.id(bearer: other))/report"
                return await server.send(.post, path, #"{"why": "name"}"#, bearer: token)
            }
            for thief in [thieves[1], thieves[0], thieves[0]] { #expect(await make(thief).status == 201) }
            for thief in thieves { #expect(await make(thief).isOver("player-codes")) }
            #expect(await make(ada).status == 201)
            #expect(await make(ada).isOver("player-codes"))

            #expect(await rename("Eve", thieves[0]).status == 200)
            #expect(await rename("Mallory", thieves[1]).isOver("player-renames"))
            #expect(await rename("Ada", ada).status == 200)

            #expect(try await report(bob, thieves[0]).status == 202)
            #expect(try await report(cy, thieves[1]).isOver("player-reports"))
            #expect(try await report(cy, ada).status == 202)

            #expect(await server.save("stolen", bearer: thieves[0]).status == 201)
            #expect(await server.save("again", after: "stolen", bearer: thieves[1]).isOver("player-saves"))
            #expect(await server.save("mine", after: "stolen", bearer: ada).status < 300)
        }
    }

    @Test("another token of the device makes friends no more often, and blocking and ending have a limit of their own")
    func friends() async throws {
        try await RatedServer.with(["player-friends": "3/h", "player-blocks": "4/h", "player-codes": "9/h"]) { server in
            let set = try await server.store.admin.setGame(.defaultGame, friends: .requests, now: .noon)
            #expect(set == .set)
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            let id = try await server.id(bearer: bob)
            var token = ada
            func rotate() async {
                let new = Token.generated(.device).text
                let rotated = await server.send(.put, "/v1/players/me/token", #"{"token": "\#(new)"}"#, bearer: token)
                #expect(rotated.status == 200)
                token = new
            }
            func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> RatedServer.Answer {
                await server.send(method, "/v1/players/me/\(path)", body, bearer: token)
            }
            for _ in 0..<2 { #expect(await send(.put, "friends/\(id)").status == 200) }
            #expect(await send(.post, "friends/codes").status == 201)
            await rotate()
            #expect(await send(.put, "friends/\(id)").isOver("player-friends"))
            #expect(await send(.post, "friends/codes").isOver("player-friends"))
            #expect(await send(.post, "friends", #"{"code": "00000000"}"#).isOver("player-friends"))
            for (method, path) in [(HTTPRequest.Method.delete, "friends"), (.put, "blocks"), (.delete, "blocks")] {
                #expect(await send(method, "\(path)/\(id)").status == 204)
            }
            #expect(await send(.delete, "friends/\(id)").status == 204)
            await rotate()
            for (method, path) in [(HTTPRequest.Method.delete, "friends"), (.put, "blocks"), (.delete, "blocks")] {
                #expect(await send(method, "\(path)/\(id)").isOver("player-blocks"))
            }
            // Bob has limits of its own.
            token = bob
            #expect(await send(.put, "friends/\(id)").status == 404)
        }
    }

    @Test("another token of the device unlinks no more often") func identities() async throws {
        try await RatedServer.with(["player-identities": "2/day"]) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            func unlink(_ token: String) async -> RatedServer.Answer {
                await server.send(.delete, "/v1/players/me/identities/shop", bearer: token)
            }
            for _ in 0..<2 { #expect(await unlink(ada).status == 204) }
            let new = Token.generated(.device).text
            let rotated = await server.send(.put, "/v1/players/me/token", #"{"token": "\#(new)"}"#, bearer: ada)
            #expect(rotated.status == 200)
            #expect(await unlink(new).isOver("player-identities"))
            #expect(await unlink(bob).status == 204)
        }
    }

    @Test("who has too many posts held is refused as if it posted too often, whatever it posts") func held()
        async throws
    {
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
