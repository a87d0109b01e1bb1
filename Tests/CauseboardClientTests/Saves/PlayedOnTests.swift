import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// What a game does between loading a state and storing it, and what others do meanwhile.
@Suite struct PlayedOnTests {
    private let scratch: ScratchDirectory
    private let saves = FakeSaves()

    init() throws { scratch = try ScratchDirectory() }

    private func open(_ server: FakeServer) async throws -> Causeboard {
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        try await board.signIn(as: "Ada")
        return board
    }

    private func put(_ change: (inout Progress) -> Void) throws {
        var state = Progress()
        change(&state)
        let bytes = try JSONText.encode(state)
        saves.slots.withLock { $0["progress"] = bytes }
    }

    private func onServer() throws -> Progress {
        try JSONDecoder().decode(Progress.self, from: try #require(saves.slots.withLock { $0["progress"] }))
    }

    @Test("what a sync merged after the game had loaded is not lost when the game stores") func lostUpdate()
        async throws
    {
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let save = try board.save("progress", as: Progress.self)
        try await save.store(Progress())
        var played = try #require(try await save.load())
        try put { remote in
            remote.level.raise(to: 9)
            remote.coins.add(5, device: "tablet")
            remote.badges.insert("theirs")
            remote.skin.set("red", device: "tablet", at: Date(timeIntervalSince1970: 2_000))
        }
        try await save.sync()
        played.level.raise(to: 4)
        played.coins.add(7, device: "phone")
        played.badges.insert("mine")
        played.skin.set("blue", device: "phone", at: Date(timeIntervalSince1970: 1_000))
        try await save.store(played)
        // The server has nothing new, and answers 304.
        let state = try #require(try await save.sync())
        for state in [state, try #require(try await save.load()), try onServer()] {
            #expect(state.level.value == 9)
            #expect(state.coins.parts == ["tablet": 5, "phone": 7])
            #expect(state.badges.members == ["theirs", "mine"])
            #expect(state.skin.value == "red")
        }
        await board.close()
    }

    @Test("changes and syncs at the same time lose nothing") func updates() async throws {
        let number = Mutex(0)
        let saves = FakeSaves { saves, _ in
            // Before each PUT another device has won a badge.
            let number = number.withLock { number in
                number += 1
                return number
            }
            guard number <= 5 else { return false }
            saves.slots.withLock { slots in
                let bytes = slots["progress"] ?? Data("{}".utf8)
                var state = (try? JSONDecoder().decode(Progress.self, from: bytes)) ?? Progress()
                state.badges.insert("theirs \(number)")
                slots["progress"] = try? JSONText.encode(state)
            }
            return false
        }
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let save = try board.save("progress", as: Progress.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await save.update(startingWith: Progress()) { state in
                        state.coins.add(1, device: "phone")
                        state.badges.insert("mine \(number)")
                    }
                }
                group.addTask { _ = try await save.sync() }
            }
            try await group.waitForAll()
        }
        let state = try #require(try await save.sync())
        #expect(state.coins.sum == 20)
        #expect(state.badges.members.count == 25)
        await board.close()
    }

    @Test("when both files are damaged the server's copy is taken") func bothDamaged() async throws {
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let save = try board.save("progress", as: Progress.self)
        for _ in 1...2 { try await save.update(startingWith: Progress()) { $0.coins.add(1, device: "phone") } }
        let kept = try await save.sync()
        for number in 0...1 {
            let file = board.storage.saves.appendingPathComponent("progress.\(number).save")
            try Data("edited".utf8).write(to: file)
        }
        let damaged = try board.save("progress", as: Progress.self)
        #expect(try await damaged.load() == nil)
        #expect(await damaged.findings == [.cut, .older])
        #expect(try await damaged.sync() == kept)
        let again = try board.save("progress", as: Progress.self)
        #expect(try await again.load() == kept)
        // One file is written at a time.
        #expect(await again.findings == [.cut])
        await board.close()
    }

    // MARK: - Other kinds

    private struct Former: Codable, Sendable, Equatable { var stage: Int }

    private static let migrate: @Sendable (Data) -> Progress? = { bytes in
        guard let former = try? JSONDecoder().decode(Former.self, from: bytes) else { return nil }
        return Progress(level: Greatest(former.stage))
    }

    @Test("a save of an earlier version is migrated, here and on the server") func migrated() async throws {
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let file = try SealedFile("progress", in: board.storage.saves, board.storage.secrets)
        try file.write(try JSONText.encode(Former(stage: 5)))
        saves.slots.withLock { $0["progress"] = Data(#"{"stage":6}"#.utf8) }
        let save = try board.save("progress", as: Progress.self, migrating: Self.migrate)
        #expect(try await save.load()?.level.value == 5)
        #expect(try await save.sync()?.level.value == 6)
        try await save.update(startingWith: Progress()) { $0.badges.insert("new") }
        #expect(try await save.sync()?.badges.members == ["new"])
        #expect(try onServer().level.value == 6)
        await board.close()
    }

    @Test("one that is not migrated is an error, and stays as it is, here and on the server") func strange()
        async throws
    {
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let bytes = Data(#"{"stage":6}"#.utf8)
        saves.slots.withLock { $0["progress"] = bytes }
        let save = try board.save("progress", as: Progress.self, migrating: { _ in nil })
        try await save.store(Progress())
        await #expect(throws: CauseboardError.self) { try await save.sync() }
        #expect(saves.slots.withLock { $0["progress"] } == bytes)
        let file = try SealedFile("other", in: board.storage.saves, board.storage.secrets)
        try file.write(bytes)
        let other = try board.save("other", as: Progress.self)
        await #expect(throws: CauseboardError.storage("the save other is of another kind")) { try await other.load() }
        await #expect(throws: CauseboardError.self) { try await other.store(Progress()) }
        #expect(try file.read().contents?.bytes == bytes)
        await board.close()
    }

    @Test("of a state without rules the one that was stored last counts, on all devices") func plain() async throws {
        struct Settings: Codable, Sendable, Equatable { var volume = 5 }
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let tablet = try ScratchDirectory()
        let other = try await Causeboard(server: server.url, game: "maze", options: .test(tablet))
        try await other.signIn(as: "Ada")
        let one = try board.save("settings", as: Settings.self)
        let two = try other.save("settings", as: Settings.self) { bytes in
            (try? JSONDecoder().decode(Former.self, from: bytes)).map { Settings(volume: $0.stage) }
        }
        #expect(try await one.loadValue() == nil)
        let file = try SealedFile("settings", in: other.storage.saves, other.storage.secrets)
        try file.write(try JSONText.encode(Former(stage: 9)))
        #expect(try await two.loadValue() == Settings(volume: 9))
        try await one.storeValue(Settings(volume: 1))
        try await one.sync()
        #expect(try await two.sync()?.value == Settings(volume: 1))
        try await two.storeValue(Settings(volume: 2))
        try await two.storeValue(Settings(volume: 0))
        try await two.sync()
        #expect(try await one.sync()?.value == Settings(volume: 0))
        #expect(try await one.loadValue() == Settings(volume: 0))
        await board.close()
        await other.close()
    }

    // MARK: - Players

    @Test("a player's save does not become the next player's") func signOut() async throws {
        let server = try FakeServer(saves.answer)
        let board = try await open(server)
        let save = try board.save("progress", as: Progress.self)
        for _ in 1...2 { try await save.update(startingWith: Progress()) { $0.badges.insert("Ada's") } }
        try await save.sync()
        let file = board.storage.saves.appendingPathComponent("progress.0.save")
        let copy = try Data(contentsOf: file)
        try await board.signOut()
        // The server has no save of the next player.
        saves.slots.withLock { $0 = [:] }
        try await board.signIn(as: "Bob")
        #expect(try await save.sync() == nil)
        try copy.write(to: file)
        for save in [save, try board.save("progress", as: Progress.self)] {
            #expect(try await save.load() == nil)
            try await save.update(startingWith: Progress()) { $0.badges.insert("Bob's") }
            #expect(try await save.sync()?.badges.members == ["Bob's"])
            saves.slots.withLock { $0 = [:] }
            try await board.signOut()
            try await board.signIn(as: "Eve")
        }
        await board.close()
    }

    @Test("what the server says of a player who signed out meanwhile is not the next player's") func meanwhile()
        async throws
    {
        let boards = Mutex<Causeboard?>(nil)
        try put { $0.badges.insert("Ada's") }
        let server = try FakeServer { [saves] request in
            if request.path.hasSuffix("/progress"), let board = boards.withLock({ $0 }) {
                boards.withLock { $0 = nil }
                let isDone = DispatchSemaphore(value: 0)
                Task {
                    try await board.signOut()
                    isDone.signal()
                }
                _ = isDone.wait(timeout: .now() + 20)
            }
            return saves.answer(request)
        }
        let board = try await open(server)
        let save = try board.save("progress", as: Progress.self)
        boards.withLock { $0 = board }
        await #expect(throws: CauseboardError.signInAgain(.neverSignedIn)) { try await save.sync() }
        #expect(try await save.load() == nil)
        await board.close()
    }

    @Test("a player who signed in without a network is registered before a save is synced") func offline() async throws
    {
        let isAway = Mutex(true)
        let game = FakeGame { [saves] request in
            if isAway.withLock({ $0 }) { return .instead(.silence) }
            guard request.path.hasPrefix("/v1/players/me/saves") else { return .none }
            return .instead(saves.answer(request))
        }
        let server = try FakeServer(game.answer)
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await #expect(throws: CauseboardError.self) { try await board.signIn(as: "Ada") }
        let save = try board.save("progress", as: Progress.self)
        try await save.store(Progress())
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await save.sync() }
        isAway.withLock { $0 = false }
        #expect(try await save.sync() == Progress())
        #expect(await board.player?.name == "Ada")
        await board.close()
    }

    @Test("a hotel's sign-in page is no save") func hotel() async throws {
        let page = FakeReply(headers: ["ETag": "\"1\"", "Content-Type": "text/html"], body: Data("<html>".utf8))
        let server = try FakeServer { [saves] in $0.path.hasSuffix("/progress") ? page : saves.answer($0) }
        let board = try await open(server)
        let save = try board.save("progress", as: Progress.self)
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await save.sync() }
        await board.close()
    }
}
