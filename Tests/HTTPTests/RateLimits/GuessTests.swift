import Credentials
import Domain
import HTTPTypes
import TestDatabases
import Testing

@testable import HTTP

/// Codes that somebody guesses.
@Suite("guessed codes") struct GuessTests {
    @Test("beyond the limit no code is checked, not even a good one, and good ones do not count")
    func address() async throws {
        try await RatedServer.with(["failed-codes": "3/h", "player-codes": "100/h"]) { server in
            let ada = await server.player("Ada")
            for _ in 0..<5 { #expect(await server.join(try await server.code(bearer: ada)).status == 201) }
            for wrong in ["00000000", "nonsense", "00000001"] { #expect(await server.join(wrong).status == 422) }
            let code = try await server.code(bearer: ada)
            let refused = await server.join(code)
            #expect(refused.isOver("failed-codes"))
            #expect(await server.join(code, from: "203.0.113.2").status == 201, "it was not used up")
            #expect(await server.send(.get, "/v1/players/me", bearer: Token.generated(.device).text).status == 401)
            #expect(await server.player("Bob", from: "203.0.113.1").isEmpty == false, "others register from there")
            server.wait(seconds: try #require(refused.retryAfter))
            #expect(await server.join(try await server.code(bearer: ada)).status == 201)
        }
    }

    @Test("after too many wrong codes for a game, an address without one may try once, and recovery codes work")
    func game() async throws {
        try await RatedServer.with(["failed-codes": "3/h", "game-failed-codes": "4/h", "player-codes": "100/h"]) {
            server in
            let ada = await server.player("Ada")
            for number in 1...4 { #expect(await server.join("00000000", from: "203.0.113.\(number)").status == 422) }
            #expect(await server.join("00000000", from: "203.0.113.1").isOver("game-failed-codes"))
            let code = try await server.code(bearer: ada)
            #expect(await server.join(code, from: "203.0.113.1").isOver("game-failed-codes"), "it has guessed before")
            #expect(await server.join("00000000", from: "203.0.113.5").status == 422, "its one try")
            #expect(await server.join(code, from: "203.0.113.5").isOver("game-failed-codes"))
            #expect(await server.join(code, from: "203.0.113.6").status == 201)
            #expect(
                await server.join(try await server.code(bearer: ada), from: "203.0.113.6").status == 201,
                "a good one is no guess"
            )
            let recovery = try await server.code("recovery", bearer: ada)
            #expect(await server.join(recovery, from: "203.0.113.1").status == 201)
            server.wait(seconds: 3_600)
            #expect(await server.join(try await server.code(bearer: ada), from: "203.0.113.1").status == 201)
        }
    }

    @Test("the count is returned if the code was no guess: another refusal, or a code that already brought the device")
    func others() async throws {
        try await RatedServer.with(["failed-codes": "1/h", "player-codes": "100/h"]) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            #expect(await server.post(bearer: bob).status == 201)
            let code = try await server.code(bearer: ada)
            for _ in 0..<3 {
                let kept = await server.send(
                    .put,
                    "/v1/games/default/devices/Bob",
                    #"{"code": "\#(code)"}"#,
                    bearer: bob
                )
                #expect(kept.status == 409, "\(kept.text)")
            }
            #expect(await server.send(.put, "/v1/games/none/devices/x", #"{"code": "\#(code)"}"#).status == 404)
            let token = Token.generated(.device).text
            for status in [201, 200, 200] {
                let path = "/v1/games/default/devices/new"
                let answer = await server.send(.put, path, #"{"code": "\#(code)"}"#, bearer: token)
                #expect(answer.status == status)
            }
            #expect(await server.join("00000000").status == 422)
            #expect(await server.join("00000000").isOver("failed-codes"))
        }
    }
}
