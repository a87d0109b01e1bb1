import Credentials
import Domain
import HTTPTypes
import TestDatabases
import Testing

@testable import HTTP

/// Limits on the bytes that stay on disk.
@Suite("stored bytes") struct StoredBytesTests {
    private static func text(_ letter: Character, _ count: Int = 3_000) -> String {
        String(repeating: letter, count: count)
    }

    @Test("saves count for their address until its limit, and bytes that are not stored are returned") func address()
        async throws
    {
        try await RatedServer.with(["address-stored-bytes": "7000/h"]) { server in
            let (ada, bob, cy) = (await server.player("Ada"), await server.player("Bob"), await server.player("Cy"))
            #expect(await server.save(Self.text("a"), bearer: ada).status == 201)
            for _ in 0..<3 {
                #expect(await server.save(Self.text("a"), bearer: ada).status == 200, "the slot has it")
                #expect(await server.save(Self.text("b"), bearer: ada).status == 412)
                #expect(await server.save(Self.text("b"), bearer: Token.generated(.device).text).status == 401)
            }
            #expect(await server.save(Self.text("a"), bearer: bob).status == 201)
            let refused = await server.save(Self.text("a"), bearer: cy)
            #expect(refused.isOver("address-stored-bytes"))
            #expect(await server.send(.get, "/v1/players/me/saves/journey", bearer: cy).status == 404)
            #expect(await server.save(Self.text("a"), bearer: cy, from: "203.0.113.2").status == 201)
            #expect(await server.post(bearer: cy).status == 201, "a score is no save")
            server.wait(seconds: try #require(refused.retryAfter))
            #expect(await server.save(Self.text("b"), after: Self.text("a"), bearer: cy).status == 200)
        }
    }

    @Test("a player's bytes count across addresses, and a refusal costs the address nothing") func player() async throws
    {
        let limits = ["player-stored-bytes": "4000/h", "address-stored-bytes": "7000/h"]
        try await RatedServer.with(limits) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            #expect(await server.save(Self.text("a"), bearer: ada).status == 201)
            for address in ["203.0.113.1", "203.0.113.2"] {
                let refused = await server.save(Self.text("b"), after: Self.text("a"), bearer: ada, from: address)
                #expect(refused.isOver("player-stored-bytes"))
            }
            #expect(await server.save(Self.text("a"), bearer: bob).status == 201)
        }
    }

    @Test("a detail counts, but not a score without one, and nothing with a game's key") func details() async throws {
        try await RatedServer.with(["address-stored-bytes": "300/h"]) { server in
            let ada = Token.generated(.device).text
            let known = await server.send(
                .put, "/v1/games/default/devices/Ada", #"{"name": "Ada"}"#, bearer: ada, from: "198.51.100.1")
            #expect(known.status == 201, "more than the burst passes when nothing was counted before")
            let detail = #"{"points": 5, "detail": "\#(Self.text("x", 100))"}"#
            func post(_ id: String, _ body: String = detail) async -> RatedServer.Answer {
                await server.send(.put, "/v1/games/default/boards/lap/scores/\(id)", body, bearer: ada)
            }
            let id = RatedServer.newID()
            #expect(await post(id).status == 201)
            #expect(await post(RatedServer.newID()).isOver("address-stored-bytes"))
            #expect(await post(RatedServer.newID(), #"{"points": 5}"#).status == 201)
            server.wait(seconds: 3_600)
            for _ in 0..<3 { #expect(await post(id).status == 200, "the bytes of a retry are returned") }
            let key = try await server.key()
            let made = await server.send(.put, "/v1/games/default/players/u", #"{"name": "U"}"#, bearer: key)
            #expect(made.status == 201, "\(made.text)")
            for _ in 0..<4 {
                let body = #"{"points": 5, "external": "u", "detail": "\#(Self.text("x", 100))"}"#
                let path = "/v1/games/default/boards/lap/scores/\(RatedServer.newID())"
                #expect(await server.send(.put, path, body, bearer: key).status == 201)
            }
        }
    }

    @Test("registrations count their bytes, and an event's network has no such limit") func registrations() async throws
    {
        try await RatedServer.with(["address-stored-bytes": "1200/h"], eventNetworks: ["192.0.2.0/24"]) { server in
            func register(_ name: String, from address: String) async -> RatedServer.Answer {
                await server.send(.put, "/v1/games/default/devices/\(name)", #"{"name": "\#(name)"}"#, from: address)
            }
            for name in ["Ada", "Bob"] { #expect(await register(name, from: "203.0.113.1").status == 201) }
            #expect(await register("Cy", from: "203.0.113.1").isOver("address-stored-bytes"))
            let classic = await server.send(.put, "/customers", "phone=abc&name=Tim", from: "203.0.113.1")
            #expect(classic.status == 429)
            for name in ["Dot", "Eve", "Fay"] { #expect(await register(name, from: "192.0.2.1").status == 201) }
        }
    }
}
