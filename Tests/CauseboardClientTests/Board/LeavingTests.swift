import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// What app stores want: to leave, to have all that is kept, to report others.
@Suite struct LeavingTests {
    private static let receipt = "5d1c8d5e-7f3b-4a55-9a0a-0d7b7f4c9e11"
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// A signed-in player with a post that waits, and what the server answers at one path.
    private func playing(_ path: String, _ reply: FakeReply) async throws -> (board: Causeboard, server: FakeServer) {
        let game = FakeGame { request in
            if request.path == path { return .instead(reply) }
            return request.path.contains("/scores/") ? .instead(.silence) : .none
        }
        let server = try FakeServer(game.answer)
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        return (board, server)
    }

    @Test(
        "an erased player leaves nothing on the device, also when the first answer was lost",
        arguments: [
            FakeReply.json(#"{"receipt":"\#(receipt)"}"#),
            .problem("gone", status: 410, more: #","receipt":"\#(receipt)""#),
        ]) func erase(reply: FakeReply) async throws
    {
        var (board, server) = try await playing("/v1/players/me/erasure", reply)
        #expect(try await board.erase(confirming: "Ada") == Self.receipt)
        let asked = try #require(server.requests.first { $0.path == "/v1/players/me/erasure" })
        #expect(asked.method == "POST" && asked.text == #"{"confirm":"Ada"}"#)
        #expect(await board.player == nil)
        #expect(await board.queue.pending.isEmpty)
        await board.close()
        board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        #expect(await board.player == nil)
        #expect(await board.queue.pending.isEmpty)
        #expect(try await board.localBoard("lap").entries.isEmpty)
        await board.close()
    }

    @Test("who waits for a post of an erased player is told that there is no answer, and what was refused goes with it")
    func eraseTrouble() async throws {
        let game = FakeGame { request in
            if request.path == "/v1/players/me/erasure" { return .instead(.json(#"{"receipt":"\#(Self.receipt)"}"#)) }
            if request.text.contains("99") { return .instead(.problem("out-of-bounds", status: 422)) }
            return request.path.contains("/scores/") ? .instead(.problem("bug", status: 500)) : .none
        }
        let server = try FakeServer(game.answer)
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let refused = try await board.post(99, to: "lap")
        #expect(try await withDeadline { await board.settlement(of: refused) } != nil)
        let post = try await board.post(5, to: "lap")
        let waiting = Task { await board.settlement(of: post) }
        try await withDeadline { while await board.queue.setAside.isEmpty { await Task.yield() } }
        try await board.erase(confirming: "Ada")
        #expect(try await withDeadline { await waiting.value } == nil)
        let queue = await board.queue
        #expect(queue.pending.isEmpty && queue.refused.isEmpty && queue.setAside.isEmpty)
        await board.close()
    }

    @Test("an answer to a post of an erased player is not the next player's") func answerAfterErasure() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let game = FakeGame { request in
            if request.path == "/v1/players/me/erasure" { return .instead(.json(#"{"receipt":"\#(Self.receipt)"}"#)) }
            guard request.text.contains("99") else { return .none }
            _ = mayAnswer.wait(timeout: .now() + 20)
            return .instead(.problem("out-of-bounds", status: 422))
        }
        let server = try FakeServer(game.answer)
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        try await board.post(99, to: "lap")
        try await withDeadline {
            while !server.requests.contains(where: { $0.text.contains("99") }) { await Task.yield() }
        }
        try await board.erase(confirming: "Ada")
        mayAnswer.signal()
        try await board.signIn(as: "Bob")
        let post = try await board.post(5, to: "lap")
        #expect(try await withDeadline { await board.settlement(of: post) } != nil)
        #expect(await board.queue.refused.isEmpty)
        await board.close()
    }

    @Test("a player who is not erased keeps everything") func notErased() async throws {
        let refused = FakeReply.problem("confirm", status: 422)
        let (board, server) = try await playing("/v1/players/me/erasure", refused)
        let error = CauseboardError.giveUp(RequestRefusal(.confirm, "The confirm.", status: 422))
        await #expect(throws: error) { try await board.erase(confirming: "Eve") }
        #expect(await board.player?.name == "Ada")
        #expect(await board.queue.pending.count == 1)
        #expect(server.requests.contains { $0.path == "/v1/players/me/erasure" })
        await board.close()
    }

    @Test("a report names the player and says why") func report() async throws {
        let taken = FakeReply.json("{}", status: 202)
        let (board, server) = try await playing("/v1/players/12/report", taken)
        try await board.report(12, for: .cheating, text: "A lap in one second")
        let asked = try #require(server.requests.first { $0.path == "/v1/players/12/report" })
        #expect(asked.method == "POST" && asked.text == #"{"text":"A lap in one second","why":"cheating"}"#)
        await board.close()
    }

    @Test("an export is written whole or not at all") func export() async throws {
        let parts = Mutex(["{\"name\":", "\"Ada\"}"])
        let whole = FakeReply(
            headers: ["Content-Type": "application/json"],
            end: .parts { parts.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) } })
        let (board, server) = try await playing("/v1/players/me/export", whole)
        let file = scratch.url.appendingPathComponent("mine.json")
        try await board.exportData(to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == #"{"name":"Ada"}"#)
        #expect(server.requests.contains { $0.path == "/v1/players/me/export" && $0.token != nil })
        await board.close()
    }

    @Test("an export that is refused or ends early leaves the file as it was", arguments: [true, false]) func noExport(
        isRefused: Bool
    ) async throws {
        let refused = FakeReply.problem("rate-limited", status: 429, headers: ["Retry-After": "60"])
        // It says that more is to come than there is.
        let cut = FakeReply(
            headers: ["Content-Type": "application/json", "Content-Length": "100"], end: .parts { nil })
        let (board, server) = try await playing("/v1/players/me/export", isRefused ? refused : cut)
        let file = scratch.url.appendingPathComponent("mine.json")
        try Data("before".utf8).write(to: file)
        do throws(CauseboardError) {
            try await board.exportData(to: file)
            Issue.record("the export was taken for whole")
        } catch {
            guard case .askAgain(_, let reason) = error else { throw error }
            #expect(reason == (isRefused ? .rateLimited : .unreachable))
        }
        #expect(server.requests.contains { $0.path == "/v1/players/me/export" })
        #expect(try String(contentsOf: file, encoding: .utf8) == "before")
        #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
        await board.close()
    }
}
