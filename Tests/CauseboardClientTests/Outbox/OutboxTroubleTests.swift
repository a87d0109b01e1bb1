import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// The queue among servers, networks and disks that are not as they should be.
@Suite struct OutboxTroubleTests {
    private let scratch: ScratchDirectory
    private let clock = SkippingClock()

    init() throws { scratch = try ScratchDirectory() }

    private func open(_ server: FakeServer) async throws -> Causeboard {
        try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock))
    }

    /// Answers so many times otherwise than the game does.
    private func game(_ times: Int, _ reply: FakeReply, _ isMeant: @escaping @Sendable (FakeRequest) -> Bool)
        -> FakeGame
    {
        let left = Mutex(times)
        return FakeGame { request in
            guard isMeant(request), left.withLock({ $0 > 0 }) else { return .none }
            left.withLock { $0 -= 1 }
            return .instead(reply)
        }
    }

    @Test("a post before anybody signed in is sent after a sign-in that did not get through") func offlineSignIn()
        async throws
    {
        let isAway = Mutex(true)
        let game = FakeGame { _ in isAway.withLock { $0 } ? .instead(.silence) : .none }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        let post = try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.stoppedBy == .signInAgain(.neverSignedIn))
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.signIn(as: "Ada") }
        isAway.withLock { $0 = false }
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order } == [post.id.uuidString.lowercased()])
        await board.close()
    }

    @Test(
        "a network's sign-in page sets nothing aside, however long it is there",
        arguments: [
            FakeReply(status: 200, headers: ["Content-Type": "text/html"], body: Data("<html>".utf8)),
            FakeReply(status: 302, headers: ["Location": "http://hotel.example/"]),
            FakeReply(status: 403, headers: ["Content-Type": "text/html"], body: Data("<html>".utf8)),
            FakeReply(status: 511),
        ]) func signInPage(reply: FakeReply) async throws
    {
        let game = game(Limits.faultsMax * 2, reply) { $0.path.contains("/scores/") }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order.count } == 1)
        await board.close()
    }

    @Test("a server that names no time to speak of is not asked without a pause") func noPause() async throws {
        let busy = FakeReply.problem("overloaded", status: 503, headers: ["Retry-After": "0"])
        let game = game(6, busy) { $0.path.contains("/scores/") }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(clock.slept >= .seconds(6))
        await board.close()
    }

    @Test("a cap that ended already holds a donation for a moment, and a post that is answered so is refused")
    func oldCap() async throws {
        let capped = FakeReply.problem("cap-reached", status: 422, more: #","again_at":"2020-01-01T00:00:00.000000Z""#)
        let game = game(4, capped) { $0.path.contains("/donations/") || $0.text.contains("99") }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        let post = try await board.post(99, to: "lap")
        try await board.donate(1, to: "red-cross")
        _ = try await board.drained()
        #expect(await board.queue.refused.map(\.id) == [post.id])
        #expect(game.state.withLock { $0.order.count } == 1)
        #expect(clock.slept >= .seconds(3))
        await board.close()
    }

    @Test("what became of an item is told although the disk is full, and is answered again after a restart")
    func fullDisk() async throws {
        let isFull = Mutex(false)
        let hasBeenFull = DispatchSemaphore(value: 0)
        let game = FakeGame { request in
            // Nothing is answered before the disk is full.
            if request.path.contains("/scores/") {
                _ = hasBeenFull.wait(timeout: .now() + 20)
                hasBeenFull.signal()
            }
            return request.text.contains("99") ? .instead(.problem("out-of-bounds", status: 422)) : .none
        }
        let server = try FakeServer(game.answer)
        try await DurableFiles.$fails.withValue({ done, _ in done == .write && isFull.withLock { $0 } }) {
            var board = try await open(server)
            try await board.signIn(as: "Ada")
            let posts = [try await board.post(5, to: "lap"), try await board.post(99, to: "lap")]
            isFull.withLock { $0 = true }
            let more = try? await board.post(7, to: "lap")
            #expect(more == nil)
            hasBeenFull.signal()
            for post in posts {
                let waiting = board
                #expect(try await withDeadline { await waiting.settlement(of: post) } != nil)
            }
            #expect(await board.queue.stoppedBy == nil)
            #expect(await board.queue.storageError != nil)
            isFull.withLock { $0 = false }
            await board.close()
            board = try await open(server)
            _ = try await board.drained()
            #expect(await board.queue.refused.map(\.id) == [posts[1].id])
            #expect(await board.queue.pending.isEmpty)
            #expect(game.state.withLock { $0.order } == [posts[0].id.uuidString.lowercased()])
            await board.close()
        }
    }

    @Test("a post that was sent is on the device's own board, also when that could not be written") func unwritten()
        async throws
    {
        let isFull = Mutex(true)
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        try await DurableFiles.$fails.withValue({ done, url in
            done == .write && url.path.contains("/boards/") && isFull.withLock { $0 }
        }) {
            var board = try await open(server)
            try await board.signIn(as: "Ada")
            let post = try await board.post(5, to: "lap")
            let waiting = board
            #expect(try await withDeadline { await waiting.settlement(of: post) } != nil)
            await board.close()
            isFull.withLock { $0 = false }
            board = try await open(server)
            _ = try await board.drained()
            #expect(try await board.localBoard("lap").entries.map(\.id) == [post.id])
            #expect(try await board.localBoard("lap").entries.map(\.state) == [.sent])
            #expect(game.state.withLock { $0.order } == [post.id.uuidString.lowercased()])
            await board.close()
        }
    }

    @Test("a journal that cannot be written anew stops nothing, and everybody is told first") func compaction()
        async throws
    {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let journal = try journal(server)
        for _ in 0...Limits.journalStaleLinesMax { try journal.append(.dismissed(UUID()), isDurable: false) }
        journal.close()
        try await DurableFiles.$fails.withValue({ done, url in done == .write && url.path.hasSuffix("outbox.new") }) {
            let board = try await open(server)
            try await board.signIn(as: "Ada")
            for points in 1...3 {
                let post = try await board.post(Int64(points), to: "lap")
                #expect(try await withDeadline { await board.settlement(of: post) } != nil)
            }
            _ = try await board.drained()
            #expect(await board.queue.stoppedBy == nil)
            #expect(game.state.withLock { $0.order.count } == 3)
            await board.close()
        }
    }

    @Test("a device that cannot keep its identity for a moment goes on by itself") func noIdentity() async throws {
        let isAway = Mutex(true)
        let game = FakeGame { _ in isAway.withLock { $0 } ? .instead(.silence) : .none }
        let server = try FakeServer(game.answer)
        let failures = Mutex(0)
        try await DurableFiles.$fails.withValue({ done, url in
            guard done == .write, url.path.contains("identity"), failures.withLock({ $0 > 0 }) else { return false }
            failures.withLock { $0 -= 1 }
            return true
        }) {
            let board = try await open(server)
            await #expect(throws: CauseboardError.self) { try await board.signIn(as: "Ada") }
            failures.withLock { $0 = 3 }
            try await board.post(5, to: "lap")
            isAway.withLock { $0 = false }
            let events = try await board.drained()
            #expect(failures.withLock { $0 } == 0)
            #expect(await board.queue.pending.isEmpty)
            #expect(await board.queue.storageError == nil)
            for event in events { if case .stopped(let error) = event { Issue.record("the queue stopped: \(error)") } }
            await board.close()
        }
    }

    @Test("a damaged line is told, and its post is not taken for sent") func damagedLine() async throws {
        let server = try FakeServer { _ in .silence }
        var board = try await open(server)
        for points in [7, 5] { try await board.post(Int64(points), to: "lap") }
        #expect(await board.queue.damagedLines == 0)
        await board.close()
        let file = board.storage.directory.appendingPathComponent("outbox")
        var data = try Data(contentsOf: file)
        data[data.startIndex + 40] ^= 1
        try data.write(to: file)
        board = try await open(server)
        #expect(await board.queue.damagedLines == 1)
        #expect(await board.queue.pending.map(\.points) == [5])
        #expect(try await board.localBoard("lap").entries.map(\.state) == [.unknown, .pending])
        await board.close()
    }

    @Test("refused items beyond those that are kept are counted") func forgotten() async throws {
        let game = FakeGame { $0.text.contains("99") ? .instead(.problem("out-of-bounds", status: 422)) : .none }
        let server = try FakeServer(game.answer)
        let journal = try journal(server)
        for _ in 0..<Limits.refusedWritesMax {
            let write = try PendingWrite.donation(1, charity: "red-cross", anonymous: false)
            let refused = RefusedWrite(write: write, refusal: RequestRefusal(.overspent, "No.", status: 422))
            try journal.append(.refused(refused), isDurable: false)
        }
        journal.close()
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        try await board.post(99, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.forgottenRefusals == 1)
        #expect(await board.queue.refused.count == Limits.refusedWritesMax)
        await board.close()
    }

    @Test("a server that sends a byte now and then is left after a time") func trickle() async throws {
        let isTrickling = Mutex(true)
        let game = FakeGame { request in
            guard request.path.contains("/scores/"), isTrickling.withLock({ $0 }) else { return .none }
            return .instead(
                FakeReply(
                    end: .parts {
                        Thread.sleep(forTimeInterval: 0.02)
                        return Data(" ".utf8)
                    }))
        }
        let server = try FakeServer(game.answer)
        var options = Options.test(scratch, clock)
        options.answerTime = .milliseconds(300)
        let board = try await Causeboard(server: server.url, game: "maze", options: options)
        try await board.signIn(as: "Ada")
        try await board.post(5, to: "lap")
        try await withDeadline {
            for await event in await board.watchQueue() { if case .waiting = event { break } }
            isTrickling.withLock { $0 = false }
        }
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order.count } == 1)
        await board.close()
    }

    private func journal(_ server: FakeServer) throws -> Journal {
        let storage = try Storage(server.url, game: "maze", .test(scratch))
        let journal = try Journal(storage.directory.appendingPathComponent("outbox"))
        _ = try journal.load()
        return journal
    }
}
