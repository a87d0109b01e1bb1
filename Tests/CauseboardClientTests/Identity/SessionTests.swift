import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

@Suite struct SessionTests {
    @Test("a signature is the one of the contract's vector") func vector() throws {
        let signer = try #require(RequestSigner("cbs_OspMc2FwjfqXOSBEI8WIg8T3rh1Q8N3zWyz0hNAXK_0"))
        let path = "/v1/games/maze/boards/lap/scores/0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"
        let call = Call("PUT", path, body: Data(#"{"points":61500}"#.utf8))
        let code = "bf434b8fbe0a9eebff54d0c4354c05328028050761b829d31ea8f3c5c624b6c0"
        #expect(signer.signature(of: call, seconds: 1_795_262_400) == "t=1795262400,v1=\(code)")
        #expect(RequestSigner("cbs_short") == nil)
        #expect(RequestSigner("cbd_OspMc2FwjfqXOSBEI8WIg8T3rh1Q8N3zWyz0hNAXK_0") == nil)
    }

    @Test("posts are signed by the server's clock, whatever the device's shows") func serverTime() async throws {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        try await board.donate(5, to: "red-cross")
        _ = try await board.drained()
        let post = try #require(server.requests.first { $0.path.contains("/scores/") })
        let playedAt = try #require(try JSONDecoder().decode(ScorePost.self, from: post.body).playedAt)
        #expect(playedAt.microsecondsSince1970 / 1_000_000 == 1_795_262_400, "so is the time of play")
        let donation = try #require(server.requests.first { $0.path.contains("/donations/") })
        #expect(donation.headers["causeboard-signature"] == nil, "a donation needs no signature")
        let signature = try #require(server.requests.compactMap { $0.headers["causeboard-signature"] }.first)
        // The fake server says that it is 2026-11-21 12:00.
        #expect(signature.hasPrefix("t=1795262400,v1="))
        await board.close()
    }

    @Test("a signature that comes at the wrong time is made again once, by the time of the answer") func clockSkew()
        async throws
    {
        let times = Mutex<[String]>([])
        let game = FakeGame { request in
            guard let signature = request.headers["causeboard-signature"] else { return .none }
            let isFirst = times.withLock { times in
                times.append(String(signature.prefix { $0 != "," }))
                return times.count == 1
            }
            let later = ["Date": "Sat, 21 Nov 2026 13:00:00 GMT"]
            return isFirst ? .instead(.problem("clock-skew", status: 401, headers: later)) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let clock = SkippingClock()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock))
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(times.withLock { $0 } == ["t=1795262400", "t=1795266000"])
        #expect(clock.slept == .zero)
        await board.close()
    }

    @Test("a signature by a key that the server does not know brings the key, and the post goes out") func oldKey()
        async throws
    {
        let registrations = Mutex(0)
        let game = FakeGame { request in
            if request.path.contains("/devices/") { registrations.withLock { $0 += 1 } }
            let isOld = request.headers["causeboard-signature"] != nil && registrations.withLock { $0 < 2 }
            return isOld ? .instead(.problem("bad-signature", status: 401)) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.stoppedBy == nil)
        #expect(await board.queue.pending.isEmpty)
        #expect(game.state.withLock { $0.order.count } == 1)
        #expect(registrations.withLock { $0 } == 2)
        await board.close()
    }

    @Test("a new name that is refused leaves the old one, and one that does not get through is sent by the queue")
    func names() async throws {
        let isAway = Mutex(false)
        let game = FakeGame { request in
            if request.text.contains("Bad") { return .instead(.problem("name-refused", status: 422)) }
            return isAway.withLock { $0 } ? .instead(.silence) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        var board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.chooseAnotherName("The name-refused.")) {
            try await board.signIn(as: "Bad")
        }
        #expect(await board.session.identity?.name == "Ada")
        isAway.withLock { $0 = true }
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.signIn(as: "Eve") }
        await board.close()
        board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.signIn(as: "Zoe") }
        isAway.withLock { $0 = false }
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.player?.name == "Zoe")
        await board.close()
    }

    @Test("a change of the token whose answer was lost is found out about, and nothing is lost with it")
    func lostRotation() async throws {
        let first = Mutex<String?>(nil)
        let rotated = Mutex<String?>(nil)
        let loses = Mutex(true)
        let strangers = Mutex(0)
        let game = FakeGame { request in
            let new = rotated.withLock { $0 }
            let old = first.withLock { first in
                if first == nil { first = request.token }
                return first
            }
            if request.token != old, request.token != new { strangers.withLock { $0 += 1 } }
            if request.path == "/v1/players/me/token" {
                guard let wanted = try? JSONDecoder().decode(TokenRotation.self, from: request.body).token,
                    new == nil || request.token == new
                else { return .instead(.problem("unauthorized", status: 401)) }
                rotated.withLock { $0 = wanted }
                let isLost = loses.withLock { isLost in
                    defer { isLost = false }
                    return isLost
                }
                return .instead(isLost ? .silence : .json(#"{"sign_key":"\#(FakeGame.signKey)","codes_ended":0}"#))
            }
            guard let new else { return .none }
            guard request.token == new else { return .instead(.problem("unauthorized", status: 401)) }
            if request.path.contains("/devices/") {
                return .instead(.json(#"{"player":{"id":7,"name":"Ada"},"sign_key":"\#(FakeGame.signKey)"}"#))
            }
            return .instead(.json(#"{"points":5,"best":5,"improved":true,"earned":5,"left":5}"#, status: 201))
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        var board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let old = await board.session.identity?.token
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.rotateToken() }
        await board.close()
        board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        let post = try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(strangers.withLock { $0 } == 0, "a token is not tried before the server has been told of it")
        #expect(await board.queue.pending.isEmpty)
        #expect(await board.queue.refused.isEmpty)
        let identity = try #require(await board.session.identity)
        #expect(identity.token == rotated.withLock { $0 })
        #expect(identity.token != old)
        #expect(identity.nextToken == nil)
        #expect(try await board.localBoard("lap").entries.map(\.id) == [post.id])
        await board.close()
    }

    @Test("a request whose token was changed while it was under way is made again by the new one")
    func changedMeanwhile() async throws {
        let boards = Mutex<Causeboard?>(nil)
        let current = Mutex<String?>(nil)
        let game = FakeGame { request in
            if request.path == "/v1/players/me/token" {
                current.withLock { $0 = try? JSONDecoder().decode(TokenRotation.self, from: request.body).token }
                return .instead(.json(#"{"sign_key":"\#(FakeGame.signKey)","codes_ended":0}"#))
            }
            guard request.path.contains("/scores/") else { return .none }
            if let board = boards.withLock({ $0 }) {
                boards.withLock { $0 = nil }
                let isDone = DispatchSemaphore(value: 0)
                Task {
                    try await board.rotateToken()
                    isDone.signal()
                }
                _ = isDone.wait(timeout: .now() + 20)
            }
            if request.token != current.withLock({ $0 }) { return .instead(.problem("unauthorized", status: 401)) }
            return .instead(.json(#"{"points":5,"best":5,"improved":true,"earned":5,"left":5}"#, status: 201))
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        boards.withLock { $0 = board }
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.stoppedBy == nil)
        #expect(await board.queue.pending.isEmpty)
        await board.close()
    }
}
