import Synchronization
import Testing

@testable import Storage

@Suite struct KeyedGateTests {
    /// Jobs that go on until they are let go.
    private final class Held: Sendable {
        private let isReleased = Mutex(false)
        private let counts = Mutex((now: [String: Int](), most: [String: Int]()))

        var most: [String: Int] { counts.withLock { $0.most } }
        func release() { isReleased.withLock { $0 = true } }

        func job(_ key: String) async {
            counts.withLock { counts in
                counts.now[key, default: 0] += 1
                counts.most[key] = max(counts.most[key] ?? 0, counts.now[key] ?? 0)
            }
            while !isReleased.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            counts.withLock { $0.now[key, default: 0] -= 1 }
        }
    }

    private static func until(_ gate: KeyedGate<String>, running: Int, waiting: Int) async {
        while gate.counts != (running, waiting) { await Task.yield() }
    }

    @Test("one job of each key runs, some wait, and one more of the key is refused at once", .timeLimit(.minutes(5)))
    func bounds() async throws {
        let (gate, held) = (KeyedGate<String>(waitingMax: 2), Held())
        try await withThrowingTaskGroup { group in
            for key in ["a", "a", "a", "b"] { group.addTask { try await gate.run(of: key) { await held.job(key) } } }
            await Self.until(gate, running: 2, waiting: 2)
            await #expect(throws: StoreError.overloaded) { try await gate.run(of: "a") {} }
            try await gate.run(of: "c") {}
            held.release()
            try await group.waitForAll()
        }
        #expect(held.most == ["a": 1, "b": 1] && gate.counts == (0, 0))
    }

    @Test("a call that is cancelled while it waits leaves the line, and one that fails gives its turn back")
    func ends() async throws {
        let (gate, held) = (KeyedGate<String>(waitingMax: 2), Held())
        let running = Task { try await gate.run(of: "a") { await held.job("a") } }
        await Self.until(gate, running: 1, waiting: 0)
        let waiting = Task { try await gate.run(of: "a") {} }
        await Self.until(gate, running: 1, waiting: 1)
        waiting.cancel()
        await #expect(throws: StoreError.overloaded) { try await waiting.value }
        #expect(gate.counts == (1, 0))
        held.release()
        try await running.value
        await #expect(throws: StoreError.unavailable) {
            try await gate.run(of: "a") { () async throws(StoreError) in throw .unavailable }
        }
        #expect(gate.counts == (0, 0))
    }
}
