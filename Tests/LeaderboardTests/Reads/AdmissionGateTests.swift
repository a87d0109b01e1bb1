import Storage
import Synchronization
import Testing

@testable import Leaderboard

@Suite struct AdmissionGateTests {
    /// Reads that go on until they are let go.
    private final class Held: Sendable {
        private let isReleased = Mutex(false)
        private let most = Mutex((now: 0, most: 0))

        var mostAtOnce: Int { most.withLock { $0.most } }
        func release() { isReleased.withLock { $0 = true } }

        func read() async {
            most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            while !isReleased.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            most.withLock { $0.now -= 1 }
        }
    }

    private static func until(_ gate: AdmissionGate, running: Int, waiting: Int) async {
        while gate.counts != (running, waiting) { await Task.yield() }
    }

    @Test("so many run, so many wait, and one more is refused at once", .timeLimit(.minutes(5)))
    func bounds() async throws {
        let (gate, held) = (AdmissionGate(runningMax: 3, waitingMax: 5), Held())
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await gate.run { await held.read() } } }
            await Self.until(gate, running: 3, waiting: 5)
            await #expect(throws: StoreError.overloaded) { try await gate.run {} }
            held.release()
            try await group.waitForAll()
        }
        #expect(held.mostAtOnce == 3 && gate.counts == (0, 0))
        try await gate.run {}
    }

    @Test("a call that is cancelled while it waits leaves its place, and one that runs gives back its own")
    func cancellation() async throws {
        let (gate, held) = (AdmissionGate(runningMax: 1, waitingMax: 2), Held())
        let running = Task { try await gate.run { await held.read() } }
        await Self.until(gate, running: 1, waiting: 0)
        let waiting = Task { try await gate.run {} }
        await Self.until(gate, running: 1, waiting: 1)
        waiting.cancel()
        await #expect(throws: StoreError.overloaded) { try await waiting.value }
        #expect(gate.counts == (1, 0))
        running.cancel()
        try await running.value
        #expect(gate.counts == (0, 0))
        try await gate.run {}
    }

    @Test("a read that fails gives its place back") func failure() async {
        let gate = AdmissionGate(runningMax: 1, waitingMax: 1)
        for _ in 0..<3 {
            await #expect(throws: StoreError.unavailable) {
                try await gate.run { () async throws(StoreError) in throw .unavailable }
            }
        }
        #expect(gate.counts == (0, 0))
    }
}
