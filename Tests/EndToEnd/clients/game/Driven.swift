import CauseboardClient
import Contract
import Foundation
import Synchronization

/// Saves that arrived from other devices.
private final class Arrivals: Sendable { let count = Mutex(0) }

extension ExampleGame {
    /// Answers each line of standard input with a line, `name value`; what fails is `error why`.
    ///
    ///     sign NAME · rename NAME · name · post POINTS · give POINTS · pending · calm · local · ranking
    ///     code · join CODE · level N · coins N · badge WORD · colour WORD · state · sync · follow · arrivals
    static func drive(_ board: Causeboard) async throws {
        let save = try board.save("journey", as: Journey.self)
        let arrivals = Arrivals()
        var following: Task<Void, Never>?
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let name = words.first else { continue }
            if name == "follow" {
                following = Task { for await _ in save.changes(on: board) { arrivals.count.withLock { $0 += 1 } } }
                tell("following", true)
            } else {
                await answer(name, words.count > 1 ? words[1] : "", board, save, arrivals)
            }
            // What is told comes to a pipe at once.
            fflush(nil)
        }
        following?.cancel()
    }

    private static func answer(
        _ name: String, _ value: String, _ board: Causeboard, _ save: Save<Journey>, _ arrivals: Arrivals
    ) async {
        do throws(CauseboardError) { try await obey(name, value, board, save, arrivals) } catch {
            tell("error", "\(error)".split(separator: "(").first ?? "")
        }
    }

    private static func obey(
        _ name: String, _ value: String, _ board: Causeboard, _ save: Save<Journey>, _ arrivals: Arrivals
    ) async throws(CauseboardError) {
        switch name {
        case "sign": tell("player", try await board.signIn(as: value).id)
        case "rename": tell("player", try await board.rename(to: value).id)
        case "name": tell("name", try await board.profile().name)
        case "post": tell("id", try await board.post(Int64(value) ?? 0, to: "lap").id.uuidString.lowercased())
        case "donate": tell("id", try await board.donate(Int64(value) ?? 0, to: "tree-fund").id.uuidString.lowercased())
        case "pending": tell("pending", await board.queue.pending.count)
        case "calm":
            await board.resume()
            while let write = await board.queue.pending.last { _ = await board.settlement(of: write) }
            tell("refused", await board.queue.refused.count)
        case "local":
            let entries = try await board.localBoard("lap").entries
            tell("local", entries.map { $0.id.uuidString.lowercased() }.joined(separator: ","))
        case "ranking":
            let rows = try await board.topWithPending(of: "lap")
            tell("ranking", rows.map { "\($0.rank) \($0.name) \($0.points)" }.joined(separator: ","))
        case "code": tell("code", try await board.makeDeviceCode().code)
        case "join": tell("player", try await board.join(code: value).id)
        case "level", "coins", "badge", "colour":
            var state = try await save.load() ?? Journey()
            await change(&state, name, value, device: board.deviceName ?? "")
            try await save.store(state)
            tell("state", state.text)
        case "state": tell("state", try await save.load()?.text ?? "none")
        case "sync": tell("state", try await save.sync()?.text ?? "none")
        case "arrivals": tell("arrivals", arrivals.count.withLock { $0 })
        default: tell("error", "unknown")
        }
    }

    private static func change(_ state: inout Journey, _ name: String, _ value: String, device: String) {
        switch name {
        case "level": state.level.raise(to: Int(value) ?? 0)
        case "coins": state.coins.add(Int64(value) ?? 0, device: device)
        case "badge": state.badges.insert(value)
        default: state.colour.set(value, device: device)
        }
    }
}

/// A save with a field of each rule.
struct Journey: Mergeable {
    var level = Greatest(1)
    var coins = DeviceSum()
    var badges = GrowingSet<String>()
    var colour = Newest("none")

    func merged(with other: Journey) -> Journey {
        Journey(
            level: level.merged(with: other.level), coins: coins.merged(with: other.coins),
            badges: badges.merged(with: other.badges), colour: colour.merged(with: other.colour))
    }

    var text: String { "\(level.value) \(coins.sum) \(badges.members.sorted().joined(separator: ",")) \(colour.value)" }
}
