import Concurrency
import Synchronization
import Testing

@Suite struct SingleFlightTests {
    /// A source that counts its reads. Each read waits until the test ends it.
    private final class Source: Sendable {
        let begun = Mutex(0)
        private let gates = Mutex<[CheckedContinuation<Void, Never>]>([])

        func next() -> Int {
            begun.withLock { count in
                count += 1
                return count
            }
        }

        func read() async -> Int {
            let number = next()
            await withCheckedContinuation { gate in gates.withLock { $0.append(gate) } }
            return number
        }

        /// Ends the current read.
        func letGo() async {
            while true {
                if let gate = gates.withLock({ $0.popLast() }) { return gate.resume() }
                await Task.yield()
            }
        }
    }

    @Test("who comes while a reading is under way shares the next one, and never gets the older") func shares()
        async throws
    {
        let (reads, source) = (SingleFlight<Int>(), Source())
        async let first = reads.value(for: "a") { await source.read() }
        while source.begun.withLock({ $0 }) < 1 { await Task.yield() }
        let later = try await withThrowingTaskGroup(of: Int.self) { readers in
            for _ in 0..<20 { readers.addTask { try await reads.value(for: "a") { source.next() } } }
            for _ in 0..<1_000 { await Task.yield() }
            await source.letGo()
            return try await readers.reduce(into: []) { $0.append($1) }
        }
        #expect(try await first == 1)
        #expect(later.allSatisfy { $0 >= 2 })
        #expect(source.begun.withLock { $0 } < 21, "some have shared")
    }

    @Test("another key waits for nobody") func keys() async throws {
        let (reads, source) = (SingleFlight<Int>(), Source())
        async let first = reads.value(for: "a") { await source.read() }
        while source.begun.withLock({ $0 }) < 1 { await Task.yield() }
        #expect(try await reads.value(for: "b") { 7 } == 7)
        await source.letGo()
        #expect(try await first == 1)
        #expect(try await reads.value(for: "a") { 8 } == 8)
    }

    @Test("who gave up while waiting reads nothing, and the next one reads") func givenUp() async throws {
        let (reads, source) = (SingleFlight<Int>(), Source())
        async let first = reads.value(for: "a") { await source.read() }
        while source.begun.withLock({ $0 }) < 1 { await Task.yield() }
        let impatient = (0..<10).map { _ in Task { try await reads.value(for: "a") { source.next() } } }
        for task in impatient { task.cancel() }
        for _ in 0..<1_000 { await Task.yield() }
        await source.letGo()
        #expect(try await first == 1)
        for task in impatient { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(source.begun.withLock { $0 } == 1)
        #expect(try await reads.value(for: "a") { 7 } == 7)
    }

    @Test("an error is for those who shared the reading; one that was given up is read again by the next") func errors()
        async throws
    {
        struct Broken: Error {}
        let (reads, source) = (SingleFlight<Int>(), Source())
        let first = Task {
            try await reads.value(for: "a") {
                _ = await source.read()
                throw CancellationError()
            }
        }
        while source.begun.withLock({ $0 }) < 1 { await Task.yield() }
        let second = Task { try await reads.value(for: "a") { 5 } }
        for _ in 0..<1_000 { await Task.yield() }
        await source.letGo()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == 5)
        await #expect(throws: Broken.self) { try await reads.value(for: "a") { throw Broken() } }
        #expect(try await reads.value(for: "a") { 6 } == 6)
    }

    @Test(
        "a read that waits behind its client's jobs runs as soon as one of another client waits for it",
        .timeLimit(.minutes(5)), arguments: [false, true]) func sharedLine(isNested: Bool) async throws
    {
        let (reads, inner, source) = (SingleFlight<Int>(), SingleFlight<Int>(), Source())
        let (one, other) = (ClientKey(high: 0, low: 1), ClientKey(high: 0, low: 2))
        let gate = FairGate<ClientKey>(GateBounds(runningMax: 2, runningOfKeyMax: 1, waitingMax: 8, waitingOfKeyMax: 8))
        @Sendable func gated() async throws -> Int { try await gate.perform { 1 } }
        func call(_ client: ClientKey, _ read: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
            Task { try await ClientKey.$current.withValue(client, operation: read) }
        }
        let slow = call(one) { try await gate.perform { await source.read() } }
        while gate.counts.running < 1 { await Task.yield() }
        // The leader waits at the gate itself, or for another call of its client that does.
        let first = isNested ? call(one) { try await inner.value(for: "b", gated) } : nil
        if first != nil { while gate.counts.waiting < 1 { await Task.yield() } }
        let leader = call(one) {
            try await reads.value(for: "a") {
                _ = source.next()
                return isNested ? try await inner.value(for: "b") { 1 } : try await gated()
            }
        }
        while source.begun.withLock({ $0 }) < 2 || gate.counts.waiting < 1 { await Task.yield() }
        let follower = call(other) { try await reads.value(for: "a") { 2 } }
        #expect(try await leader.value == 1)
        #expect(try await follower.value == 2)
        if let first { #expect(try await first.value == 1) }
        #expect(gate.counts == (1, 0), "the slow one still runs")
        await source.letGo()
        #expect(try await slow.value == 1)
        #expect(gate.counts == (0, 0))
    }

    @Test("if the reading client has too many jobs, its calls are refused, and a call of another client reads")
    func crowded() async throws {
        let (reads, source) = (SingleFlight<Int>(), Source())
        let (one, other) = (ClientKey(high: 0, low: 1), ClientKey(high: 0, low: 2))
        func call(_ client: ClientKey, _ read: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
            Task { try await ClientKey.$current.withValue(client) { try await reads.value(for: "a", read) } }
        }
        let first = call(one) { await source.read() }
        while source.begun.withLock({ $0 }) < 1 { await Task.yield() }
        // The first of these calls reads for all of them, and is refused.
        let leader = call(one) {
            _ = await source.read()
            throw Refusal.crowded
        }
        for _ in 0..<1_000 { await Task.yield() }
        let follower = call(one) { 3 }
        let stranger = call(other) { 4 }
        for _ in 0..<1_000 { await Task.yield() }
        await source.letGo()
        #expect(try await first.value == 1)
        while source.begun.withLock({ $0 }) < 2 { await Task.yield() }
        await source.letGo()
        await #expect(throws: Refusal.crowded) { try await leader.value }
        await #expect(throws: Refusal.crowded) { try await follower.value }
        #expect(try await stranger.value == 4)
        #expect(try await reads.value(for: "a") { 6 } == 6)
    }

    @Test("a call that waits for a read has no place, which the read may need", .timeLimit(.minutes(5))) func places()
        async throws
    {
        let (reads, source) = (SingleFlight<Int>(), Source())
        let places = CorePlaces(runningMax: 1, runningOfClientMax: 1)
        let bounds = GateBounds(runningMax: 1, runningOfKeyMax: 1, waitingMax: 8, waitingOfKeyMax: 8)
        let gate = FairGate<ClientKey>(bounds)
        let slow = Task { try await gate.perform { await source.read() } }
        while source.begun.withLock({ $0 }) < 1 { await Task.yield() }
        let leader = Task { try await places.run { try await reads.value(for: "a") { try await gate.perform { 1 } } } }
        while gate.counts.waiting < 1 { await Task.yield() }
        let follower = Task { try await places.run { try await reads.value(for: "a") { 2 } } }
        for _ in 0..<1_000 { await Task.yield() }
        await source.letGo()
        _ = try await slow.value
        #expect(try await leader.value == 1)
        #expect(try await follower.value == 2)
        #expect(places.counts == (0, 0))
    }
}
