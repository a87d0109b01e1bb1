import Domain
import NIOCore
import Synchronization

/// The open event streams, and the service that keeps them current.
///
/// Four times a second it looks at every topic: while the feed cache says that the documents of a topic are the ones
/// that its streams were told, nothing else is done. Otherwise they are read again, from the cache that feeds are
/// answered from, and when their bytes differ, one event is written for all streams of the topic, which each event loop
/// hands to its own. A topic that changes more often is told as it is then, so the newest wins.
package final class LiveHub: Sendable {
    /// How many streams there may be, and what is kept for them.
    struct Bounds: Sendable {
        var streamsMax = Limits.liveStreamsMax
        var ofAddressMax = Limits.liveStreamsOfAddress
        var statesBytesMax = Limits.liveStatesBytesMax
        var readsMax = Limits.liveReadsMax
    }

    private struct State {
        var streamsCount = 0
        /// Addresses with open streams only.
        var ofAddress: [IPAddress: Int] = [:]
        var topics: [String: (topic: LiveTopic, streamsCount: Int)] = [:]
        /// What ``topics`` keep, in bytes.
        var statesBytes = 0
        /// Topics that wait to be read. None is there twice.
        var queue = CircularBuffer<LiveTopic>()
        var readsCount = 0
    }

    private let bounds: Bounds
    private let feeds: FeedCache
    private let state = Mutex(State())
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopWatchers>]>([:])
    private let ticks = Atomic<UInt64>(0)
    private let reads = Atomic<UInt64>(0)
    let counters = LiveCounters()
    let backlogs = BacklogBudget()

    init(_ feeds: FeedCache, bounds: Bounds = Bounds()) {
        self.feeds = feeds
        self.bounds = bounds
    }

    /// The number of the last look.
    var tick: UInt64 { ticks.load(ordering: .relaxed) }

    /// The figures for `/metrics`.
    var use: LiveUse {
        let (streams, topics) = state.withLock { ($0.streamsCount, $0.topics.count) }
        return LiveUse(
            streams: streams,
            topics: topics,
            events: counters.events.load(ordering: .relaxed),
            cut: counters.cut.load(ordering: .relaxed),
            refused: counters.refused.load(ordering: .relaxed)
        )
    }

    /// The number of addresses that are counted.
    var addressesCount: Int { state.withLock { $0.ofAddress.count } }

    /// Looks four times a second until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            let clock = ContinuousClock()
            var next = clock.now
            while !Task.isCancelled {
                // After a pause of the process one look is enough.
                next = max(next + .milliseconds(Limits.liveTickMilliseconds), clock.now)
                do { try await clock.sleep(until: next) } catch { break }
                for _ in 0..<beginLook() { group.addTask { await self.readQueue() } }
            }
            group.cancelAll()
        }
    }

    /// One look, which ends when all that has changed was read.
    func look() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<beginLook() { group.addTask { await self.readQueue() } }
        }
    }
}

// MARK: - Places

extension LiveHub {
    /// The number of a read that begins now.
    func numberOfRead() -> UInt64 { reads.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes a place for a stream.
    /// - Parameters:
    ///   - key: Names what the stream shows.
    ///   - now: What was read a moment ago, not final.
    ///   - number: The number of that read.
    ///   - address: The client's address as it is counted; nil bounds nothing.
    ///   - read: Reads the same again.
    /// - Throws: 429 when the address has as many as it may have, 503 when all have.
    func open(
        _ key: String,
        _ now: LiveState,
        number: UInt64,
        lastEventID: String?,
        for address: IPAddress?,
        read: @escaping LiveTopic.Read
    ) throws(Problem) -> EventStream {
        let known = state.withLock { $0.topics[key]?.topic }
        // It is written before the lock is taken, and for nothing when a place is refused.
        let message = known?.message(of: now, number: number) ?? Self.message(of: now, number: number)
        let opened = state.withLock { state -> Result<LiveTopic, Problem> in
            guard state.streamsCount < bounds.streamsMax else { return .failure(.tooManyStreams) }
            if let address, state.ofAddress[address, default: 0] >= bounds.ofAddressMax {
                return .failure(Problem(.streamsOfAddress))
            }
            let topic: LiveTopic
            if let (known, count) = state.topics[key] {
                topic = known
                state.topics[key] = (known, count + 1)
            } else {
                guard state.statesBytes <= bounds.statesBytesMax else { return .failure(.tooManyStreams) }
                topic = LiveTopic(key, now, message, at: tick, read: read)
                state.topics[key] = (topic, 1)
                state.statesBytes += topic.bytesKept
            }
            state.streamsCount += 1
            if let address { state.ofAddress[address, default: 0] += 1 }
            return .success(topic)
        }
        switch opened {
        case .success(let topic):
            change(topic) { if message.number > $0.newest.number { $0.newest = message } }
            return EventStream(self, topic, message, lastEventID: lastEventID, address: address)
        case .failure(let problem):
            counters.refused.wrappingAdd(1, ordering: .relaxed)
            throw problem
        }
    }

    private static func message(of state: LiveState, number: UInt64) -> LiveTopic.Message {
        let id = state.id
        return LiveTopic.Message(id: id, number: number, bytes: EventBytes(state, id: id), ticks: state.ticks)
    }

    /// A stream has ended. A topic without streams is dropped.
    func leave(_ topic: LiveTopic, _ address: IPAddress?) {
        state.withLock { state in
            state.streamsCount -= 1
            if let address, let count = state.ofAddress[address] {
                state.ofAddress[address] = count > 1 ? count - 1 : nil
            }
            guard let (known, count) = state.topics[topic.key], known === topic else { return }
            state.topics[topic.key] = count > 1 ? (topic, count - 1) : nil
            if count == 1 { state.statesBytes -= topic.bytesKept }
        }
    }

    /// Changes a topic's state, and counts what is kept for it.
    private func change<Result: Sendable>(_ topic: LiveTopic, _ body: (inout LiveTopic.State) -> Result) -> Result {
        state.withLock { state in
            let before = topic.bytesKept
            let result = topic.state.withLock { body(&$0) }
            if state.topics[topic.key]?.topic === topic { state.statesBytes += topic.bytesKept - before }
            return result
        }
    }

    /// The streams of an event loop. Call it on that event loop.
    func watchers(on eventLoop: any EventLoop) -> NIOLoopBound<LoopWatchers> {
        loops.withLock { loops in
            let id = ObjectIdentifier(eventLoop)
            if let known = loops[id] { return known }
            let new = NIOLoopBound(LoopWatchers(counters), eventLoop: eventLoop)
            loops[id] = new
            return new
        }
    }
}

// MARK: - Looks

extension LiveHub {
    /// Finds what has to be read again, and lets every event loop look at its streams.
    /// - Returns: How many more tasks are to read the queue.
    private func beginLook() -> Int {
        let tick = ticks.wrappingAdd(1, ordering: .relaxed).newValue
        let topics = state.withLock { $0.topics.values.map(\.topic) }
        let due = topics.filter { isDue($0, at: tick) }
        let newReads = state.withLock { state in
            state.queue.append(contentsOf: due)
            let count = min(bounds.readsMax - state.readsCount, state.queue.count)
            state.readsCount += max(0, count)
            return max(0, count)
        }
        guard !topics.isEmpty else { return newReads }
        for watchers in loops.withLock({ Array($0.values) }) {
            watchers.eventLoop.execute { watchers.value.look(at: tick) }
        }
        return newReads
    }

    /// Whether a topic has to be read again. It counts as queued then.
    private func isDue(_ topic: LiveTopic, at tick: UInt64) -> Bool {
        let parts = topic.state.withLock { state -> [LiveState.Part]? in
            guard !state.isQueued, !state.isOver, tick >= state.nextTick else { return nil }
            // A stream may have begun with a state that is gone again.
            return state.isCached && state.newest.id == state.message.id ? state.parts : []
        }
        guard let parts else { return false }
        if !parts.isEmpty, parts.allSatisfy({ feeds.find($0.key)?.etag == $0.entity.etag }) { return false }
        topic.state.withLock { $0.isQueued = true }
        return true
    }

    private func readQueue() async {
        while let topic = nextInQueue() { await readAgain(topic) }
    }

    /// The next topic of the queue; nil ends the task that reads it.
    private func nextInQueue() -> LiveTopic? {
        state.withLock { state in
            let next = Task.isCancelled ? nil : state.queue.popFirst()
            if next == nil { state.readsCount -= 1 }
            return next
        }
    }

    private func readAgain(_ topic: LiveTopic) async {
        // Nobody may be left to be told.
        guard state.withLock({ $0.topics[topic.key]?.topic === topic }) else { return }
        // A read that ends after the next look has begun does not put off the one after it.
        let tick = tick
        let number = numberOfRead()
        let result: Result<LiveState, any Error>
        do { result = .success(try await topic.read()) } catch { result = .failure(error) }
        switch result {
        case .success(let state): tell(state, number: number, to: topic, at: tick)
        case .failure(let error as Problem) where error.name == .notFound: finish(topic)
        // The database may be away: what was told stays, and the next look comes later.
        case .failure:
            topic.state.withLock { state in
                state.isQueued = false
                state.nextTick = tick &+ Limits.liveTicksWithSQL
            }
        }
    }

    private func tell(_ now: LiveState, number: UInt64, to topic: LiveTopic, at tick: UInt64) {
        let message = topic.message(of: now, number: number)
        let told = change(topic) { state -> [NIOLoopBound<LoopWatchers>] in
            state.isQueued = false
            let isChanged = message.id != state.message.id || message.id != state.newest.id
            state.nextTick = tick &+ (isChanged || !now.isCached ? now.ticks : 1)
            (state.message, state.parts, state.isCached) = (message, now.parts, now.isCached)
            if message.number > state.newest.number { state.newest = message }
            state.isOver = now.isFinal
            return isChanged || now.isFinal ? state.loops.values.map(\.watchers) : []
        }
        for watchers in told {
            watchers.eventLoop.execute {
                watchers.value.tell(message, to: topic, at: tick, isLast: now.isFinal)
            }
        }
    }

    private func finish(_ topic: LiveTopic) {
        let loops = topic.state.withLock { state in
            (state.isQueued, state.isOver) = (false, true)
            return state.loops.values.map(\.watchers)
        }
        for watchers in loops { watchers.eventLoop.execute { watchers.value.finish(topic) } }
    }
}

/// What has happened to streams since the start.
final class LiveCounters: Sendable {
    /// States that were handed to streams.
    let events = Atomic<Int>(0)
    /// Streams that ended because their clients did not read.
    let cut = Atomic<Int>(0)
    /// Streams that found no place.
    let refused = Atomic<Int>(0)
}

/// The figures of streams for `/metrics`.
struct LiveUse: Sendable {
    let streams: Int
    let topics: Int
    let events: Int
    let cut: Int
    let refused: Int
}
