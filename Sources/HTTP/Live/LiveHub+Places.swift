import Domain
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
        _ key: String,
        _ now: LiveState,
        number: UInt64,
        lastEventID: String?,
        at place: LivePlace,
        of token: TokenHash? = nil,
        read: @escaping LiveTopic.Read
    ) throws(Problem) -> EventStream {
        let known = state.withLock { $0.topics[key]?.topic }
        // It is written before the lock is taken, and for nothing when a place is refused.
        let message = known?.message(of: now, number: number) ?? Self.message(of: now, number: number)
        let opened = state.withLock { state -> Result<LiveTopic, Problem> in
            guard state.streamsCount < bounds.streamsMax else { return .failure(.tooManyStreams) }
            if let address = place.address, state.ofAddress[address, default: 0] >= bounds.ofAddressMax {
                return .failure(Problem(.streamsOfAddress))
            }
            if let player = place.player, state.ofPlayer[player, default: 0] >= bounds.ofPlayerMax {
                return .failure(Problem(.streamsOfPlayer))
            }
            let topic: LiveTopic
            if let (known, count) = state.topics[key] {
                topic = known
                state.topics[key] = (known, count + 1)
            } else {
                guard state.statesBytes <= bounds.statesBytesMax else { return .failure(.tooManyStreams) }
                topic = LiveTopic(key, now, message, of: token, at: tick, read: read)
                state.topics[key] = (topic, 1)
                state.statesBytes += topic.bytesKept
            }
            state.streamsCount += 1
            if let address = place.address { state.ofAddress[address, default: 0] += 1 }
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
            if let address = place.address, let count = state.ofAddress[address] {
                state.ofAddress[address] = count > 1 ? count - 1 : nil
            }
            if let player = place.player, let count = state.ofPlayer[player] {
                state.ofPlayer[player] = count > 1 ? count - 1 : nil
            }
            guard let (known, count) = state.topics[topic.key], known === topic else { return }
            state.topics[topic.key] = count > 1 ? (topic, count - 1) : nil
            if count == 1 { state.statesBytes -= topic.bytesKept }
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
