import Domain
import Foundation
import HTTPTypes
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Challenges over HTTP, from the invitation to the last donation.
@Suite struct ChallengeHandlersTests {
    private struct Lap {
        let server: ChallengeServer
        let players: [Challenger]
        let path: String
        var ada: Challenger { players[0] }
        var bob: Challenger { players[1] }
        var cy: Challenger { players[2] }
        var dee: Challenger { players[3] }
        var eve: Challenger { players[4] }
    }

    /// Four friends race for a stake of 5 points, of whom Dee has 3 points and does not drive; Eve declines.
    private func withLap(ties: Board.Ties, _ body: @escaping @Sendable (Lap) async throws -> Void) async throws {
        try await ChallengeServer.run(ties: ties) { server in
            let players = try await server.friends("Ada", "Bob", "Cy", "Dee", "Eve")
            await server.post(3, by: players[3], on: "purse")
            await server.post(10, by: players[0], on: "purse")
            server.setClock("2026-11-26T09:00:00Z")
            await server.post(61_500, by: players[0])
            server.setClock("2026-11-26T10:00:00Z")
            await server.post(61_500, by: players[1])
            await server.post(64_000, by: players[2])
            server.setClock("2026-11-26T22:50:00Z")
            let (path, made) = await server.challenge(
                Array(players.dropFirst()), by: players[0], stake: 5, charity: "water")
            #expect(made.status == .created)
            #expect(made.object["first_day"] as? String == "2026-11-26")
            #expect(made.object["last_day"] as? String == "2026-11-27")
            #expect(made.object["until"] as? String == "2026-11-27T23:00:00.000000Z")
            for (player, charity) in [(players[1], "books"), (players[2], "water"), (players[3], "books")] {
                #expect(await server.enter(path, player, for: charity).status == .ok)
            }
            #expect(await server.send(.delete, path + "/entry", by: players[4]).status == .noContent)
            try await body(Lap(server: server, players: players, path: path))
        }
    }

    @Test("a player with stakes in two challenges gives all points of the first, and of the second what is left")
    func twoStakes() async throws {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob")
            let (ada, bob) = (players[0], players[1])
            await server.post(8, by: ada, on: "purse")
            await server.post(20, by: bob, on: "purse")
            var paths: [String] = []
            for _ in 1...2 {
                let (path, made) = await server.challenge([bob], by: ada, stake: 5, charity: "water")
                #expect(made.status == .created)
                #expect(await server.enter(path, bob, for: "books").status == .ok)
                paths.append(path)
            }
            await server.post(61_500, by: bob)
            server.setClock("2026-11-27T23:10:00Z")
            let settled = try await server.settle()
            #expect(settled == [2, 4])
            var shown: Set<String> = []
            for path in paths { shown.insert(await server.shows(path, to: bob)) }
            #expect(shown == ["settled: Bob 1 gave 5, Ada gave 5", "settled: Bob 1 gave 5, Ada gave 3"])
            #expect(await server.points(of: "books") == 18)
        }
    }

    @Test("a challenge counts whole days of the board, and settles ten minutes after them") func days() async throws {
        try await withLap(ties: .first) { lap async throws in
            let server = lap.server
            #expect(await server.shows(lap.path, to: lap.bob) == "open: Ada 1, Bob 2, Cy 3, Dee")
            #expect(await server.shows(lap.path, to: lap.ada) == "open: Ada 1, Bob 2, Cy 3, Dee, Eve!")
            server.setClock("2026-11-27T22:59:59Z")
            await server.post(61_000, by: lap.dee)
            #expect(await server.shows(lap.path, to: lap.dee) == "open: Dee 1, Ada 2, Bob 3, Cy 4")
            server.setClock("2026-11-27T23:00:00Z")
            await server.post(60_000, by: lap.cy)
            #expect(await server.shows(lap.path, to: lap.dee) == "over: Dee 1, Ada 2, Bob 3, Cy 4")
            #expect(await server.enter(lap.path, lap.eve, for: "water").problemName == "challenge-over")
            #expect(await server.send(.delete, lap.path + "/entry", by: lap.bob).problemName == "challenge-over")
            server.setClock("2026-11-27T23:09:59Z")
            #expect(try await server.settle() == [0, 0])
            server.setClock("2026-11-27T23:10:00Z")
            #expect(try await server.settle() == [1, 4])
            #expect(
                await server.shows(lap.path, to: lap.bob)
                    == "settled: Dee 1 gave 5, Ada 2 gave 5, Bob 3 gave 5, Cy 4 gave 5")
            #expect(await server.points(of: "books") == 20)
            #expect(try await server.settle() == [0, 0])
        }
    }

    @Test("everybody who entered gives to the charity of the winner, or of those who tied") func stakes() async throws {
        for (ties, ranks, water, books) in [
            (Board.Ties.first, "Ada 1 gave 5, Bob 2 gave 5, Cy 3 gave 5, Dee gave 3", 18, 0),
            (.shared, "Ada 1 gave 5, Bob 1 gave 5, Cy 3 gave 5, Dee gave 3", 11, 7),
        ] {
            try await withLap(ties: ties) { lap async throws in
                let server = lap.server
                server.setClock("2026-11-27T23:10:00Z")
                #expect(try await server.settle() == [1, ties == .first ? 4 : 8])
                #expect(await server.shows(lap.path, to: lap.dee) == "settled: \(ranks)")
                #expect(await server.points(of: "water") ?? 0 == water)
                #expect(await server.points(of: "books") ?? 0 == books)
                let left = await server.send(.get, "/v1/players/me", by: lap.dee).object["left"] as? Int
                #expect(left == 0)
                #expect(try await server.database.auditComplaints() == [])
            }
        }
    }

    @Test("a void before a challenge is settled changes the winner, and afterwards the ranks alone") func voids()
        async throws
    {
        for isEarly in [true, false] {
            try await withLap(ties: .first) { lap async throws in
                let server = lap.server
                func void() async throws {
                    let score = try await server.database.owner.ask(
                        "select s.id from score s where s.player_id = \(lap.ada.id) and s.points = 61500")
                    guard let id = score.first.flatMap({ UUID(uuidString: $0) }) else {
                        throw TestDatabaseError("no score")
                    }
                    try await server.database.moderate(.void(Player.ID(rawValue: Int64(lap.ada.id)), score: id))
                }
                if isEarly { try await void() }
                server.setClock("2026-11-27T23:10:00Z")
                _ = try await server.settle()
                if !isEarly { try await void() }
                let shown = await server.shows(lap.path, to: lap.bob)
                #expect(await server.points(of: isEarly ? "books" : "water") == 18)
                #expect(
                    shown
                        == (isEarly
                            ? "settled: Bob 1 gave 5, Cy 2 gave 5, Ada gave 5, Dee gave 3"
                            : "settled corrected: Bob 1 gave 5, Cy 2 gave 5, Ada gave 5, Dee gave 3"))
            }
        }
    }

    @Test("what a challenge needs is said in words, and a retry is none") func refusals() async throws {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob")
            let stranger = try await server.friends("Cy")[0]
            let (ada, bob) = (players[0], players[1])
            let id = UUID()
            let (path, made) = await server.challenge([bob], by: ada, id: id)
            #expect(made.status == .created)
            #expect(made.headers[.location]?.hasSuffix(path) == true)
            let (_, again) = await server.challenge([bob], by: ada, id: id)
            #expect(again.status == .ok && again.headers[.idempotentReplayed] == "true" && again.text == made.text)
            #expect(await server.challenge([bob, stranger], by: ada, id: id).1.status == .ok)
            #expect(await server.challenge([ada], by: bob, id: id).1.problemName == "id-reused")
            #expect(await server.challenge([stranger], by: ada).1.problemName == "not-friends")
            #expect(await server.challenge([bob, stranger], by: ada).1.problemName == "not-friends")
            #expect(await server.challenge([ada], by: ada).1.problemName == "field")
            #expect(await server.send(.get, path, by: stranger).status == .notFound)
            #expect(await server.enter(path, stranger).status == .notFound)
            #expect(await server.send(.delete, path + "/entry", by: stranger).status == .notFound)
            let new = "/v1/games/maze/boards/lap/challenges/\(UUID().uuidString.lowercased())"
            for body in [
                "{}", #"{"days":1}"#, #"{"days":0,"players":[\#(bob.id)]}"#, #"{"days":15,"players":[\#(bob.id)]}"#,
                #"{"days":1,"players":[]}"#, #"{"days":1,"players":["x"]}"#, #"{"days":1,"players":[1.5]}"#,
                #"{"days":1,"players":[\#(bob.id)],"stake":5}"#,
                #"{"days":1,"players":[\#(bob.id)],"charity":"water"}"#,
                #"{"days":1,"players":[\#(bob.id)],"stake":11,"charity":"water"}"#,
                #"{"days":1,"players":[\#(bob.id)],"stake":5,"charity":"none"}"#,
                #"{"days":1,"players":[\#(bob.id)],"stake":-1,"charity":"water"}"#,
                #"{"days":1,"players":[\#((1...50).map(String.init).joined(separator: ","))]}"#,
            ] { #expect(await server.send(.put, new, body, by: ada).problemName == "field", "\(body)") }
            #expect(await server.enter(path, bob, for: "water").problemName == "field")
            #expect(await server.enter(path, bob).status == .ok)
            #expect(await server.enter(path, bob).headers[.idempotentReplayed] == "true")
            try await server.set { $0.challenges = .off }
            #expect(await server.challenge([bob], by: ada).1.problemName == "forbidden")
            #expect(await server.send(.delete, path + "/entry", by: bob).status == .noContent)
            #expect(await server.enter(path, bob).problemName == "forbidden")
        }
    }

    @Test("a block declines what one of both was invited to, and tells nobody") func blocks() async throws {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob", "Cy")
            let (ada, bob, cy) = (players[0], players[1], players[2])
            let (first, _) = await server.challenge([bob, cy], by: ada)
            let (second, _) = await server.challenge([ada, cy], by: bob)
            #expect(await server.enter(first, cy).status == .ok)
            #expect(await server.send(.put, "/v1/players/me/blocks/\(bob.id)", by: ada).status == .noContent)
            #expect(await server.shows(first, to: ada) == "open: Ada, Bob!, Cy")
            #expect(await server.send(.get, first, by: bob).status == .notFound)
            #expect(await server.enter(first, bob).status == .notFound)
            let own = await server.send(.get, second, by: ada).object
            #expect(own["answer"] as? String == "declined")
            #expect(await server.challenge([bob], by: ada).1.problemName == "not-friends")
            #expect(await server.challenge([ada], by: bob).1.problemName == "not-friends")
            let notices = await server.send(.get, "/v1/players/me", by: bob).object["challenges"] as? [[String: Any]]
            #expect(notices?.map { $0["answer"] as? String } == ["entered"])
        }
    }

    @Test("a player's list has its challenges, newest first, page by page") func list() async throws {
        try await ChallengeServer.run { server in
            let players = try await server.friends("Ada", "Bob")
            var ids: [String] = []
            for minute in 10..<20 {
                server.setClock("2026-11-26T09:\(minute):00Z")
                let (path, made) = await server.challenge([players[1]], by: players[0])
                #expect(made.status == .created)
                ids.insert(String(path.suffix(36)), at: 0)
            }
            #expect(await server.challenge([players[1]], by: players[0]).1.problemName == "challenges-full")
            var found: [String] = []
            var path = "/v1/players/me/challenges?limit=4"
            while true {
                let page = await server.send(.get, path, by: players[1]).object
                let rows = page["rows"] as? [[String: Any]] ?? []
                #expect(rows.allSatisfy { $0["answer"] as? String == "invited" && $0["entrants"] == nil })
                found += rows.compactMap { $0["id"] as? String }
                guard let next = page["next"] as? String else { break }
                path = "/v1/players/me/challenges?limit=4&after=\(next)"
            }
            #expect(found == ids)
            let open = await server.send(.get, "/v1/players/me/challenges?state=open", by: players[1]).object
            #expect((open["rows"] as? [Any])?.count == 10)
            let over = await server.send(.get, "/v1/players/me/challenges?state=over", by: players[1]).object
            #expect((over["rows"] as? [Any])?.count == 0)
            #expect(await server.send(.get, "/v1/players/me/challenges?state=x", by: players[1]).status == .badRequest)
            server.setClock("2026-11-28T12:00:00Z")
            #expect(try await server.settle() == [10, 0])
            let notices =
                await server.send(.get, "/v1/players/me", by: players[0]).object["challenges"] as? [[String: Any]]
            #expect(notices?.map { $0["state"] as? String } == Array(repeating: "lapsed", count: 10))
        }
    }
}
