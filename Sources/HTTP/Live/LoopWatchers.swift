import Domain
import HTTPServer
import Synchronization

/// The streams of one event loop. It belongs to that event loop.
///
/// One call tells all of them what is new, and the events that they are told share their bytes. A stream is told at
/// most one state in each of its topic's intervals; what came meanwhile is told afterwards, the newest alone.
final class LoopWatchers {
    typealias StreamID = ObjectIdentifier
    typealias TopicID = ObjectIdentifier

    private final class Watcher {
        let stream: StreamID
        let topic: TopicID
        let sink: any EventSink
        let slot: Int
        var commentsCount = 0
        /// What it was told last, or knew before.
        var id: String
        var number: UInt64
        /// The first look at which it may be told more.
        var earliest: UInt64

        init(
            _ stream: StreamID, of topic: TopicID, _ sink: any EventSink, slot: Int, _ first: LiveTopic.Message,
            at tick: UInt64
        ) {
            (self.stream, self.topic, self.sink, self.slot) = (stream, topic, sink, slot)
            (id, number, earliest) = (first.id, first.number, tick &+ first.ticks)
        }
    }

    private struct Group {
        var watchers: [StreamID: Watcher] = [:]
        /// What the late ones are told.
        var message: LiveTopic.Message?
        /// Those that were told something else a moment ago.
        var late: [StreamID: Watcher] = [:]
    }

    private let counters: LiveCounters
    private var groups: [TopicID: Group] = [:]
    /// The groups with late streams.
    private var lateTopics: Set<TopicID> = []
    private var watchers: [StreamID: Watcher] = [:]
    /// The streams that get a comment at the same look.
    private var slots = [[StreamID: Watcher]](repeating: [:], count: Limits.liveTicksPerComment)

    init(_ counters: LiveCounters) { self.counters = counters }

    /// - Parameter isKnown: Whether the client has the state already.
    func add(
        _ stream: StreamID, of topic: LiveTopic, _ sink: any EventSink, _ first: LiveTopic.Message, isKnown: Bool,
        at tick: UInt64
    ) {
        let slot = Int(tick % UInt64(slots.count))
        let watcher = Watcher(stream, of: ObjectIdentifier(topic), sink, slot: slot, first, at: tick)
        watchers[stream] = watcher
        groups[watcher.topic, default: Group()].watchers[stream] = watcher
        slots[slot][stream] = watcher
        sink.receive(.opening)
        // The client may have gone with that.
        if isKnown || watchers[stream] == nil { return }
        counters.events.wrappingAdd(1, ordering: .relaxed)
        sink.receive(first.bytes)
    }

    func remove(_ stream: StreamID) {
        guard let watcher = watchers.removeValue(forKey: stream) else { return }
        slots[watcher.slot][stream] = nil
        groups[watcher.topic]?.watchers[stream] = nil
        groups[watcher.topic]?.late[stream] = nil
        guard let group = groups[watcher.topic], group.watchers.isEmpty else { return }
        groups[watcher.topic] = nil
        lateTopics.remove(watcher.topic)
    }

    /// Tells a topic's streams what is new.
    func tell(_ message: LiveTopic.Message, to topic: LiveTopic, at tick: UInt64, isLast: Bool) {
        let topic = ObjectIdentifier(topic)
        guard let group = groups[topic] else { return }
        groups[topic]?.message = message
        // Streams that end meanwhile change the group, and not this copy of it.
        var deliveredCount = 0
        for watcher in group.watchers.values {
            switch offer(message, to: watcher, at: tick, isLast: isLast) {
            case .delivered: deliveredCount += 1
            case .late:
                groups[topic]?.late[watcher.stream] = watcher
                lateTopics.insert(topic)
            case .known: break
            }
        }
        counters.events.wrappingAdd(deliveredCount, ordering: .relaxed)
        if isLast { finish(topic) }
    }

    /// Ends all streams of a topic that is gone.
    func finish(_ topic: LiveTopic) { finish(ObjectIdentifier(topic)) }

    /// Sends comments where they are due, ends what has been open for long, and tells the late ones what they wait for.
    func look(at tick: UInt64) {
        for watcher in slots[Int(tick % UInt64(slots.count))].values {
            watcher.commentsCount += 1
            if watcher.commentsCount < Limits.liveCommentsMax {
                watcher.sink.receive(.comment)
            } else {
                watcher.sink.finish()
            }
        }
        for topic in lateTopics {
            guard let group = groups[topic], let message = group.message else { continue }
            for watcher in group.late.values {
                let offered = offer(message, to: watcher, at: tick, isLast: false)
                if case .late = offered { continue }
                if case .delivered = offered { counters.events.wrappingAdd(1, ordering: .relaxed) }
                groups[topic]?.late[watcher.stream] = nil
            }
            if groups[topic]?.late.isEmpty ?? true { lateTopics.remove(topic) }
        }
    }

    private enum Offered { case delivered, late, known }

    private func offer(_ message: LiveTopic.Message, to watcher: Watcher, at tick: UInt64, isLast: Bool) -> Offered {
        // What it was told when it began may be newer than what all are told now.
        guard message.number > watcher.number, watchers[watcher.stream] != nil else { return .known }
        if message.id == watcher.id {
            watcher.number = message.number
            return .known
        }
        guard isLast || tick >= watcher.earliest else { return .late }
        (watcher.id, watcher.number, watcher.earliest) = (message.id, message.number, tick &+ message.ticks)
        watcher.sink.receive(message.bytes)
        return .delivered
    }

    private func finish(_ topic: TopicID) {
        for watcher in groups[topic]?.watchers.values ?? [:].values { watcher.sink.finish() }
    }
}
