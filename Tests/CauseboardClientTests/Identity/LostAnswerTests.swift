import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// Registrations and changes of the token whose answers were lost or put off, and players who sign out meanwhile.
@Suite struct LostAnswerTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func open(_ server: FakeServer, _ clock: SkippingClock = SkippingClock()) async throws -> Causeboard {
        try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock))
    }

    /// Whether a request registers with the code `7K3MP2QX`.
    private static func joins(_ request: FakeRequest) -> Bool { request.text.contains("7K3MP2QX") }

    @Test("after a code whose answer was lost the queue registers again, and learns whose device it is") func lostJoin()
        async throws
    {
        let game = FakeGame { Self.joins($0) ? .after(.silence) : .none }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) {
            try await board.join(code: "7K3MP2QX")
        }
        game.state.withLock { $0.name = "Zoe" }
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.player?.name == "Zoe")
        await board.close()
    }

    @Test("a name that was put off and is then refused costs one registration") func refusedLater() async throws {
        let isPutOff = Mutex(true)
        let game = FakeGame { request in
            guard request.path.contains("/devices/"), request.text.contains("Eve") else { return .none }
            return .instead(
                isPutOff.withLock { $0 }
                    ? .problem("rate-limited", status: 429, headers: ["Retry-After": "60"])
                    : .problem("name-refused", status: 422))
        }
        let server = try FakeServer(game.answer)
        let clock = SkippingClock()
        let board = try await open(server, clock)
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.self) { try await board.rename(to: "Eve") }
        isPutOff.withLock { $0 = false }
        try await clock.clock.sleep(clock.slept + .seconds(61))
        let before = server.requests.count
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        let later = server.requests.dropFirst(before)
        #expect(later.count { $0.path.contains("/devices/") } == 1)
        #expect(later.contains { $0.text.contains("Eve") })
        #expect(await board.queue.nameRefusal == "The name-refused.")
        await board.close()
    }

    @Test(
        "when a token is refused while it is being changed, the change is finished first",
        arguments: [(401, "unauthorized"), (410, "gone")]) func refusedToken(status: Int, problem: String) async throws
    {
        let former = Mutex<String?>(nil)
        let loses = Mutex(true)
        let server = try FakeServer { request in
            switch request.path {
            case "/v1/players/me/token":
                let isLost = loses.withLock { isLost in
                    defer { isLost = false }
                    return isLost
                }
                return isLost ? .silence : .json(#"{"sign_key":"\#(FakeGame.signKey)","codes_ended":0}"#)
            case "/v1/players/me":
                let isFormer = request.token == former.withLock { $0 }
                return isFormer ? .problem(problem, status: status) : .json(FakeLive.profile())
            default: return .json(#"{"player":{"id":7,"name":"Ada"},"sign_key":"\#(FakeGame.signKey)"}"#)
            }
        }
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        let token = await board.session.identity?.token
        former.withLock { $0 = token }
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.rotateToken() }
        #expect(try await board.profile().name == "Ada")
        let identity = try #require(await board.session.identity)
        #expect(identity.token != token && identity.nextToken == nil)
        await board.close()
    }

    @Test("a signature that is refused says nothing of the token, so its change is not looked at")
    func refusedSignature() async throws {
        let game = FakeGame { request in
            if request.path == "/v1/players/me/token" { return .instead(.silence) }
            return request.path.contains("/scores/") ? .instead(.problem("bad-signature", status: 401)) : .none
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.rotateToken() }
        let before = server.requests.count
        let call = Call("PUT", "/v1/games/maze/boards/lap/scores/\(UUID())", body: Data(#"{"points":5}"#.utf8))
        guard case .answer(let answer) = await board.session.send(call, isSigned: true) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.problem?.name == .badSignature)
        #expect(server.requests.count == before + 1)
        await board.close()
    }

    @Test("after a sign-out nothing is sent for a device that no registration has made known") func signedOut()
        async throws
    {
        let game = FakeGame { request in
            guard Self.joins(request) else { return .none }
            return .instead(.problem("rate-limited", status: 429, headers: ["Retry-After": "60"]))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        try await board.signOut()
        await #expect(throws: CauseboardError.self) { try await board.join(code: "7K3MP2QX") }
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.stoppedBy == .signInAgain(.neverSignedIn))
        #expect(!server.requests.contains { $0.path.contains("/scores/") })
        await board.close()
    }

    @Test("the next player is not told of a name that the one before was refused") func formerRefusal() async throws {
        let isAway = Mutex(true)
        let game = FakeGame { request in
            guard request.text.contains("Eve") else { return .none }
            return .instead(isAway.withLock { $0 } ? .silence : .problem("name-refused", status: 422))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.self) { try await board.rename(to: "Eve") }
        isAway.withLock { $0 = false }
        let outcome = try await board.session.ensureRegistered()
        #expect(outcome == nil)
        try await board.signOut()
        #expect(await board.session.takeNameRefusal() == nil)
        await board.close()
    }

    @Test("the next player's device registers at once, however long the one before was put off") func formerPause()
        async throws
    {
        let isLimited = Mutex(false)
        let game = FakeGame { request in
            if Self.joins(request) { return .after(.silence) }
            guard request.path.contains("/devices/"), isLimited.withLock({ $0 }) else { return .none }
            return .instead(.problem("rate-limited", status: 429, headers: ["Retry-After": "28800"]))
        }
        let server = try FakeServer(game.answer)
        var board = try await open(server)
        try await board.signIn(as: "Ada")
        await board.close()
        isLimited.withLock { $0 = true }
        board = try await open(server)
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order.count } == 1, "a player who is known does without registering")
        isLimited.withLock { $0 = false }
        try await board.signOut()
        try await board.signIn(as: "Bob")
        await #expect(throws: CauseboardError.self) { try await board.join(code: "7K3MP2QX") }
        game.state.withLock { $0.name = "Zoe" }
        try await board.post(6, to: "lap")
        _ = try await board.drained()
        #expect(await board.player?.name == "Zoe")
        await board.close()
    }
}
