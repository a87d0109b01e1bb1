import TestDice
import Testing

@testable import Concurrency

@Suite struct FairQueueTests {
    private struct Name: GateKey {
        let text: String
        var isCrowd = false

        init(_ text: String, isCrowd: Bool = false) { (self.text, self.isCrowd) = (text, isCrowd) }
    }

    /// A queue whose waiters are numbers, and their outcomes.
    private struct Game {
        var queue: FairQueue<Name, UInt64>
        var last: UInt64 = 0

        init(_ running: Int, _ ofKey: Int, _ waiting: Int, _ waitingOfKey: Int) {
            queue = FairQueue(
                GateBounds(
                    runningMax: running, runningOfKeyMax: ofKey, waitingMax: waiting, waitingOfKeyMax: waitingOfKey))
        }

        /// - Returns: `runs`, `waits`, `refused`, or the number of the waiter that was evicted.
        mutating func enter(_ key: Name) -> String {
            last += 1
            return switch queue.enter(key, last, last) {
            case .runs: "runs"
            case .refused: "refused"
            case .waits(let evicted): evicted.map { "for \($0)" } ?? "waits"
            }
        }
    }

    private let a = Name("a")
    private let b = Name("b")
    private let c = Name("c")

    @Test("free turns rotate among the waiting keys, and do not go to the oldest job") func roundRobin() {
        var game = Game(1, 1, 10, 10)
        #expect(["runs", "waits", "waits", "waits"] == (0..<4).map { _ in game.enter(a) })  // 1...4
        #expect([b, b, c].map { game.enter($0) } == ["waits", "waits", "waits"])  // 5, 6, 7
        #expect([a, b, c, a, b, a].map { game.queue.leave($0) } == [5, 7, 2, 6, 3, 4])
    }

    @Test("a key has limits on running and waiting jobs, even if capacity is free") func shares() {
        var game = Game(4, 1, 10, 2)
        #expect((0..<4).map { _ in game.enter(a) } == ["runs", "waits", "waits", "refused"])
        #expect(game.enter(b) == "runs")
        #expect(game.queue.counts(of: a) == (1, 2) && game.queue.runningCount == 2)
        #expect(game.queue.leave(b) == nil, "a key at its limit cannot use another key's turn")
        #expect(game.queue.leave(a) == 2)
    }

    @Test("in a full queue a new job replaces the newest job of the key with the most") func eviction() {
        var game = Game(1, 1, 4, 4)
        #expect((0..<5).map { _ in game.enter(a) } == ["runs", "waits", "waits", "waits", "waits"])
        #expect(game.enter(b) == "for 5")
        #expect(game.enter(b) == "for 4", "three and one become two and two")
        #expect(game.enter(b) == "refused", "a key with as many jobs evicts none")
        #expect(game.enter(c) == "for 7" && game.queue.counts(of: b) == (0, 1))
        #expect(game.enter(c) == "refused")
        #expect(game.enter(Name("d")) == "for 3")
        #expect(game.enter(Name("e")) == "refused", "each waiting key has one")
        #expect(game.queue.waitingCount == 4)
    }

    @Test("a crowd may use all capacity, and is evicted like any other key") func crowd() {
        let crowd = Name("crowd", isCrowd: true)
        var game = Game(2, 1, 3, 1)
        #expect((0..<6).map { _ in game.enter(crowd) } == ["runs", "runs", "waits", "waits", "waits", "refused"])
        #expect(game.enter(a) == "for 5")
        #expect([crowd, crowd].map { game.queue.leave($0) } == [3, 7], "and it is the next but one")
    }

    @Test("a waiter moves to a line where its turn comes sooner, and runs at once if it may") func moves() {
        var game = Game(2, 1, 10, 2)
        #expect([a, a, a, b].map { game.enter($0) } == ["runs", "waits", "waits", "runs"])  // 1...4
        if case .waits = game.queue.move(3, from: a, to: b) {} else { Issue.record("it is first there") }
        #expect(game.queue.counts(of: a) == (1, 1) && game.queue.counts(of: b) == (1, 1))
        if case .stays = game.queue.move(2, from: a, to: b) {} else { Issue.record("it would come second") }
        if case .stays = game.queue.move(3, from: a, to: b) {} else { Issue.record("it is in another line") }
        #expect(game.queue.leave(b) == 3)
        if case .stays = game.queue.move(2, from: a, to: b) {} else { Issue.record("both have their share") }
        #expect(game.queue.leave(b) == nil)
        if case .runs(2) = game.queue.move(2, from: a, to: c) {} else { Issue.record("there is room for it") }
        #expect(game.queue.counts(of: a) == (1, 0) && game.queue.counts(of: c) == (1, 0))
        #expect([a, c].map { game.queue.leave($0) } == [nil, nil])
    }

    @Test("any sequence keeps the limits, wastes no turn, and skips no key", arguments: Dice.seeds(1...40)) func random(
        seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        let bounds = GateBounds(
            runningMax: Int.random(in: 1...4, using: &dice), runningOfKeyMax: Int.random(in: 1...3, using: &dice),
            waitingMax: Int.random(in: 0...9, using: &dice), waitingOfKeyMax: Int.random(in: 1...5, using: &dice))
        let keys = (0..<6).map { Name("\($0)", isCrowd: $0 == 0) }
        var queue = FairQueue<Name, UInt64>(bounds)
        var running: [Name] = []
        // The waiters, oldest first, and how often another key got a turn that each could have had.
        var waiting: [(key: Name, number: UInt64)] = []
        var passedOver: [Name: [Name: Int]] = [:]
        func mayRun(_ key: Name) -> Bool {
            running.count < bounds.runningMax && (key.isCrowd || running.count { $0 == key } < bounds.runningOfKeyMax)
        }
        for number in UInt64(1)...2_000 {
            let key = dice.pick(keys)
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<5:
                let mine = waiting.count { $0.key == key }
                let most = keys.map { other in waiting.count { $0.key == other } }.max() ?? 0
                switch queue.enter(key, number, number) {
                case .runs:
                    #expect(mayRun(key) && mine == 0)
                    running.append(key)
                case .refused:
                    #expect(!mayRun(key))
                    let isShareFull = !key.isCrowd && mine >= bounds.waitingOfKeyMax
                    #expect(isShareFull || waiting.count == bounds.waitingMax && most <= mine + 1)
                case .waits(let evicted):
                    #expect(!mayRun(key) && (key.isCrowd || mine < bounds.waitingOfKeyMax))
                    if let evicted {
                        #expect(waiting.count == bounds.waitingMax)
                        let other = waiting.first { $0.number == evicted }?.key
                        #expect(waiting.count { $0.key == other } == most && most > mine + 1)
                        #expect(waiting.last { $0.key == other }?.number == evicted)
                        waiting.removeAll { $0.number == evicted }
                    }
                    waiting.append((key, number))
                }
            case 5..<9:
                guard let ended = running.randomElement(using: &dice) else { continue }
                running.remove(at: running.firstIndex(of: ended) ?? 0)
                let next = queue.leave(ended)
                let able = Set(waiting.map(\.key).filter(mayRun))
                guard let next, let index = waiting.firstIndex(where: { $0.number == next }) else {
                    #expect(next == nil && able.isEmpty, "a turn is wasted")
                    continue
                }
                let key = waiting.remove(at: index).key
                #expect(able.contains(key) && !waiting[..<index].contains { $0.key == key })
                for other in able where other != key {
                    passedOver[other, default: [:]][key, default: 0] += 1
                    #expect(passedOver[other]?[key] ?? 0 < 2, "\(key) had two turns while \(other) waited")
                }
                passedOver[key] = nil
                running.append(key)
            case 9 where number % 2 == 0:
                guard let index = waiting.indices.randomElement(using: &dice) else { continue }
                let (other, moved) = (waiting[index].key, waiting[index].number)
                let ahead = waiting[..<index].count { $0.key == other }
                let count = waiting.count { $0.key == key }
                let isOpen = running.count < bounds.runningMax
                switch queue.move(moved, from: other, to: key) {
                case .stays: #expect(key == other || !mayRun(key) || !isOpen)
                case .waits:
                    #expect(!mayRun(key) && (key.isCrowd || count < bounds.waitingOfKeyMax))
                    let isOtherAtShare = !other.isCrowd && running.count { $0 == other } >= bounds.runningOfKeyMax
                    #expect(count < ahead || isOtherAtShare)
                    waiting.remove(at: index)
                    waiting.append((key, moved))
                case .runs:
                    #expect(mayRun(key))
                    waiting.remove(at: index)
                    running.append(key)
                }
                // Whoever was moved to another line is not the newest one there by its number.
                passedOver = [:]
            default:
                guard let gone = waiting.randomElement(using: &dice) else { continue }
                #expect(queue.remove(gone.number, of: gone.key) == gone.number)
                #expect(queue.remove(gone.number, of: gone.key) == nil)
                waiting.removeAll { $0.number == gone.number }
            }
            for key in keys where !waiting.contains(where: { $0.key == key }) { passedOver[key] = nil }
            #expect(queue.runningCount == running.count && queue.waitingCount == waiting.count)
            #expect(running.count <= bounds.runningMax && waiting.count <= bounds.waitingMax)
            for key in keys {
                #expect(queue.counts(of: key) == (running.count { $0 == key }, waiting.count { $0.key == key }))
            }
        }
    }
}
