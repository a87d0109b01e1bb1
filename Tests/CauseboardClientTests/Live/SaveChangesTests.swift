import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

@Suite struct SaveChangesTests {
    @Test("what another device saved arrives, also when the first attempts to get it fail") func arrives() async throws
    {
        let live = FakeLive()
        let failures = Mutex(0)
        let saves = FakeSaves()
        let server = try FakeServer { request in
            switch request.path {
            case "/v1/players/me/live": return live.stream()
            case "/v1/players/me/saves/progress" where failures.withLock { $0 > 0 }:
                failures.withLock { $0 -= 1 }
                return .problem("overloaded", status: 503)
            default: return saves.answer(request)
            }
        }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let save = try board.save("progress", as: Progress.self)
        var own = Progress()
        own.badges.insert("mine")
        try await save.store(own)
        let mine = own.badges.members
        try await withDeadline {
            var changes = save.changes(on: board).makeAsyncIterator()
            for number in 1...3 {
                var theirs = Progress()
                theirs.badges.insert("theirs \(number)")
                let bytes = try JSONText.encode(theirs)
                failures.withLock { $0 = 3 }
                saves.slots.withLock { $0["progress"] = bytes }
                live.tell(FakeLive.profile(saves: [("progress", FakeSaves.etag(bytes))]))
                let state = await changes.next()
                #expect(state?.badges.members == mine.union((1...number).map { "theirs \($0)" }))
            }
        }
        let kept = try #require(saves.slots.withLock { $0["progress"] })
        #expect(try await save.load() == (try JSONDecoder().decode(Progress.self, from: kept)))
        await board.close()
        live.end()
    }

    @Test("what this device saved itself is no arrival, and is sent when watching begins") func own() async throws {
        let live = FakeLive()
        let saves = FakeSaves()
        let server = try FakeServer { $0.path == "/v1/players/me/live" ? live.stream() : saves.answer($0) }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        let save = try board.save("progress", as: Progress.self)
        var progress = Progress()
        progress.level.raise(to: 5)
        try await save.store(progress)
        let changes = Mutex(0)
        let watching = Task { for await _ in save.changes(on: board) { changes.withLock { $0 += 1 } } }
        live.tell(FakeLive.profile())
        try await withDeadline {
            while saves.slots.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
        }
        // The server tells of what was just saved.
        let bytes = try #require(saves.slots.withLock { $0["progress"] })
        live.tell(FakeLive.profile(saves: [("progress", FakeSaves.etag(bytes))]))
        await board.close()
        await watching.value
        #expect(changes.withLock { $0 } == 0)
        live.end()
    }
}
