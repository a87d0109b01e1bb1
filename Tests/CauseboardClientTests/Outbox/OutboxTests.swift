import Contract
import Foundation
import Synchronization
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct OutboxTests {
    @Test(
        "nothing is lost, sent twice or passed, through lost answers, faults and restarts",
        arguments: Dice.seeds(1...12)) func random(seed: UInt64) async throws
    {
        let dice = Mutex(Dice(seed: seed))
        let game = FakeGame { _ in
            switch dice.withLock({ Int.random(in: 0..<10, using: &$0) }) {
            case 0: .instead(.silence)
            case 1: .after(.silence)
            case 2: .instead(.problem("bug", status: 500))
            case 3: .after(.problem("overloaded", status: 503, headers: ["Retry-After": "5"]))
            case 4: .instead(FakeReply(status: 502, body: Data("<html>Bad gateway".utf8)))
            case 5: .after(FakeReply(status: 200, body: Data("<html>Welcome".utf8)))
            default: .none
            }
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        var queued: [PendingWrite] = []
        for round in 1...4 {
            let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
            if round == 1 { _ = try? await board.signIn(as: "Ada") }
            for number in 1...6 {
                let points = Int64(round * 10 + number)
                let isDonation = dice.withLock { $0.percent(30) }
                queued.append(
                    isDonation
                        ? try await board.donate(points, to: "red-cross") : try await board.post(points, to: "lap"))
            }
            // The last round sends everything; the others are cut off wherever they are.
            if round == 4 {
                var events = try await board.drained()
                while await !board.queue.pending.isEmpty {
                    await board.resume()
                    events += try await board.drained()
                }
            }
            await board.close()
        }
        let sent = game.state.withLock { $0.order }
        #expect(Set(sent) == Set(queued.map { $0.id.uuidString.lowercased() }), "seed \(seed)")
        #expect(sent.count == queued.count)
        // Nothing was set aside in so few faults, so the order is the one in which they were queued.
        #expect(sent == queued.map { $0.id.uuidString.lowercased() }, "seed \(seed)")
    }

    @Test("one request is in flight at a time") func oneAtATime() async throws {
        let inFlight = Mutex((now: 0, most: 0))
        let game = FakeGame()
        let server = try FakeServer { request in
            inFlight.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { inFlight.withLock { $0.now -= 1 } }
            return game.answer(request)
        }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        for points in 1...20 { try await board.post(Int64(points), to: "lap") }
        _ = try await board.drained()
        #expect(inFlight.withLock { $0.most } == 1)
        #expect(game.state.withLock { $0.order.count } == 20)
        await board.close()
    }

    @Test("what is queued before anybody signed in is sent afterwards") func before() async throws {
        let game = FakeGame()
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        let post = try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.stoppedBy == .signInAgain(.neverSignedIn))
        #expect(server.requests.isEmpty)
        try await board.signIn(as: "Ada")
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order } == [post.id.uuidString.lowercased()])
        await board.close()
    }

    @Test("a name that was asked for without a network is registered before the first post") func offline() async throws
    {
        let isAway = Mutex(true)
        let game = FakeGame { _ in isAway.withLock { $0 } ? .instead(.silence) : .none }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.signIn(as: "Bob") }
        try await board.post(5, to: "lap")
        isAway.withLock { $0 = false }
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order.count } == 1)
        #expect(await board.player?.name == "Bob")
        await board.close()
    }

    @Test("the server's wait is kept to, and after ten faults an item is set aside while posts go on") func setAside()
        async throws
    {
        let first = Mutex<String?>(nil)
        let game = FakeGame { request in
            guard request.path.contains("/scores/") else { return .none }
            let bad = first.withLock { first in
                if first == nil { first = request.path }
                return first
            }
            return request.path == bad ? .instead(.problem("bug", status: 500, headers: ["Retry-After": "60"])) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let clock = SkippingClock()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock))
        try await board.signIn(as: "Ada")
        let bad = try await board.post(1, to: "lap")
        let donation = try await board.donate(1, to: "red-cross")
        let good = try await board.post(2, to: "lap")
        #expect(await board.settlement(of: good) != nil)
        #expect(server.requests.count { $0.path == bad.path } == 10)
        #expect(clock.slept == .seconds(540))
        let queue = await board.queue
        #expect(queue.pending.map(\.id) == [bad.id, donation.id])
        #expect(queue.setAside == [bad.id])
        // When it is tried again it may fail as often as before.
        await board.resume()
        try await withDeadline { while await board.queue.setAside.isEmpty { await Task.yield() } }
        #expect(server.requests.count { $0.path == bad.path } == 20)
        first.withLock { $0 = "/none" }
        await board.resume()
        _ = try await board.drained()
        let order = game.state.withLock { $0.order }
        #expect(order == [good, bad, donation].map { $0.id.uuidString.lowercased() })
        await board.close()
    }

    @Test("a donation whose points settle waits, and posts pass it while other donations do not") func settling()
        async throws
    {
        let isSettling = Mutex(true)
        let game = FakeGame { request in
            let waits = request.path.contains("/red-cross/") && isSettling.withLock { $0 }
            return waits ? .instead(.problem("points-settling", status: 422, headers: ["Retry-After": "600"])) : .none
        }
        let server = try FakeServer { request in
            // The points have settled once both posts are there.
            let reply = game.answer(request)
            if game.state.withLock({ $0.order.count }) == 2 { isSettling.withLock { $0 = false } }
            return reply
        }
        let scratch = try ScratchDirectory()
        let clock = SkippingClock()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock))
        let writes = [
            try await board.post(1, to: "lap"), try await board.donate(1, to: "red-cross"),
            try await board.donate(2, to: "tree-fund"), try await board.post(2, to: "lap"),
        ]
        try await board.signIn(as: "Ada")
        _ = try await board.drained()
        let order = game.state.withLock { $0.order }
        #expect(order == [0, 3, 1, 2].map { writes[$0].id.uuidString.lowercased() })
        #expect(clock.slept >= .seconds(600))
        await board.close()
    }

    @Test("what the server refuses is kept for the game to see, also after a restart, until it is dismissed")
    func refused() async throws {
        let game = FakeGame { request in
            request.text.contains("99") ? .instead(.problem("out-of-bounds", status: 422)) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        var board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let bad = try await board.post(99, to: "lap")
        try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(
            await board.settlement(of: bad) == .refused(RequestRefusal(.outOfBounds, "The out-of-bounds.", status: 422))
        )
        await board.close()
        board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        let refused = await board.queue.refused
        #expect(refused.map(\.id) == [bad.id])
        #expect(try await board.localBoard("lap").entries.map(\.state) == [.refused, .sent])
        #expect(await board.settlement(of: bad) == .refused(refused[0].refusal), "also who asks now is told")
        try await board.dismiss(refused[0])
        await board.close()
        board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        #expect(await board.queue.refused.isEmpty)
        await board.close()
    }

    @Test("a token that is refused stops the queue and keeps it, until the player signs in") func cutOff() async throws
    {
        let isCutOff = Mutex(false)
        let game = FakeGame { request in
            isCutOff.withLock { $0 } ? .instead(.problem("unauthorized", status: 401)) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        isCutOff.withLock { $0 = true }
        let post = try await board.post(5, to: "lap")
        _ = try await board.drained()
        #expect(await board.queue.stoppedBy == .signInAgain(.tokenRefused))
        #expect(await board.queue.pending.map(\.id) == [post.id])
        isCutOff.withLock { $0 = false }
        try await board.signIn(as: "Ada")
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order.count } == 1)
        await board.close()
    }

    @Test("waits begin anew once an item is answered or set aside") func waitsAnew() async throws {
        let failures = Mutex(["1": 10, "2": 1, "3": 1])
        let game = FakeGame { request in
            guard let points = request.text.firstMatch(of: /"points":(\d)/)?.1 else { return .none }
            let fails = failures.withLock { failures in
                defer { failures[String(points)]? -= 1 }
                return failures[String(points), default: 0] > 0
            }
            guard fails else { return .none }
            return .instead(points == "1" ? .problem("bug", status: 500) : .silence)
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        let clock = SkippingClock()
        var options = Options.test(scratch, clock)
        options.backoff.random = { 1 }
        let board = try await Causeboard(server: server.url, game: "maze", options: options)
        try await board.signIn(as: "Ada")
        var last: PendingWrite?
        for points in 1...3 { last = try await board.post(Int64(points), to: "lap") }
        let third = try #require(last)
        #expect(try await withDeadline { await board.settlement(of: third) } != nil)
        // Nine waits of the first one, which doubled, and one second of each other one.
        #expect(clock.slept == .seconds(511 + 1 + 1))
        await board.close()
    }

    @Test("resuming tries at once what waits and what is kept back, and waits begin anew") func resumed() async throws {
        let isAway = Mutex(true)
        let game = FakeGame { request in
            guard isAway.withLock({ $0 }) else { return .none }
            if request.path.contains("/scores/") { return .instead(.silence) }
            return request.path.contains("/donations/")
                ? .instead(.problem("points-settling", status: 422, headers: ["Retry-After": "600"])) : .none
        }
        let server = try FakeServer(game.answer)
        let scratch = try ScratchDirectory()
        var options = Options.test(scratch)
        // No wait ends by itself.
        options.clock = MonotonicClock(now: { .zero }, sleep: { _ in try await Task.sleep(for: .seconds(3_600)) })
        options.backoff.random = { 1 }
        let board = try await Causeboard(server: server.url, game: "maze", options: options)
        try await board.signIn(as: "Ada")
        let events = await board.watchQueue()
        let writes = [try await board.donate(1, to: "red-cross"), try await board.post(2, to: "lap")]
        let waits = try await withDeadline {
            var waits: [Duration] = []
            for await event in events {
                guard case .waiting(let wait) = event else { continue }
                waits.append(wait)
                if waits.count == 2 { break }
                await board.resume()
            }
            return waits
        }
        #expect(waits == [.seconds(1), .seconds(1)])
        isAway.withLock { $0 = false }
        await board.resume()
        _ = try await board.drained()
        #expect(game.state.withLock { $0.order } == writes.map { $0.id.uuidString.lowercased() })
        await board.close()
    }

    @Test("who waits for an answer is told when there will be none") func waiting() async throws {
        let server = try FakeServer { _ in .silence }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        let post = try await board.post(5, to: "lap")
        let cancelled = Task { await board.settlement(of: post) }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        let closed = Task { await board.settlement(of: post) }
        await board.close()
        #expect(await closed.value == nil)
        #expect(await board.settlement(of: post) == nil)
    }

    @Test("a full queue is an error and forgets nothing") func full() async throws {
        let server = try FakeServer { _ in .silence }
        let scratch = try ScratchDirectory()
        let options = Options.test(scratch)
        let storage = try Storage(server.url, game: "maze", options)
        let journal = try Journal(storage.directory.appendingPathComponent("outbox"))
        _ = try journal.load()
        for _ in 1..<Limits.pendingWritesMax {
            let write = try PendingWrite.donation(1, charity: "red-cross", anonymous: false)
            try journal.append(.queued(write), isDurable: false)
        }
        journal.close()
        let board = try await Causeboard(server: server.url, game: "maze", options: options)
        try await board.donate(2, to: "red-cross")
        let full = CauseboardError.queueFull(pendingMax: Limits.pendingWritesMax)
        await #expect(throws: full) { try await board.donate(3, to: "red-cross") }
        #expect(await board.queue.pending.count == Limits.pendingWritesMax)
        #expect(await board.queue.pending.last?.points == 2)
        await board.close()
    }

    @Test("what became of an item is remembered until as many others have been answered") func recent() {
        var recent = RecentSettlements(countMax: 3)
        let ids = (0..<5).map { _ in UUID() }
        for (number, id) in ids.enumerated() {
            recent.add(.refused(RequestRefusal(nil, "\(number)")), of: id)
            let remembered = ids.indices.filter { recent[ids[$0]] != nil }
            #expect(remembered == Array(max(0, number - 2)...number))
        }
        #expect(recent[ids[4]] == .refused(RequestRefusal(nil, "4")))
    }
}
