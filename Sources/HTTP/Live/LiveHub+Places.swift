import Domain
import HTTPServer
import NIOCore
import Synchronization

// Places of streams, which are bounded.
extension LiveHub {
    /// The number of a read that begins now.
    func numberOfRead() -> UInt64 { reads.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes a place for a stream.
    /// - Parameters:
    ///   - key: Names what the stream shows.
    ///   - now: What was read a moment ago, not final.
    ///   - number: The number of that read.
    ///   - place: Whose place it takes.
    ///   - token: The token of whom it is about; nil for what everybody is told.
    ///   - read: Reads the same again.
    /// - Throws: 429 when the address or the player has as many as it may have, 503 when all have.
    func open(
        _ key: String, _ now: LiveState, number: UInt64, lastEventID: String?, at place: LivePlace,
        of token: TokenHash? = nil, read: @escaping LiveTopic.Read
    ) throws(Problem) -> EventStream {
        let known = state.withLock { $0.topics[key]?.topic }
        // It is written before the lock is taken, and for nothing when a place is refused.
        let message = known?.message(of: now, number: number) ?? Self.message(of: now, number: number)
        let opened = state.withLock { state -> Result<LiveTopic, Problem> in
            guard state.streamsCount < bounds.streamsMax else { return .failure(.tooManyStreams) }
            if state.holds(of: place.address, { $0.streams >= self.bounds.ofAddressMax * $1.factor }) {
                return .failure(Problem(.streamsOfAddress))
            }
            if let player = place.player, state.ofPlayer[player, default: 0] >= bounds.ofPlayerMax {
                return .failure(Problem(.streamsOfPlayer))
            }
            let topic: LiveTopic
            if let (known, count, openedBy) = state.topics[key] {
                topic = known
                state.topics[key] = (known, count + 1, openedBy)
            } else {
                if state.holds(of: place.address, { opened, _ in opened.topics >= self.bounds.topicsOfBlockMax }) {
                    return .failure(Problem(.streamsOfAddress))
                }
                guard state.statesBytes <= bounds.statesBytesMax else { return .failure(.tooManyStreams) }
                topic = LiveTopic(key, now, message, of: token, at: tick, read: read)
                state.topics[key] = (topic, 1, place.address)
                state.statesBytes += topic.bytesKept
                state.count(1, \.topics, of: place.address)
            }
            state.streamsCount += 1
            state.count(1, \.streams, of: place.address)
            if let player = place.player { state.ofPlayer[player, default: 0] += 1 }
            return .success(topic)
        }
        switch opened {
        case .success(let topic):
            change(topic) { if message.number > $0.newest.number { $0.newest = message } }
            return EventStream(self, topic, message, lastEventID: lastEventID, at: place)
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
    func leave(_ topic: LiveTopic, _ place: LivePlace) {
        state.withLock { state in
            state.streamsCount -= 1
            state.count(-1, \.streams, of: place.address)
            if let player = place.player, let count = state.ofPlayer[player] {
                state.ofPlayer[player] = count > 1 ? count - 1 : nil
            }
            guard let (known, count, openedBy) = state.topics[topic.key], known === topic else { return }
            state.topics[topic.key] = count > 1 ? (topic, count - 1, openedBy) : nil
            guard count == 1 else { return }
            state.statesBytes -= topic.bytesKept
            state.count(-1, \.topics, of: openedBy)
        }
    }

    /// Changes a topic's state, and counts what is kept for it.
    func change<Result: Sendable>(_ topic: LiveTopic, _ body: (inout LiveTopic.State) -> Result) -> Result {
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

extension LiveHub.State {
    /// Whether a condition holds for any block that contains the address.
    fileprivate func holds(of address: IPAddress?, _ condition: (LiveHub.OpenedByBlock, AddressBlock) -> Bool) -> Bool {
        address?.blocks.contains { block in ofBlock[block].map { condition($0, block) } ?? false } ?? false
    }

    fileprivate mutating func count(
        _ change: Int, _ count: WritableKeyPath<LiveHub.OpenedByBlock, Int>, of address: IPAddress?
    ) {
        guard let address else { return }
        for block in address.blocks {
            var opened = ofBlock[block] ?? LiveHub.OpenedByBlock()
            opened[keyPath: count] += change
            ofBlock[block] = opened.streams > 0 || opened.topics > 0 ? opened : nil
        }
    }
}
