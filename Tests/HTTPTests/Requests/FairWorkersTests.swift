import Concurrency
import Storage
import Synchronization
import Testing

@testable import HTTP

@Suite struct FairWorkersTests {
    /// Lets jobs wait until it is opened.
    private final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func pass() async {
            await withCheckedContinuation { waiter in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(waiter) }
                    return state.isOpen
                }
                if isOpen { waiter.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for waiter in waiting { waiter.resume() }
        }
    }

    /// What the jobs did.
    private final class Seen: Sendable {
        let order = Mutex<[Int]>([])
        private let runningCount = Atomic(0)
        private let runningMax = Atomic(0)

        var largestCount: Int { runningMax.load(ordering: .sequentiallyConsistent) }

        func run(_ number: Int, _ gate: Gate) async {
            let now = runningCount.add(1, ordering: .sequentiallyConsistent).newValue
            runningMax.max(now, ordering: .sequentiallyConsistent)
            order.withLock { $0.append(number) }
            await gate.pass()
            runningCount.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    private static func bounds(_ running: Int, _ waiting: Int) -> GateBounds {
        GateBounds(runningMax: running, runningOfKeyMax: running, waitingMax: waiting, waitingOfKeyMax: waiting)
    }

    private func until(_ isTrue: () -> Bool) async { while !isTrue() { await Task.yield() } }

    @Test("so many run, so many wait in their order, and the next one is refused at once", .timeLimit(.minutes(5)))
    func bounds() async throws {
        let decoders = FairWorkers(Self.bounds(2, 3))
        let gate = Gate()
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...5 {
                group.addTask { try await decoders.run { await seen.run(number, gate) } }
                // Each is in its place before the next one comes.
                await until {
                    number <= 2 ? seen.order.withLock { $0.count } == number : decoders.counts.waiting == number - 2
                }
            }
            await #expect(throws: StoreError.crowded) { try await decoders.run {} }
            gate.open()
            try await group.waitForAll()
        }
        #expect(seen.order.withLock { $0 } == [1, 2, 3, 4, 5])
        #expect(seen.largestCount == 2)
        #expect(decoders.counts.waiting == 0)
        try await decoders.run {}
    }

    @Test("a client that goes while it waits frees its place at once", .timeLimit(.minutes(5))) func goneClients()
        async throws
    {
        let decoders = FairWorkers(Self.bounds(1, 1))
        let gate = Gate()
        let seen = Seen()
        let running = Task { try await decoders.run { await seen.run(1, gate) } }
        await until { seen.order.withLock { $0 } == [1] }
        for _ in 0..<3 {
            let gone = Task { try await decoders.run { _ = Issue.record("a cancelled job ran") } }
            await until { decoders.counts.waiting == 1 }
            gone.cancel()
            await #expect(throws: CancellationError.self) { try await gone.value }
            #expect(decoders.counts.waiting == 0)
        }
        gate.open()
        try await running.value
    }

    @Test("a job that throws, and one whose client has gone, give their turns back") func errors() async throws {
        struct Broken: Error {}
        let decoders = FairWorkers(Self.bounds(1, 0))
        await #expect(throws: Broken.self) { try await decoders.run { throw Broken() } }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await decoders.run { _ = Issue.record("a cancelled job ran") }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await decoders.run {}
    }

    @Test("a job that waits for its turn keeps no page or feed from being made", .timeLimit(.minutes(5))) func places()
        async throws
    {
        let (decoders, gate, seen) = (FairWorkers(Self.bounds(1, 1)), Gate(), Seen())
        let places = CorePlaces(runningMax: 1, runningOfClientMax: 1)
        let running = Task { try await decoders.run { await seen.run(1, gate) } }
        await until { decoders.counts.running == 1 }
        let waiting = Task { try await places.run { try await decoders.run {} } }
        await until { decoders.counts.waiting == 1 }
        try await places.run { #expect(places.counts == (1, 0)) }
        gate.open()
        try await running.value
        try await waiting.value
        #expect(places.counts == (0, 0))
    }

    @Test("as many pages and feeds run as there is room for on the cores", arguments: [(1, 4), (2, 4), (8, 16)])
    func cores(_ coresCount: Int, _ expected: Int) async throws {
        let (places, gate) = (CorePlaces.forFeeds(coresCount: coresCount), Gate())
        let jobs = (0..<20).map { number in
            Task {
                try await ClientKey.$current.withValue(ClientKey(high: 0, low: UInt64(number))) {
                    try await places.run { await gate.pass() }
                }
            }
        }
        await until { places.counts == (expected, 20 - expected) }
        gate.open()
        for job in jobs { try await job.value }
    }
}
