import enum Contract.ProblemName
import Domain
import HTTPServer
import Leaderboard
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
        var topicsOfBlockMax = Limits.liveTopicsOfBlock
        var ofPlayerMax = Limits.liveStreamsOfPlayer
        var statesBytesMax = Limits.liveStatesBytesMax
        var readsMax = Limits.liveReadsMax
    }

    struct State {
        var streamsCount = 0
        /// Address blocks and players that have open streams.
        var ofBlock: [AddressBlock: OpenedByBlock] = [:]
        var ofPlayer: [Player.ID: Int] = [:]
        var topics: [String: (topic: LiveTopic, streamsCount: Int, openedBy: IPAddress?)] = [:]
        /// What ``topics`` keep, in bytes.
        var statesBytes = 0
        /// Topics that wait to be read. None is there twice.
        var queue = CircularBuffer<LiveTopic>()
        var readsCount = 0
    }

    /// What the clients of one block of addresses have open.
    struct OpenedByBlock {
        var streams = 0
        /// Topics that they opened and that still have watchers.
        var topics = 0
    }

    /// Asks about players, by their tokens; see `Store.ownVersions`.
    typealias OwnVersions = @Sendable ([TokenHash]) async throws -> [TokenHash: Int64]

    let bounds: Bounds
    private let feeds: FeedCache
    let ownVersions: OwnVersions
    let state = Mutex(State())
    /// Whether players are asked about at this moment.
    let isAsking = Atomic(false)
    let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopWatchers>]>([:])
    private let ticks = Atomic<UInt64>(0)
    let reads = Atomic<UInt64>(0)
    let counters = LiveCounters()
    let backlogs = BacklogBudget()

    init(_ feeds: FeedCache, bounds: Bounds = Bounds(), ownVersions: @escaping OwnVersions = { _ in [:] }) {
        self.feeds = feeds
        self.ownVersions = ownVersions
        self.bounds = bounds
    }

    /// The number of the last look.
    var tick: UInt64 { ticks.load(ordering: .relaxed) }

    /// The figures for `/metrics`.
    var use: LiveUse {
        let (streams, topics) = state.withLock { ($0.streamsCount, $0.topics.count) }
        return LiveUse(
            streams: streams, topics: topics, events: counters.events.load(ordering: .relaxed),
            cut: counters.cut.load(ordering: .relaxed), refused: counters.refused.load(ordering: .relaxed))
    }

    /// The number of addresses and larger blocks in the tables.
    var blocksCount: Int { state.withLock { $0.ofBlock.count } }

    /// Looks four times a second until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            let clock = ContinuousClock()
            var next = clock.now
            while !Task.isCancelled {
                // After a pause of the process one look is enough.
                next = max(next + .milliseconds(Limits.liveTickMilliseconds), clock.now)
                do { try await clock.sleep(until: next) } catch { break }
                let (readsCount, asked) = beginLook()
                for _ in 0..<readsCount { group.addTask { await self.readQueue() } }
                if !asked.isEmpty { group.addTask { await self.ask(about: asked) } }
            }
            group.cancelAll()
        }
    }

    /// One look, which ends when all that has changed was read.
    func look() async {
        let (readsCount, asked) = beginLook()
        await withDiscardingTaskGroup { group in
            for _ in 0..<readsCount { group.addTask { await self.readQueue() } }
            if !asked.isEmpty { group.addTask { await self.ask(about: asked) } }
        }
    }
}

// MARK: - Looks

extension LiveHub {
    /// Finds what has to be read again, and lets every event loop look at its streams.
    /// - Returns: How many more tasks are to read the queue, and the topics about whose players one more is to ask.
    private func beginLook() -> (readsCount: Int, asked: [LiveTopic]) {
        let tick = ticks.wrappingAdd(1, ordering: .relaxed).newValue
        let topics = state.withLock { $0.topics.values.map(\.topic) }
        let newReads = enqueue(topics.filter { $0.token == nil && isDue($0, at: tick) })
        guard !topics.isEmpty else { return (newReads, []) }
        for watchers in loops.withLock({ Array($0.values) }) {
            watchers.eventLoop.execute { watchers.value.look(at: tick) }
        }
        return (newReads, ownTopics(topics, at: tick))
    }

    /// - Returns: How many more tasks are to read the queue.
    func enqueue(_ due: [LiveTopic]) -> Int {
        state.withLock { state in
            state.queue.append(contentsOf: due)
            let count = min(bounds.readsMax - state.readsCount, state.queue.count)
            state.readsCount += max(0, count)
            return max(0, count)
        }
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

    func readQueue() async { while let topic = nextInQueue() { await readAgain(topic) } }

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
        case .failure(let error as Problem) where error.name == .notFound || error.name == .unauthorized: finish(topic)
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
        let notified = change(topic) { state -> [NIOLoopBound<LoopWatchers>] in
            state.isQueued = false
            let isChanged = message.id != state.message.id || message.id != state.newest.id
            state.nextTick = tick &+ (isChanged || !now.isCached ? now.ticks : 1)
            (state.message, state.parts, state.isCached) = (message, now.parts, now.isCached)
            (state.version, state.anewTick) = (now.version, tick &+ Limits.liveTicksOfOwnAnew)
            if message.number > state.newest.number { state.newest = message }
            state.isOver = now.isFinal
            return isChanged || now.isFinal ? state.loops.values.map(\.watchers) : []
        }
        for watchers in notified {
            watchers.eventLoop.execute { watchers.value.tell(message, to: topic, at: tick, isLast: now.isFinal) }
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
