import Foundation
import Synchronization
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct SaveTests {
    /// A device of the player, with files of its own.
    private final class Phone: Sendable {
        let scratch: ScratchDirectory
        let board: Causeboard
        let save: Save<Progress>

        init(_ server: FakeServer) async throws {
            scratch = try ScratchDirectory()
            board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
            try await board.signIn(as: "Ada")
            save = try board.save("progress", as: Progress.self)
        }
    }

    @Test("a state is kept through a restart, and a damaged one is noticed") func restart() async throws {
        let server = try FakeServer(FakeSaves().answer)
        let phone = try await Phone(server)
        #expect(try await phone.save.load() == nil)
        var progress = Progress()
        progress.level.raise(to: 3)
        try await phone.save.store(progress)
        progress.level.raise(to: 4)
        try await phone.save.store(progress)
        let again = try phone.board.save("progress", as: Progress.self)
        #expect(try await again.load()?.level.value == 4)
        #expect(await again.findings.isEmpty)
        let file = phone.board.storage.directory.appendingPathComponent("saves/progress.1.save")
        try Data("edited".utf8).write(to: file)
        let edited = try phone.board.save("progress", as: Progress.self)
        #expect(try await edited.load()?.level.value == 3)
        #expect(await edited.findings == [.cut, .older])
        await phone.board.close()
    }

    @Test(
        "devices that play apart and sync now and then end with all that was done, though answers are lost",
        arguments: Dice.seeds(1...8)) func devices(seed: UInt64) async throws
    {
        let dice = Mutex(Dice(seed: seed))
        let saves = FakeSaves { _, _ in dice.withLock { $0.percent(20) } }
        let server = try FakeServer(saves.answer)
        let phones = [try await Phone(server), try await Phone(server), try await Phone(server)]
        var coins: Int64 = 0
        for _ in 0..<25 {
            let number = dice.withLock { Int.random(in: 0..<3, using: &$0) }
            let phone = phones[number]
            if dice.withLock({ $0.percent(40) }) {
                _ = try? await phone.save.sync()
                continue
            }
            var progress = try await phone.save.load() ?? Progress()
            let before = progress.coins.sum
            dice.withLock { progress.play("phone \(number)", &$0) }
            coins += progress.coins.sum - before
            try await phone.save.store(progress)
        }
        for phone in phones + phones {
            // A lost answer is no harm; the call is made again.
            while (try? await phone.save.sync()) == nil, try await phone.save.load() != nil {}
        }
        let ends = [try await phones[0].save.load(), try await phones[1].save.load(), try await phones[2].save.load()]
        #expect(ends[0]?.coins.sum ?? 0 == coins, "seed \(seed)")
        #expect(ends.allSatisfy { $0 == ends[0] }, "seed \(seed)")
        for phone in phones { await phone.board.close() }
    }

    @Test("a state that another device wrote meanwhile is merged and not overwritten") func stale() async throws {
        var other = Progress()
        other.badges.insert("won elsewhere")
        let theirs = try JSONText.encode(other)
        let saves = FakeSaves { saves, number in
            if number == 1 { saves.slots.withLock { $0["progress"] = theirs } }
            return false
        }
        let server = try FakeServer(saves.answer)
        let phone = try await Phone(server)
        var own = Progress()
        own.badges.insert("won here")
        try await phone.save.store(own)
        #expect(try await phone.save.sync()?.badges.members == ["won here", "won elsewhere"])
        let puts = server.requests.filter { $0.method == "PUT" && $0.path.hasSuffix("/progress") }
        #expect(puts.map { $0.headers["if-none-match"] } == ["*", nil])
        #expect(puts.last?.headers["if-match"] == FakeSaves.etag(theirs))
        await phone.board.close()
    }

    @Test("a state that the game keeps while another is on its way is sent, too") func meanwhile() async throws {
        let phone = Mutex<Phone?>(nil)
        let late = Mutex(Progress())
        late.withLock { $0.badges.insert("late") }
        let saves = FakeSaves { _, number in
            guard number == 1, let save = phone.withLock({ $0?.save }) else { return false }
            let isKept = DispatchSemaphore(value: 0)
            let state = late.withLock { $0 }
            Task {
                try await save.store(state)
                isKept.signal()
            }
            _ = isKept.wait(timeout: .now() + 20)
            return false
        }
        let server = try FakeServer(saves.answer)
        let own = try await Phone(server)
        phone.withLock { $0 = own }
        try await own.save.store(Progress())
        let expected = late.withLock { $0 }
        #expect(try await own.save.sync() == expected)
        #expect(saves.slots.withLock { $0["progress"] } == (try JSONText.encode(expected)))
        phone.withLock { $0 = nil }
        await own.board.close()
    }

    @Test("nothing new sends nothing") func nothingNew() async throws {
        let server = try FakeServer(FakeSaves().answer)
        let phone = try await Phone(server)
        #expect(try await phone.save.sync() == nil)
        try await phone.save.store(Progress())
        for _ in 0..<3 { #expect(try await phone.save.sync() == Progress()) }
        #expect(server.requests.count { $0.method == "PUT" && $0.path.hasSuffix("/progress") } == 1)
        await phone.board.close()
    }

    @Test("a state that the server would not take is refused before it is written") func tooLarge() async throws {
        let server = try FakeServer(FakeSaves().answer)
        let phone = try await Phone(server)
        var progress = Progress()
        progress.badges.insert(String(repeating: "x", count: Limits.saveBytesMax))
        await #expect(throws: CauseboardError.self) { try await phone.save.store(progress) }
        #expect(try await phone.save.load() == nil)
        await phone.board.close()
    }
}
