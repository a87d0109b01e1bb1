import Domain
import HTTPServer
import NIOCore
import Synchronization

/// A client's place among the open streams. It is free again when the stream has ended, or when nobody holds a stream
/// that never began, such as the answer to HEAD.
package final class EventStream: ResponseStream {
    private let hub: LiveHub
    private let topic: LiveTopic
    private let first: LiveTopic.Message
    /// What the client says that it has.
    private let lastEventID: String?
    private let place: LivePlace
    private let hasPlace = Atomic(true)

    init(_ hub: LiveHub, _ topic: LiveTopic, _ first: LiveTopic.Message, lastEventID: String?, at place: LivePlace) {
        (self.hub, self.topic, self.first) = (hub, topic, first)
        (self.lastEventID, self.place) = (lastEventID, place)
    }

    deinit { leave() }

    /// The room for what clients have not read, over all streams.
    var budget: BacklogBudget? { hub.backlogs }
    let mayEndAnywhere = true

    /// Sends the state, unless the client has it, and from then on every change. Call it once, on the event loop of the
    /// sink.
    func begin(on eventLoop: any EventLoop, _ sink: any EventSink) {
        let watchers = hub.watchers(on: eventLoop)
        let (latest, isOver) = topic.state.withLock { state in
            let count = state.loops[ObjectIdentifier(eventLoop)]?.count ?? 0
            state.loops[ObjectIdentifier(eventLoop)] = (watchers, count + 1)
            return (state.message, state.isOver)
        }
        // What comes after this is told on this event loop, so nothing is missed in between.
        let message = latest.number > first.number ? latest : first
        watchers.value.add(
            ObjectIdentifier(self), of: topic, sink, message, isKnown: message.id == lastEventID, at: hub.tick)
        if isOver { sink.finish() }
    }

    /// Nothing more is sent. Call it on the event loop of the sink; calls after the first one do nothing.
    func end(on eventLoop: any EventLoop) {
        guard leave() else { return }
        hub.watchers(on: eventLoop).value.remove(ObjectIdentifier(self))
        topic.state.withLock { state in
            let id = ObjectIdentifier(eventLoop)
            guard let (watchers, count) = state.loops[id] else { return }
            state.loops[id] = count > 1 ? (watchers, count - 1) : nil
        }
    }

    func drained() {}

    /// The client was too far behind, and the connection ends the stream for it.
    func wasCut() { hub.counters.cut.wrappingAdd(1, ordering: .relaxed) }

    /// - Returns: False when it has left already.
    @discardableResult private func leave() -> Bool {
        guard hasPlace.exchange(false, ordering: .acquiringAndReleasing) else { return false }
        hub.leave(topic, place)
        return true
    }
}

/// Whose place among the open streams one takes.
struct LivePlace {
    /// The client's address as it is counted; nil when its streams are not bounded.
    var address: IPAddress?
    /// The player whom the stream is about; nil for what everybody is told.
    var player: Player.ID?
}
