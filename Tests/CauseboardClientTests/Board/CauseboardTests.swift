import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

@Suite struct CauseboardTests {
    @Test("three lines are on the board") func threeLines() async throws {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let post = try await board.post(61_500, to: "lap")
        let settlement = await board.settlement(of: post)
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order } == [post.id.uuidString.lowercased()])
        #expect(settlement == .score(try #require(receipt(61_500))))
        #expect(try await board.localBoard("lap").entries.map(\.state) == [.sent])
        await board.close()
    }

    @Test("the same device is the same player after a restart, with a token that nobody else reads") func restart()
        async throws
    {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        for _ in 1...3 {
            let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
            try await board.signIn(as: "Ada")
            #expect(await board.player == Player(id: 7, name: "Ada", avatar: nil))
            await board.close()
        }
        let tokens = Set(server.requests.compactMap(\.token))
        #expect(tokens.count == 1)
        #expect(try #require(tokens.first).wholeMatch(of: /cbd_[A-Za-z0-9_-]{43}/) != nil)
        let file = scratch.url.appendingPathComponent("secrets/identity.secret")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a second object on the same files is refused, until the first is closed") func locked() async throws {
        let server = try FakeServer { _ in .silence }
        let scratch = try ScratchDirectory()
        let first = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await #expect(throws: CauseboardError.self) {
            try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        }
        await first.close()
        let second = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await second.close()
    }

    @Test(
        "answers become what the game should do",
        arguments: [
            (FakeReply.problem("name-refused", status: 422), CauseboardError.chooseAnotherName("The name-refused.")),
            (.problem("banned", status: 403), .signInAgain(.banned)),
            (.problem("gone", status: 410), .signInAgain(.erased)),
            (.problem("unauthorized", status: 401), .signInAgain(.tokenRefused)),
            (.problem("overloaded", status: 503), .askAgain(after: nil, .serverTrouble)),
            (
                FakeReply(status: 200, body: Data("<html>Welcome to the hotel".utf8)),
                .askAgain(after: nil, .unreachable)
            ), (.silence, .askAgain(after: nil, .unreachable)),
            (
                .problem("code-refused", status: 422),
                .giveUp(RequestRefusal(.codeRefused, "The code-refused.", status: 422))
            ),
        ]) func errors(reply: FakeReply, expected: CauseboardError) async throws
    {
        let server = try FakeServer { _ in reply }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await #expect(throws: expected) { try await board.signIn(as: "Ada") }
        await board.close()
    }

    @Test("a time to come again is told as a date") func comeAgain() async throws {
        let server = try FakeServer { _ in .problem("rate-limited", status: 429, headers: ["Retry-After": "60"]) }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        let error = await #expect(throws: CauseboardError.self) { try await board.top(of: "lap") }
        guard case .askAgain(let after?, .rateLimited)? = error else {
            Issue.record("the answer became \(String(describing: error))")
            return await board.close()
        }
        #expect((50...70).contains(after.timeIntervalSinceNow))
        await board.close()
    }

    @Test("a redirection to another place is not followed, because the token would go along") func redirection()
        async throws
    {
        let thief = try FakeServer { _ in .json("{}") }
        let target = thief.url.absoluteString + "/v1/players/me"
        let server = try FakeServer { request in
            request.path.contains("/devices/")
                ? .json(#"{"player":{"id":7,"name":"Ada"}}"#) : FakeReply(status: 308, headers: ["Location": target])
        }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.profile() }
        #expect(thief.requests.isEmpty)
        await board.close()
    }

    @Test("servers that share a host have files and tokens of their own") func paths() throws {
        let scratch = try ScratchDirectory()
        var options = Options()
        options.directory = scratch.url
        let names = try ["", "/", "/a", "/a/", "/b", "/a/b", "/a_b", "/a%2Fb"].map { path in
            let server = try #require(URL(string: "https://scores.example.org" + path))
            return try Storage(server, game: "maze", options).directory.lastPathComponent
        }
        #expect(names[0] == "https-scores.example.org-maze")
        #expect(names[1] == names[0])
        #expect(names[2] == names[3])
        #expect(Set(names).count == 6)
    }

    @Test("a detail is sent as it was given, and one that cannot be sent is refused before it is queued") func details()
        async throws
    {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let longest = Detail.text(String(repeating: "x", count: 1_022))
        let details: [Detail?] = [nil, ["car": "red", "laps": [1, 2.5, true]], longest]
        for detail in details { try await board.post(5, to: "lap", detail: detail) }
        for bad in [Detail.text(String(repeating: "x", count: 1_023)), .number(.infinity)] {
            let error = await #expect(throws: CauseboardError.self) { try await board.post(5, to: "lap", detail: bad) }
            guard case .giveUp? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        _ = try await board.drained()
        let posts = server.requests.filter { $0.path.contains("/scores/") }
        #expect(try posts.map { try JSONDecoder().decode(ScorePost.self, from: $0.body).detail } == details)
        #expect(posts.first?.text.contains("detail") == false)
        #expect(try await board.localBoard("lap").entries.count == 3)
        await board.close()
    }

    @Test("a post that was answered before it was on the device's own board shows as sent there") func answeredEarly()
        async throws
    {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let post = try await board.post(5, to: "lap")
        _ = try await board.drained()
        try await board.boards.forgetAll()
        await board.show(post, on: "lap")
        #expect(try await board.localBoard("lap").entries.map(\.state) == [.sent])
        await board.close()
    }

    @Test("what can be no slug or no donation is refused before it is queued") func checked() async throws {
        let server = try FakeServer { _ in .silence }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        for bad in ["", "Lap", "a/b", "-lap", String(repeating: "a", count: 64)] {
            await #expect(throws: CauseboardError.self) { try await board.post(1, to: bad) }
        }
        await #expect(throws: CauseboardError.self) { try await board.donate(0, to: "red-cross") }
        #expect(await board.queue.pending.isEmpty)
        await board.close()
    }

    private func receipt(_ points: Int64) -> ScoreReceipt? {
        let text =
            #"{"points":\#(points),"best":\#(points),"improved":true,"rank":1,"of":1,"earned":\#(points),"left":0}"#
        return try? JSONDecoder().decode(ScoreReceipt.self, from: Data(text.utf8))
    }
}
