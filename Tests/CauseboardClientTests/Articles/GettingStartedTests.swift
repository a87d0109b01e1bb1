import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

@Suite struct GettingStartedTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let article = tests.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent(
            "Sources/CauseboardClient/CauseboardClient.docc/GettingStarted.md")

    @Test("the article's code is the code that is compiled and played here") func printed() throws {
        let code = try lines(Self.tests.appendingPathComponent("GettingStartedCode.swift"))
        let blocks = try String(contentsOf: Self.article, encoding: .utf8).components(separatedBy: "```").filter {
            $0.hasPrefix("swift\n")
        }
        #expect(blocks.count >= 14)
        for block in blocks {
            let wanted = block.dropFirst("swift\n".count).split(separator: "\n").map(trimmed)
            let isThere = code.indices.contains { code[$0...].starts(with: wanted) }
            #expect(isThere, "\(block)")
        }
    }

    @Test("and it does what the article says") func played() async throws {
        let saves = FakeSaves()
        let game = FakeGame { request in
            switch request.path {
            case "/v1/games/maze/boards/lap/top.json" where !request.target.contains("country="):
                return .instead(.json(#"{"board":"lap","of":0,"rows":[]}"#))
            case "/v1/games/maze/boards/lap":
                return .instead(
                    .json(
                        #"{"game":"maze","slug":"lap","name":"Lap","season":1,"order":"lowest","policy":"best","#
                            + #""points_min":0,"points_max":9,"zone":"UTC","final":false}"#))
            case "/v1/charities.json":
                let row = #"{"rank":1,"slug":"red-cross","name":"Red Cross","points":0,"contributors":0,"final":false}"#
                return .instead(.json(#"{"board":"charities","of":1,"rows":[\#(row)]}"#))
            case "/v1/players/me/codes":
                return .instead(.json(#"{"code":"7K3MP2QX","expires_at":"2026-11-21T12:10:00.000000Z"}"#, status: 201))
            case "/v1/games/maze/sign-ins":
                return .instead(.json(#"{"nonce":"AAAA","expires_at":"2026-11-21T12:10:00.000000Z"}"#))
            case let path where request.method == "PUT" && path.hasPrefix("/v1/games/maze/boards/lap/challenges/"):
                return .instead(DirectAnswer.json(DirectAnswer.standings, status: 201))
            case "/TopScores.xml":
                let row = "<customer><name>Bob</name><image></image><points>9</points></customer>"
                return .instead(FakeReply(body: Data("<customers>\(row)</customers>".utf8)))
            case "/v1/players/12/report": return .instead(.json("{}", status: 202))
            case "/v1/players/me/export": return .instead(.json(#"{"name":"Ada"}"#))
            case "/v1/players/me/erasure": return .instead(.json(#"{"receipt":"5d1c"}"#))
            case let path where path.hasPrefix("/v1/players/me/saves"): return .instead(saves.answer(request))
            default: return DirectAnswer.to(request).map { .instead($0.1) } ?? .none
            }
        }
        let server = try FakeServer(game.answer)
        let article = GettingStarted(server: server.url)
        let scratches = [try ScratchDirectory(), try ScratchDirectory()]
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratches[0]))
        let other = try await Causeboard(server: server.url, game: "maze", options: .test(scratches[1]))
        await article.signIn(board, "Ada")
        try await article.post(board)
        try await article.rankings(board)
        try await article.donate(board)
        try await article.bring(board, other)
        try await article.signIn(board, as: "Ada") { nonce in "token of \(nonce)" }
        try await article.save(board)
        try await article.plainSave(board)
        #expect(try await article.migratedSave(board).load()?.level.value == 7)
        try await article.feed(board)
        try await article.detail(board)
        _ = try await board.drained()
        let file = scratches[0].url.appendingPathComponent("mine.json")
        try await article.friends(board, "8Q4N-R3TY")
        try await article.teams(board, other)
        try await article.flags(board)
        try await article.challenge(board, 12)
        try await article.awards(board)
        try await article.campaigns(board)
        try await article.cohort(board)
        try await article.plan(board)
        try await article.leave(board, Player(id: 12, name: "Bob", avatar: nil), file, "Ada")
        #expect(
            article.screen.texts.withLock { $0 } == [
                "Rank 1, and 58250 points to donate.", "Ada 58250 sent", "Bob donated 9", "Your code: 7K3MP2QX",
                "Bob is your friend now.", "1. Bob 5", "1. Red 9, by 2", "1. Bob DE-BE", "1. DE 9", "1. Bob 9",
                "0. Ada 0", "First lap: 3 of 5", "A well, 1000: reached", "A pump, 5000: not yet", "3800 points to go.",
                "1. Bob 5", "Donates next after 2026-11-22.", "books would get 40.", "tree-fund would get 60.",
                "Erased: 5d1c",
            ])
        #expect(game.state.withLock { $0.order.count } == 3)
        #expect(server.requests.count { $0.text.hasPrefix(#"{"detail":{"car":"red","gears":5},"#) } == 1)
        #expect(saves.slots.withLock { $0.keys.sorted() } == ["journey", "sound"])
        let joining = server.requests.filter { $0.text.contains("7K3MP2QX") }
        #expect(joining.map(\.text) == [#"{"code":"7K3MP2QX","device_name":"Tablet"}"#, #"{"code":"7K3MP2QX"}"#])
        let identities = server.requests.filter { $0.text.contains("identity") }
        let proof = #"{"nonce":"AAAA","provider":"apple","token":"token of AAAA"}"#
        #expect(identities.map(\.text) == [#"{"identity":\#(proof)}"#])
        await board.close()
        await other.close()
    }

    private func lines(_ url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(trimmed)
    }

    private func trimmed(_ line: some StringProtocol) -> String { line.trimmingCharacters(in: .whitespaces) }
}
