import Credentials
import Domain
import HTTPTypes
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Codes that somebody guesses.
@Suite("guessed codes") struct GuessTests {
    @Test("beyond the limit no code is checked, not even a good one, and good ones do not count") func address()
        async throws
    {
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

    @Test("wrong friend codes count with wrong join codes, by address and by game") func friends() async throws {
        let rates = ["failed-codes": "3/h", "game-failed-codes": "5/h", "player-friends": "100/h"]
        try await RatedServer.with(rates) { server in
            let set = try await server.store.admin.setGame(.defaultGame, friends: .codes, now: .noon)
            #expect(set == .set)
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            func befriend(_ code: String, from address: String = "203.0.113.1") async -> RatedServer.Answer {
                await server.send(.post, "/v1/players/me/friends", #"{"code":"\#(code)"}"#, bearer: bob, from: address)
            }
            let code = try await server.code("friends/codes", bearer: ada)
            for status in [201, 200, 200, 200, 200] { #expect(await befriend(code).status == status) }
            for _ in 0..<2 { #expect(await befriend("00000000").status == 422) }
            #expect(await server.join("00000000").status == 422)
            #expect(await befriend(code).isOver("failed-codes"))
            for number in 2...3 { #expect(await befriend("00000000", from: "203.0.113.\(number)").status == 422) }
            // The game's limit is used up, and each address may try three yet.
            for _ in 0..<2 { #expect(await befriend("00000000", from: "203.0.113.3").status == 422) }
            #expect(await befriend("00000000", from: "203.0.113.3").isOver("failed-codes"))
        }
    }

    @Test("after too many wrong codes for a game, an address may try three an hour, and recovery codes work")
    func game() async throws {
        let rates = ["failed-codes": "20/h", "game-failed-codes": "4/h", "player-codes": "100/h"]
        try await RatedServer.with(rates) { server in
            let ada = await server.player("Ada")
            for number in 1...4 { #expect(await server.join("00000000", from: "203.0.113.\(number)").status == 422) }
            for _ in 0..<2 { #expect(await server.join("00000000", from: "203.0.113.1").status == 422) }
            #expect(await server.join("00000000", from: "203.0.113.1").isOver("game-failed-codes"))
            let code = try await server.code(bearer: ada)
            #expect(await server.join(code, from: "203.0.113.1").isOver("game-failed-codes"), "it has guessed before")
            for _ in 0..<2 { #expect(await server.join("00000000", from: "203.0.113.5").status == 422) }
            #expect(await server.join(code, from: "203.0.113.5").status == 201, "its third try")
            for _ in 0..<5 {
                let next = try await server.code(bearer: ada)
                #expect(await server.join(next, from: "203.0.113.6").status == 201, "a good one is no guess")
            }
            let recovery = try await server.code("recovery", bearer: ada)
            #expect(await server.join(recovery, from: "203.0.113.1").status == 201)
            server.wait(seconds: 3_600)
            #expect(await server.join(try await server.code(bearer: ada), from: "203.0.113.1").status == 201)
        }
    }

    @Test("a /48 takes a tenth of a game's limit, and then three codes of each address, so honest codes pass")
    func network() async throws {
        let rates = ["failed-codes": "20/h", "game-failed-codes": "100/h", "player-codes": "100/h"]
        try await RatedServer.with(rates) { server in
            let ada = await server.player("Ada")
            // A /56 has 8 times the limit of an address, and a /48 has 32 times.
            for number in 0..<640 {
                let network = String((number / 160) << 8 | number % 160, radix: 16)
                _ = await server.join("00000000", from: "2001:db8:0:\(network)::1")
            }
            #expect(await server.join("00000000", from: "2001:db8:0:ffff::1").isOver("game-failed-codes"))
            for number in 1...90 { #expect(await server.join("00000000", from: "198.51.100.\(number)").status == 422) }
            let game = BucketKey(try #require(Slug("default")))
            #expect(server.responder.rates.limiter.take(game, of: .gameFailedCodes) != nil, "90 and 10 are all of it")
            #expect(await server.join(try await server.code(bearer: ada), from: "198.51.100.200").status == 201)
        }
    }

    @Test("good codes give back what they took from the shares of a game") func shares() async throws {
        // An address's share is a tenth, one more than it may try without any.
        let rates = ["failed-codes": "20/h", "game-failed-codes": "40/h", "player-codes": "100/h"]
        try await RatedServer.with(rates) { server in
            let ada = await server.player("Ada")
            for _ in 0..<5 {
                let code = try await server.code(bearer: ada)
                #expect(await server.join(code).status == 201)
            }
            for _ in 0..<4 { #expect(await server.join("00000000").status == 422) }
            #expect(await server.join("00000000").isOver("game-failed-codes"))
        }
    }

    @Test("a code that a game's limit refuses counts neither for its address nor in its address's share of the game")
    func refusedByGame() async throws {
        let rates = ["failed-codes": "5/h", "game-failed-codes": "20/h"]
        try await RatedServer.with(rates) { server in
            for number in 1...20 { #expect(await server.join("00000000", from: "198.51.100.\(number)").status == 422) }
            for _ in 0..<2 { #expect(await server.join("00000000").status == 422) }
            server.wait(seconds: 540)
            // Three more fit the game's limit, and two of one address.
            for _ in 0..<2 { #expect(await server.join("00000000").status == 422) }
            for _ in 0..<5 { #expect(await server.join("00000000").isOver("game-failed-codes")) }
        }
    }

    @Test("a good code gives an address no more tries than it took") func noMoreTries() async throws {
        let rates = ["failed-codes": "20/h", "game-failed-codes": "40/h", "player-codes": "100/h"]
        try await RatedServer.with(rates) { server in
            let ada = await server.player("Ada")
            let code = try await server.code(bearer: ada)
            for _ in 0..<3 { #expect(await server.join("00000000").status == 422) }
            #expect(await server.join(code).status == 201)
            for number in 1...37 { #expect(await server.join("00000000", from: "198.51.100.\(number)").status == 422) }
            #expect(await server.join("00000000").isOver("game-failed-codes"), "it has tried three of its own")
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
                    .put, "/v1/games/default/devices/Bob", #"{"code": "\#(code)"}"#, bearer: bob)
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
