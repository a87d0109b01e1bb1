import Contract
import Foundation
import Testing

@testable import CauseboardClient

/// The library against the vectors that all clients run.
@Suite struct ClientVectorTests {
    private let script = VectorServer()
    private let server: FakeServer
    private let scratch: ScratchDirectory

    init() throws {
        server = try FakeServer(script.answer)
        scratch = try ScratchDirectory()
    }

    private func open() async throws(CauseboardError) -> Causeboard {
        try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
    }

    @Test("the vectors can be read") func isRead() {
        let all = ClientVectors.all
        #expect(!all.registrations.isEmpty && !all.posts.isEmpty && !all.signIns.isEmpty && !all.files.isEmpty)
        #expect(!all.identities.isEmpty && !all.friends.isEmpty && !all.teams.isEmpty && !all.flags.isEmpty)
        #expect(!all.challenges.isEmpty && !all.plans.isEmpty && !all.awards.isEmpty && !all.campaigns.isEmpty)
    }

    @Test("a registration comes to what it should", arguments: ClientVectors.all.registrations) func registration(
        vector: ClientVectors.Registration
    ) async throws {
        let board = try await open()
        if vector.known { try await board.signIn(as: "Ada") }
        script.begin(vector.answers, repeats: vector.repeats ?? false)
        await #expect(isSaid(vector.comesTo, said(vector.call, board)))
        let post = try await board.post(10, to: "lap")
        try await expect(post, becomes: vector.post, board)
        if let requests = vector.requests { #expect(script.asked == requests) }
        if let name = vector.name { #expect(await board.player?.name == name) }
        #expect(script.faults.isEmpty)
        await board.close()
    }

    @Test("a post comes to what it should", arguments: ClientVectors.all.posts) func post(vector: ClientVectors.Post)
        async throws
    {
        let board = try await open()
        try await board.signIn(as: "Ada")
        // Both are queued before the first one can be sent.
        script.begin([.silence], repeats: true)
        let isDonation = vector.kind == "donation"
        let write = try await isDonation ? board.donate(10, to: "tree-fund") : board.post(10, to: "lap")
        let behind = vector.behind == true ? try await board.post(11, to: "lap") : nil
        script.begin(vector.answers)
        try await expect(write, becomes: vector.comesTo, board)
        if vector.comesTo.hasPrefix("stopped") {
            #expect(script.asked == vector.requests)
            await board.resume()
            try await expect(write, becomes: "sent", board)
        }
        if let behind { try await expect(behind, becomes: "sent", board) }
        if let requests = vector.requests, !vector.comesTo.hasPrefix("stopped") { #expect(script.asked == requests) }
        #expect(script.faults.isEmpty)
        await board.close()
    }

    @Test("calls that overlap are each answered for themselves", arguments: ClientVectors.all.signIns) func signIns(
        vector: ClientVectors.SignIns
    ) async throws {
        let board = try await open()
        if vector.known { try await board.signIn(as: "Ada") }
        let mayAnswer = DispatchSemaphore(value: 0)
        script.begin(byName: vector.answers, holding: mayAnswer)
        var calls: [Task<CallResult, Never>] = []
        for (number, call) in vector.calls.enumerated() {
            calls.append(Task { await said(call, board) })
            // The first one is at the server, and the others wait for their turn.
            try await withDeadline { [script] in
                while script.asked.isEmpty { await Task.yield() }
                while await board.session.registrationTurns.count < number { await Task.yield() }
            }
        }
        mayAnswer.signal()
        for (call, expected) in zip(calls, vector.comeTo) { await #expect(isSaid(expected, call.value)) }
        #expect(script.asked == vector.requests)
        #expect(await board.player?.name == vector.name)
        await board.close()
    }

    @Test("a call that is not queued comes to what it should", arguments: ClientVectors.all.directCalls)
    func directCall(vector: ClientVectors.DirectCall) async throws {
        let board = try await open()
        if vector.known { try await board.signIn(as: "Ada") }
        script.begin(holding: vector.answers, repeats: vector.repeats ?? false)
        let post = try await board.post(10, to: "lap")
        // This library has one error for each name that is not good.
        let comesTo = vector.comesTo == "refused name-refused" ? "refused field" : vector.comesTo
        await #expect(directlySaid(vector.call, board) == comesTo)
        #expect(script.asked == vector.requests)
        script.begin([])
        await board.resume()
        try await expect(post, becomes: vector.post, board)
        #expect(await board.player?.name == vector.name)
        #expect(script.faults.isEmpty)
        await board.close()
        let token = Data(VectorServer.identity.token.utf8)
        #expect(try kept().allSatisfy { $0.range(of: token) == nil }, "the ID token is not kept")
    }

    @Test("what is damaged is put aside, and what cannot be read is left alone", arguments: ClientVectors.all.files)
    func file(vector: ClientVectors.File) async throws {
        var board = try await open()
        try await board.signIn(as: "Ada")
        script.begin([.silence], repeats: true)
        for points in [1, 2, 3] { try await board.post(Int64(points), to: "lap") }
        await board.close()
        let isQueue = vector.file == "queue"
        let file =
            isQueue
            ? board.storage.directory.appendingPathComponent("outbox")
            : scratch.url.appendingPathComponent("secrets/identity.secret")
        let before = try Data(contentsOf: file)
        let lost = try damage(file, vector)
        guard vector.opens else {
            await #expect(throws: CauseboardError.self) { _ = try await open() }
            try FileManager.default.removeItem(at: file)
            try before.write(to: file)
            board = try await open()
            #expect(await board.player?.name == "Ada")
            #expect(await board.queue.pending.map(\.points) == [1, 2, 3])
            return await board.close()
        }
        board = try await open()
        #expect(await board.player?.name == vector.player)
        #expect(await board.queue.pending.map(\.points) == vector.pending)
        let isDamaged = !["none", "tail"].contains(vector.damage)
        #expect(board.wasIdentityDamaged == (isDamaged && !isQueue))
        #expect(await board.queue.damagedLines == (isDamaged && isQueue ? 1 : 0))
        script.begin([])
        try await board.signIn(as: "Ada")
        try await expect(try await board.post(4, to: "lap"), becomes: "sent", board)
        await board.close()
        #expect(try kept().contains { $0.range(of: lost) != nil || lost.isEmpty }, "what was damaged is still there")
    }

    /// The contents of all files of the game.
    private func kept() throws -> [Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path)
        return paths.compactMap { FileManager.default.contents(atPath: scratch.url.appendingPathComponent($0).path) }
    }

    /// - Returns: What of the file has to be kept all the same.
    private func damage(_ file: URL, _ vector: ClientVectors.File) throws -> Data {
        let whole = try Data(contentsOf: file)
        var (now, lost) = (whole, Data())
        switch vector.damage {
        case "unreadable":
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            return lost
        case "zeros": now = Data(count: whole.count)
        case "half": now = whole.prefix(whole.count / 2)
        case "text": now = Data((vector.text ?? "").utf8)
        case "tail": now = whole.dropLast(3)
        case "line zeros", "line text":
            var lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            lost = vector.text.map { Data($0.utf8) } ?? Data(count: lines[1].count)
            lines[1] = lost
            now = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
        default: break
        }
        if ["zeros", "half", "text"].contains(vector.damage) { lost = now }
        try now.write(to: file)
        return lost
    }
}

/// What a call came to.
private enum CallResult: Sendable {
    case player(String)
    case error(CauseboardError)
}

private func said(_ call: [String], _ board: Causeboard) async -> CallResult {
    do throws(CauseboardError) {
        let isRenaming = call[0] == "rename"
        return .player(try await isRenaming ? board.rename(to: call[1]).name : board.signIn(as: call[1]).name)
    } catch { return .error(error) }
}

/// Whether that is what the vector's words say, in this library's errors.
private func isSaid(_ expected: String, _ said: CallResult) -> Bool {
    let words = expected.split(separator: " ", maxSplits: 1).map(String.init)
    switch said {
    case .player(let name): return expected == "player \(name)"
    case .error(.askAgain(_, .rateLimited)): return ["nothing yet", "refused rate-limited"].contains(expected)
    case .error(.askAgain(_, let reason)):
        return expected == "nothing yet" || (expected == "refused bug" && reason == .serverTrouble)
    case .error(.chooseAnotherName): return ["refused name-refused", "refused field"].contains(expected)
    case .error(.giveUp(let refusal)):
        return words[0] == "refused" && refusal.problem == ProblemName(rawValue: words[1])
    case .error(let error): return words[0] == "refused" && isStop(words[1], error)
    }
}

private func isStop(_ problem: String, _ error: CauseboardError?) -> Bool {
    switch problem {
    case "unauthorized", "label-taken": error == .signInAgain(.tokenRefused)
    case "banned": error == .signInAgain(.banned)
    case "gone": error == .signInAgain(.erased)
    default: false
    }
}

private func expect(_ write: PendingWrite, becomes expected: String, _ board: Causeboard) async throws {
    let words = expected.split(separator: " ").map(String.init)
    switch words[0] {
    case "waits":
        _ = try await board.drained()
        #expect(await board.queue.pending.contains(write))
    case "stopped":
        _ = try await board.drained()
        await #expect(isStop(words[1], board.queue.stoppedBy))
        #expect(await board.queue.pending.contains(write))
    default:
        let settlement = try await withDeadline { await board.settlement(of: write) }
        if case .refused(let refusal)? = settlement {
            #expect(expected == "refused \(refusal.problem?.rawValue ?? words.last ?? "")")
        } else {
            #expect(settlement != nil && expected == "sent")
        }
    }
}
