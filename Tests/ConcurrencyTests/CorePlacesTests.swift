import Concurrency
import Synchronization
import Testing

@Suite struct CorePlacesTests {
    private static let (one, other) = (ClientKey(high: 0, low: 1), ClientKey(high: 0, low: 2))

    private static func gate(_ running: Int) -> FairGate<ClientKey> {
        FairGate(GateBounds(runningMax: running, runningOfKeyMax: running, waitingMax: 1_000, waitingOfKeyMax: 1_000))
    }

    /// A job that runs until it is told to end.
    private final class Held: Sendable {
        private let isReleased = Atomic(false)

        func release() { isReleased.store(true, ordering: .sequentiallyConsistent) }

        func job() async { while !isReleased.load(ordering: .sequentiallyConsistent) { await Task.yield() } }
    }

    /// Counts the jobs that run, and the most at once.
    private final class Seen: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func run() async {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<3 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
        }
    }

    @Test("a job that waits at a gate keeps no other one from running", .timeLimit(.minutes(5))) func gates()
        async throws
    {
        let (places, gate, held) = (CorePlaces(runningMax: 1, runningOfClientMax: 1), Self.gate(1), Held())
        let first = Task { try await gate.perform { await held.job() } }
        while gate.counts.running < 1 { await Task.yield() }
        let waiting = Task { try await places.run { try await gate.perform {} } }
        while gate.counts.waiting < 1 { await Task.yield() }
        #expect(places.counts == (0, 0))
        try await places.run { #expect(places.counts == (1, 0)) }
        held.release()
        try await first.value
        try await waiting.value
        #expect(places.counts == (0, 0))
    }

    @Test("a job that goes on after a wait takes a place again, and no more run than there are places") func bounds()
        async throws
    {
        let (places, gate, seen) = (CorePlaces(runningMax: 3, runningOfClientMax: 2), Self.gate(2), Seen())
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let client = ClientKey(high: 1, low: UInt64(number % 5))
                    try await ClientKey.$current.withValue(client) {
                        try await places.run {
                            await seen.run()
                            try await gate.perform { await Task.yield() }
                            await seen.run()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(seen.most))
        #expect(places.counts == (0, 0))
    }

    @Test("a client uses its share of the places", .timeLimit(.minutes(5))) func share() async throws {
        let (places, held) = (CorePlaces(runningMax: 4, runningOfClientMax: 2), Held())
        let jobs = (0..<5).map { _ in
            Task { try await ClientKey.$current.withValue(Self.one) { try await places.run { await held.job() } } }
        }
        while places.counts != (2, 3) { await Task.yield() }
        try await ClientKey.$current.withValue(Self.other) { try await places.run {} }
        held.release()
        for job in jobs { try await job.value }
        #expect(places.counts == (0, 0))
    }

    @Test("a job within a job, and the waits of its child tasks, need no second place", .timeLimit(.minutes(5)))
    func nested() async throws {
        let (places, gate) = (CorePlaces(runningMax: 1, runningOfClientMax: 1), Self.gate(1))
        try await places.run {
            try await places.run { #expect(places.counts == (1, 0)) }
            try await gate.run { () async throws(Refusal) in
                try await Self.gate(1).perform { #expect(places.counts == (0, 0)) }
            }
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await gate.perform { await Task.yield() } } }
                try await group.waitForAll()
            }
            #expect(places.counts == (1, 0))
        }
        #expect(places.counts == (0, 0))
    }

    @Test("jobs that are cancelled at any moment, and those that fail, give everything back", .timeLimit(.minutes(5)))
    func cancelledAnytime() async throws {
        struct Broken: Error {}
        let (places, gate, seen) = (CorePlaces(runningMax: 2, runningOfClientMax: 1), Self.gate(1), Seen())
        await withTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    let client = ClientKey(high: 1, low: UInt64(number % 7))
                    let job = Task {
                        try await ClientKey.$current.withValue(client) {
                            try await places.run {
                                try await gate.perform { await Task.yield() }
                                await seen.run()
                                if number % 4 == 0 { throw Broken() }
                                try await gate.perform { await Task.yield() }
                            }
                        }
                    }
                    for _ in 0..<(number % 9) { await Task.yield() }
                    if number % 3 == 0 { job.cancel() }
                    _ = await job.result
                }
            }
        }
        #expect((1...2).contains(seen.most), "nor do cancelled jobs run without a place")
        #expect(places.counts == (0, 0))
        #expect(gate.counts == (0, 0))
        try await places.run {}
    }

    @Test("a job whose task was cancelled before it began does not run") func cancelled() async {
        let places = CorePlaces(runningMax: 1, runningOfClientMax: 1)
        let job = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await places.run { _ = Issue.record("a cancelled job ran") }
        }
        await #expect(throws: CancellationError.self) { try await job.value }
        #expect(places.counts == (0, 0))
    }
}
