import Domain
import HTTPServer
import NIOCore
import Synchronization

/// What all streams of one address show.
final class LiveTopic: Sendable {
    typealias Read = @Sendable () async throws -> LiveState

    /// A state as streams are told it.
    struct Message: Sendable {
        let id: String
        /// The number of the read that it came from. Reads are numbered as they begin, so of two messages the one with
        /// the higher number is as new as the other one or newer.
        let number: UInt64
        let bytes: EventBytes
        /// Looks until a stream that was told it may be told another one.
        let ticks: UInt64
    }

    /// Guarded by ``state``.
    struct State {
        /// What all streams were told last, and what it was made of.
        var message: Message
        var parts: [LiveState.Part]
        var isCached: Bool
        /// The message of the newest read: that of a stream which was opened since then may be newer than ``message``.
        var newest: Message
        /// The event loops with streams that have begun, and how many these are.
        var loops: [ObjectIdentifier: (watchers: NIOLoopBound<LoopWatchers>, count: Int)] = [:]
        /// The first look at which it may be read again.
        var nextTick: UInt64 = 0
        /// What a player is told of itself is asked about by this.
        var version: Int64?
        /// The first look at which that is read again, whatever its version is.
        var anewTick: UInt64 = 0
        /// Whether it waits to be read, or is being read.
        var isQueued = false
        /// Whether no more will be told: it is final, or it is gone.
        var isOver = false
    }

    let key: String
    /// The token of whom it is about; nil for what everybody is told.
    let token: TokenHash?
    let read: Read
    let state: Mutex<State>

    init(
        _ key: String, _ state: LiveState, _ message: Message, of token: TokenHash?, at tick: UInt64,
        read: @escaping Read
    ) {
        self.key = key
        self.token = token
        self.read = read
        self.state = Mutex(
            State(
                message: message, parts: state.parts, isCached: state.isCached, newest: message,
                nextTick: tick &+ state.ticks, version: state.version, anewTick: tick &+ Limits.liveTicksOfOwnAnew))
    }

    /// Bytes that are kept for it: the event, and the documents in it.
    var bytesKept: Int { state.withLock { $0.newest.bytes.chunk.readableBytes * 2 } }

    /// The message of a state. Those who are told the same share its bytes.
    func message(of state: LiveState, number: UInt64) -> Message {
        let id = state.id
        let known = self.state.withLock { $0.newest }
        return Message(
            id: id, number: number, bytes: known.id == id ? known.bytes : EventBytes(state, id: id), ticks: state.ticks)
    }
}

/// What streams of one address show, as it was read at one time.
struct LiveState: Sendable {
    /// One event, with the document that it carries.
    struct Part: Sendable {
        let event: StaticString
        /// The document's key in the ``FeedCache``.
        let key: String
        /// Not compressed.
        let entity: Entity
    }

    /// At least one.
    let parts: [Part]
    /// Whether it cannot change any more.
    let isFinal: Bool
    /// Whether the ``FeedCache`` knows when it changes. Otherwise, only reading it again tells.
    let isCached: Bool
    /// The number of what a player is told of itself, which is another one when something has changed; see
    /// `Store.ownVersions`. It was read before ``parts``. Nil for what everybody is told.
    var version: Int64?

    /// The entity tags of all documents without quotes, with a dot between them.
    var id: String { parts.map { String($0.entity.etag.dropFirst().dropLast()) }.joined(separator: ".") }

    /// Looks between two events of a stream, so that none has more than four a second.
    var ticks: UInt64 {
        if isCached { return UInt64(parts.count) }
        return version == nil ? Limits.liveTicksWithSQL : Limits.liveTicksOfOwn
    }
}
