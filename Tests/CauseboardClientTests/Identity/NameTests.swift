import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// A player has one name and several devices.
@Suite struct NameTests {
    private let scratch: ScratchDirectory
    private let tablet: ScratchDirectory

    init() throws { (scratch, tablet) = (try ScratchDirectory(), try ScratchDirectory()) }

    private func open(_ server: FakeServer, _ scratch: ScratchDirectory, _ clock: SkippingClock = SkippingClock())
        async throws -> Causeboard
    { try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock)) }

    @Test("a device that starts again does not take back a name that another device gave") func twoDevices()
        async throws
    {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        var board = try await open(server, scratch)
        try await board.signIn(as: "Ada")
        let other = try await open(server, tablet)
        try await other.join(code: "7K3MP2QX")
        #expect(try await other.rename(to: "Eve").name == "Eve")
        for number in 1...3 {
            await board.close()
            board = try await open(server, scratch)
            // Games call it at each start, and some never do again.
            if number > 1 { #expect(try await board.signIn(as: "Ada").name == "Eve") }
            try await board.post(Int64(number), to: "lap")
            _ = try await board.drained()
            #expect(game.state.withLock { $0.name } == "Eve")
            #expect(await board.player?.name == "Eve")
        }
        #expect(try await board.localBoard("lap").entries.last?.name == "Ada")
        #expect(try await board.localBoard("lap").entries.first?.name == "Eve")
        #expect(server.requests.count { $0.text.contains(#""name":"Ada""#) } == 1)
        #expect(try await board.rename(to: "Ada").name == "Ada")
        #expect(game.state.withLock { $0.name } == "Ada")
        await board.close()
        await other.close()
    }

    @Test("a device that came by a code does not give back the name that its player had then") func joined()
        async throws
    {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let board = try await open(server, scratch)
        try await board.signIn(as: "Ada")
        var other = try await open(server, tablet)
        try await other.join(code: "7K3MP2QX")
        try await board.rename(to: "Eve")
        await other.close()
        other = try await open(server, tablet)
        try await other.post(5, to: "lap")
        _ = try await other.drained()
        #expect(try await other.signIn(as: "Ada").name == "Eve")
        #expect(game.state.withLock { $0.name } == "Eve")
        await board.close()
        await other.close()
    }

    @Test("a name that the stream tells is the player's from then on") func live() async throws {
        let live = FakeLive()
        let game = FakeGame { $0.path == "/v1/players/me/live" ? .instead(live.stream()) : .none }
        let server = try FakeServer(game.answer)
        let board = try await open(server, scratch)
        try await board.signIn(as: "Ada")
        live.tell(FakeLive.profile().replacingOccurrences(of: "Ada", with: "Eve"))
        try await withDeadline { #expect(await board.watchProfile().first { _ in true }?.name == "Eve") }
        #expect(await board.player?.name == "Eve")
        #expect(await board.session.identity?.name == "Eve")
        await board.close()
        live.end()
    }

    @Test("a new name that the server puts off or refuses keeps no post waiting", arguments: [429, 422]) func putOff(
        status: Int
    ) async throws {
        let isRefused = Mutex(true)
        let isAway = Mutex(false)
        let game = FakeGame { request in
            if isAway.withLock({ $0 }) { return .instead(.silence) }
            guard request.text.contains("Eve"), isRefused.withLock({ $0 }) else { return .none }
            let reply =
                status == 422
                ? FakeReply.problem("name-refused", status: 422)
                : .problem(
                    "rate-limited", status: 429, more: #","limit":"player-renames""#, headers: ["Retry-After": "28800"])
            return .instead(reply)
        }
        let server = try FakeServer(game.answer)
        let clock = SkippingClock()
        let board = try await open(server, scratch, clock)
        try await board.signIn(as: "Ada")
        isAway.withLock { $0 = true }
        await #expect(throws: CauseboardError.self) { try await board.rename(to: "Eve") }
        isAway.withLock { $0 = false }
        let post = try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order } == [post.id.uuidString.lowercased()])
        #expect(clock.slept < .seconds(3_600))
        #expect(await board.player?.name == "Ada")
        if status == 422 {
            #expect(await board.queue.nameRefusal == "The name-refused.")
            #expect(await board.session.identity?.name == "Ada")
            #expect(await board.session.identity?.pendingName == nil)
            await board.resume()
            #expect(await board.queue.nameRefusal == nil, "the player has been told")
        } else {
            #expect(await board.queue.nameRefusal == nil)
            // Nor is it sent before the server's time.
            try await clock.clock.sleep(clock.slept + .seconds(28_000))
            try await board.post(7, to: "lap")
            _ = try await board.drained()
            #expect(server.requests.count { $0.text.contains("Eve") } == 2)
            isRefused.withLock { $0 = false }
            // It is sent when the server's time is over.
            try await clock.clock.sleep(clock.slept + .seconds(28_802))
            try await board.post(6, to: "lap")
            _ = try await board.drained()
            #expect(game.state.withLock { $0.name } == "Eve")
            #expect(await board.player?.name == "Eve")
        }
        await board.close()
    }

    @Test("a player who is known plays on where registrations are limited, or fail", arguments: [429, 500])
    func limitedStart(status: Int) async throws {
        let isLimited = Mutex(false)
        let game = FakeGame { request in
            guard request.path.contains("/devices/"), isLimited.withLock({ $0 }) else { return .none }
            let name = status == 429 ? "rate-limited" : "bug"
            return .instead(.problem(name, status: status, headers: ["Retry-After": "3600"]))
        }
        let server = try FakeServer(game.answer)
        let clock = SkippingClock()
        var board = try await open(server, scratch, clock)
        try await board.signIn(as: "Ada")
        await board.close()
        isLimited.withLock { $0 = true }
        let before = server.requests.count
        board = try await open(server, scratch, clock)
        for points in [5, 6] {
            try await board.post(Int64(points), to: "lap")
            _ = try await board.drained()
        }
        #expect(game.state.withLock { $0.order.count } == 2)
        #expect(server.requests.dropFirst(before).count { $0.path.contains("/devices/") } == 1)
        #expect(clock.slept < .seconds(3_600))
        await board.close()
    }

    @Test("a server that knows the device no more makes its player anew") func forgotten() async throws {
        let game = FakeGame()
        let isNew = Mutex(false)
        let server = try FakeServer { request in
            if isNew.withLock({ $0 }), request.path.contains("/devices/"), !request.text.contains("name") {
                return .problem("field", status: 422, more: #","field":"name""#)
            }
            return game.answer(request)
        }
        var board = try await open(server, scratch)
        try await board.signIn(as: "Ada")
        await board.close()
        game.state.withLock { ($0.name, $0.tokens) = ("Somebody", [:]) }
        isNew.withLock { $0 = true }
        board = try await open(server, scratch)
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.pending.isEmpty)
        #expect(game.state.withLock { $0.name } == "Ada")
        await board.close()
    }

    @Test("an answer to who signed out meanwhile is not the next player's") func meanwhile() async throws {
        let boards = Mutex<Causeboard?>(nil)
        let server = try FakeServer { request in
            if let board = boards.withLock({ $0 }) {
                boards.withLock { $0 = nil }
                let isDone = DispatchSemaphore(value: 0)
                Task {
                    try await board.signOut()
                    isDone.signal()
                }
                _ = isDone.wait(timeout: .now() + 20)
            }
            return .json(#"{"player":{"id":7,"name":"Ada"}}"#)
        }
        let board = try await open(server, scratch)
        boards.withLock { $0 = board }
        await #expect(throws: CauseboardError.self) { try await board.signIn(as: "Ada") }
        #expect(await board.player == nil)
        await board.close()
    }
}
