import Concurrency
import Synchronization
import Testing

/// The errors of the jobs of these tests.
enum Refusal: GateError { case crowded, overloaded, failed }

extension FairGate {
    /// Runs a job that does not fail.
    func perform<Value>(of key: Key, _ job: () async -> Value) async throws(Refusal) -> Value {
        try await run(of: key) { () async throws(Refusal) in await job() }
    }
}

extension FairGate where Key == ClientKey {
    func perform<Value>(_ job: () async -> Value) async throws(Refusal) -> Value {
        try await perform(of: .current, job)
    }
}

@Suite struct FairGateTests {
    /// Jobs that run until they are released.
    private final class Held: Sendable {
        private let isReleased = Mutex(false)
        private let counts = Mutex((now: 0, most: 0))

        var mostAtOnce: Int { counts.withLock { $0.most } }
        func release() { isReleased.withLock { $0 = true } }

        func job() async {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            while !isReleased.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            counts.withLock { $0.now -= 1 }
        }
    }

    private static let (one, other) = (ClientKey(high: 0, low: 1), ClientKey(high: 0, low: 2))

    private static func gate(_ running: Int, _ waiting: Int) -> FairGate<ClientKey> {
        FairGate(
            GateBounds(runningMax: running, runningOfKeyMax: running, waitingMax: waiting, waitingOfKeyMax: waiting))
    }

    private static func until(_ gate: FairGate<ClientKey>, running: Int, waiting: Int) async {
        while gate.counts != (running, waiting) { await Task.yield() }
    }

    @Test("jobs beyond the running and waiting limits are refused at once", .timeLimit(.minutes(5))) func bounds()
        async throws
    {
        let (gate, held) = (Self.gate(3, 5), Held())
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await gate.perform(of: Self.one) { await held.job() } } }
            await Self.until(gate, running: 3, waiting: 5)
            await #expect(throws: Refusal.crowded) { try await gate.perform(of: Self.one) {} }
            held.release()
            try await group.waitForAll()
        }
        #expect(held.mostAtOnce == 3 && gate.counts == (0, 0))
        try await gate.perform(of: Self.one) {}
    }

    @Test("a key that fills the queue loses its newest job to another key", .timeLimit(.minutes(5))) func newcomer()
        async throws
    {
        let (gate, held) = (Self.gate(1, 4), Held())
        let jobs = (0..<5).map { _ in Task { try await gate.perform(of: Self.one) { await held.job() } } }
        await Self.until(gate, running: 1, waiting: 4)
        let newcomer = Task { try await gate.perform(of: Self.other) {} }
        let refused = await withTaskGroup(of: Bool.self) { group in
            for job in jobs { group.addTask { if case .failure = await job.result { true } else { false } } }
            // The newest one is refused at once. The others end when they are released.
            let isFirstRefused = await group.next()
            held.release()
            return await group.reduce(isFirstRefused == true ? 1 : 0) { $0 + ($1 ? 1 : 0) }
        }
        try await newcomer.value
        #expect(refused == 1 && gate.counts == (0, 0))
    }

    @Test("a cancelled call leaves the queue, and a cancelled running job returns its turn") func cancellation()
        async throws
    {
        let (gate, held) = (Self.gate(1, 2), Held())
        let running = Task { try await gate.perform { await held.job() } }
        await Self.until(gate, running: 1, waiting: 0)
        let waiting = Task { try await gate.perform {} }
        await Self.until(gate, running: 1, waiting: 1)
        waiting.cancel()
        await #expect(throws: Refusal.overloaded) { try await waiting.value }
        #expect(gate.counts == (1, 0))
        running.cancel()
        try await running.value
        #expect(gate.counts == (0, 0))
        try await gate.perform {}
    }

    @Test("calls that are cancelled at any moment lose no turn", .timeLimit(.minutes(5))) func cancelledAnytime()
        async throws
    {
        let gate = Self.gate(2, 8)
        await withTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    let key = ClientKey(high: 1, low: UInt64(number % 7))
                    let job = Task { try await gate.perform(of: key) { await Task.yield() } }
                    for _ in 0..<(number % 5) { await Task.yield() }
                    if number % 3 == 0 { job.cancel() }
                    _ = await job.result
                }
            }
        }
        #expect(gate.counts == (0, 0))
        try await gate.perform {}
    }

    @Test("a job that fails gives its turn back") func failure() async {
        let gate = Self.gate(1, 1)
        for _ in 0..<3 {
            await #expect(throws: Refusal.failed) { try await gate.run { () async throws(Refusal) in throw .failed } }
        }
        #expect(gate.counts == (0, 0))
    }

    @Test("a job takes its turn as the client that its task serves") func current() async throws {
        let held = Held()
        let bounds = GateBounds(runningMax: 2, runningOfKeyMax: 1, waitingMax: 0, waitingOfKeyMax: 0)
        let narrow = FairGate<ClientKey>(bounds)
        let running = Task {
            try await ClientKey.$current.withValue(Self.one) { try await narrow.perform { await held.job() } }
        }
        await Self.until(narrow, running: 1, waiting: 0)
        await #expect(throws: Refusal.crowded) {
            try await ClientKey.$current.withValue(Self.one) { try await narrow.perform {} }
        }
        try await ClientKey.$current.withValue(Self.other) { try await narrow.perform {} }
        held.release()
        try await running.value
    }

    @Test("one job of each owner runs, and a client's owners together use its share", .timeLimit(.minutes(5)))
    func owners() async throws {
        struct Owner: GateKey { let number: Int }
        let gate = OwnGate<Owner>(GateBounds(runningMax: 4, runningOfKeyMax: 2, waitingMax: 8, waitingOfKeyMax: 4))
        let held = Held()
        let jobs = [1, 1, 2, 3, 4].map { owner in
            Task {
                try await ClientKey.$current.withValue(Self.one) {
                    try await gate.run(of: Owner(number: owner)) { () async throws(Refusal) in await held.job() }
                }
            }
        }
        while gate.counts.running < 2 { await Task.yield() }
        let others = [5, 6].map { owner in
            Task {
                try await ClientKey.$current.withValue(Self.other) {
                    try await gate.run(of: Owner(number: owner)) { () async throws(Refusal) in await held.job() }
                }
            }
        }
        while gate.counts.running < 4 { await Task.yield() }
        held.release()
        for job in jobs + others { try await job.value }
        #expect(held.mostAtOnce == 4 && gate.counts.running == 0)
    }
}
