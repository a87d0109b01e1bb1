import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// Names that have not got through, and answers that come when the player is another one.
@Suite struct PendingNameTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func open(_ server: FakeServer) async throws -> Causeboard {
        try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
    }

    /// A game whose server is away while `isAway` says so.
    private func game(
        _ isAway: @escaping @Sendable () -> Bool,
        _ fault: @escaping @Sendable (FakeRequest) -> FakeGame.Fault = { _ in .none }
    ) -> FakeGame { FakeGame { isAway() ? .instead(.silence) : fault($0) } }

    /// Asks for another name while the server is away.
    private func rename(_ board: Causeboard, to name: String) async {
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.rename(to: name) }
        #expect(await board.session.identity?.pendingName == name)
    }

    @Test("signing in under the former name takes back a new one that did not get through") func takenBack()
        async throws
    {
        let isAway = Mutex(false)
        let game = game { isAway.withLock { $0 } }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        isAway.withLock { $0 = true }
        await rename(board, to: "Eve")
        isAway.withLock { $0 = false }
        let before = server.requests.count
        #expect(try await board.signIn(as: "Ada").name == "Ada")
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(!server.requests.dropFirst(before).contains { $0.text.contains("Eve") })
        #expect(game.state.withLock { $0.name } == "Ada")
        #expect(await board.session.identity?.pendingName == nil)
        await board.close()
    }

    @Test("a later name waits on, whether an earlier one is taken or refused", arguments: [200, 422]) func laterName(
        status: Int
    ) async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let game = FakeGame { request in
            if request.text.contains("Bob") { return .instead(.silence) }
            guard request.text.contains("Eve") else { return .none }
            _ = mayAnswer.wait(timeout: .now() + 20)
            return status == 200 ? .none : .instead(.problem("name-refused", status: status))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        let first = Task { try? await board.rename(to: "Eve") }
        try await withDeadline {
            while !server.requests.contains(where: { $0.text.contains("Eve") }) { await Task.yield() }
        }
        let second = Task { try? await board.rename(to: "Bob") }
        try await withDeadline { while await board.session.registrationTurns.isEmpty { await Task.yield() } }
        mayAnswer.signal()
        #expect((await first.value != nil) == (status == 200))
        #expect(await second.value == nil)
        #expect(await board.session.identity?.pendingName == "Bob")
        await board.close()
    }

    @Test("a name that waits for approval stays the device's, although the server says the former one") func approval()
        async throws
    {
        let game = FakeGame { request in
            guard request.path.contains("/devices/") else { return .none }
            return .after(.json(#"{"player":{"id":7,"name":"Ada"},"sign_key":"\#(FakeGame.signKey)"}"#))
        }
        let server = try FakeServer(game.answer)
        var board = try await open(server)
        try await board.signIn(as: "Ada")
        #expect(try await board.rename(to: "Eve").name == "Ada")
        await board.close()
        board = try await open(server)
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.session.identity?.name == "Eve")
        #expect(await board.player?.name == "Ada")
        await board.close()
    }

    @Test("a name that is put off stays the device's, whatever the player is called meanwhile") func putOff()
        async throws
    {
        let isAway = Mutex(false)
        let game = game({ isAway.withLock { $0 } }) { request in
            guard request.text.contains("Eve") else { return .none }
            return .instead(.problem("rate-limited", status: 429, headers: ["Retry-After": "28800"]))
        }
        let server = try FakeServer(game.answer)
        var board = try await open(server)
        try await board.signIn(as: "Ada")
        isAway.withLock { $0 = true }
        await rename(board, to: "Eve")
        await board.close()
        game.state.withLock { $0.name = "Zoe" }
        isAway.withLock { $0 = false }
        board = try await open(server)
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.player?.name == "Zoe")
        let identity = try #require(await board.session.identity)
        #expect(identity.name == "Eve" && identity.pendingName == "Eve")
        await board.close()
    }

    @Test("a profile that is read leaves a name that waits, and one that is changed takes its place") func profiles()
        async throws
    {
        let isAway = Mutex(false)
        let game = game({ isAway.withLock { $0 } }) { request in
            guard request.path == "/v1/players/me" else { return .none }
            let name = request.method == "PATCH" ? "Zoe" : "Ada"
            return .instead(.json(FakeLive.profile().replacingOccurrences(of: "Ada", with: name)))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        isAway.withLock { $0 = true }
        await rename(board, to: "Eve")
        isAway.withLock { $0 = false }
        _ = try await board.profile()
        #expect(await board.session.identity?.name == "Eve")
        var change = ProfileChange()
        change.name = "Zoe"
        try await board.changeProfile(change)
        #expect(await board.session.identity?.pendingName == nil)
        #expect(await board.session.identity?.name == "Zoe")
        await board.close()
    }

    @Test("a device that was cut off keeps its label, as it is another's now") func cutOff() async throws {
        let isCutOff = Mutex(false)
        let game = FakeGame { request in
            guard request.path.contains("/devices/"), isCutOff.withLock({ $0 }) else { return .none }
            return .instead(.problem("label-taken", status: 409))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        let label = await board.session.identity?.device
        isCutOff.withLock { $0 = true }
        await #expect(throws: CauseboardError.signInAgain(.tokenRefused)) { try await board.rename(to: "Eve") }
        #expect(await board.session.identity?.device == label)
        await board.close()
    }

    @Test("the next player's name does not wait for as long as the one before was told to") func nextPlayer()
        async throws
    {
        let isAway = Mutex(false)
        let game = game({ isAway.withLock { $0 } }) { request in
            guard request.text.contains("Eve") else { return .none }
            return .instead(.problem("rate-limited", status: 429, headers: ["Retry-After": "28800"]))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.self) { try await board.rename(to: "Eve") }
        try await board.signOut()
        try await board.signIn(as: "Bob")
        isAway.withLock { $0 = true }
        await rename(board, to: "Cy")
        isAway.withLock { $0 = false }
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(game.state.withLock { $0.name } == "Cy")
        await board.close()
    }

    enum Asked: CaseIterable, Sendable { case registration, profile, token }

    @Test("an answer about who signed out is not the next player's", arguments: Asked.allCases) func anotherPlayer(
        asked: Asked
    ) async throws {
        let boards = Mutex<Causeboard?>(nil)
        let server = try FakeServer { request in
            if let board = boards.withLock({ $0 }) {
                boards.withLock { $0 = nil }
                let isDone = DispatchSemaphore(value: 0)
                Task {
                    try await board.signOut()
                    // A registration of the next player waits for the one that is under way.
                    let next = Task { try await board.signIn(as: "Bob") }
                    while await board.session.identity?.name != "Bob" { await Task.yield() }
                    if asked != .registration { _ = try await next.value }
                    isDone.signal()
                }
                _ = isDone.wait(timeout: .now() + 20)
            }
            switch request.path {
            case "/v1/players/me": return .json(FakeLive.profile())
            case "/v1/players/me/token": return .json(#"{"sign_key":"\#(FakeGame.signKey)","codes_ended":0}"#)
            default:
                let (id, name) = request.text.contains("Bob") ? (8, "Bob") : (7, "Ada")
                return .json(#"{"player":{"id":\#(id),"name":"\#(name)"}}"#)
            }
        }
        let board = try await open(server)
        if asked != .registration { try await board.signIn(as: "Ada") }
        boards.withLock { $0 = board }
        switch asked {
        case .registration: await #expect(throws: CauseboardError.self) { try await board.signIn(as: "Ada") }
        case .profile: _ = try await board.profile()
        case .token: try await board.rotateToken()
        }
        try await withDeadline { while await board.player?.id != 8 { await Task.yield() } }
        #expect(await board.player?.name == "Bob")
        let token = try #require(await board.session.identity?.token)
        let registration = try #require(server.requests.first { $0.text.contains("Bob") })
        #expect(registration.token == token)
        await board.close()
    }
}
