import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Decides what a client's connection does: it reads one request whole, answers it and writes the response before it
/// looks at the next one. The machine performs no input or output, never waits and reads no clock.
///
/// An event may return an action to carry out at once. After each event the caller asks `next()` until it returns nil:
/// it names, one by one, the actions that have become possible.
///
/// What a connection holds is bounded: the bytes that `RequestParser` has not parsed (`Limits.unparsedBytesMax`), the
/// parts of `Limits.parsedBytesMax` of them, one body (`Limits.bodyBytesMax`), and responses up to the channel's high
/// watermark and one more. Bodies and unparsed bytes of all connections together are bounded as well (`MemoryBudget`).
/// The next part is taken only when the response before it is written, and none is taken while the client does not
/// read.
struct ConnectionStateMachine {
    static let headTime = TimeAmount.seconds(Limits.headSecondsMax)
    static let bodyTime = TimeAmount.seconds(Limits.bodySecondsMax)
    static let idleTime = TimeAmount.seconds(Limits.idleSeconds)
    static let stalledTime = TimeAmount.seconds(Limits.stalledSeconds)

    let peer: Peer
    // The requests' extension, which is another file, changes these as well.
    var exchange = Exchange.idle
    var input = Input.open
    /// True from a read's first part to its completion.
    var isDelivering = false
    /// Parts that have not been taken yet. They are at most those of one read, as further reads are held.
    var parts = CircularBuffer<Part>()
    /// False while the client does not read its responses.
    var isWritable = true
    /// True when responses are written and not flushed. Those to the requests of one read are flushed together.
    var isFlushDue = false
    /// The room for the body of the current request. It is held until nobody has the body any more.
    var body: MemoryShare
    /// Finds the client of each request; nil if all requests have the same client.
    let clients: ForwardedClients?
    /// Requests that were taken in this turn of the event loop.
    var takenInTurn = 0
    /// True while other connections have their turns.
    var isResting = false
    private var flood: FloodCounter
    /// True when the client has read too little for ``Limits/stalledSeconds`` to be sent more.
    private var isStalled = false
    /// True when the server stops. A request that is answered goes on to its response, and an event stream ends.
    private(set) var isStopping = false
    /// False until the first head has come.
    private var hasBegun = false
    /// The offer of the head that was received last, of which the end has not come.
    private var upgrade = RequestHead.UpgradeOffer.absent
    private var lastActivity: NIODeadline

    var isAnswering: Bool { if case .answering = exchange { true } else { false } }
    var isStreaming: Bool { if case .streaming = exchange { true } else { false } }
    var partsCount: Int { parts.count }

    /// Whether no request is being answered and the client has read its responses, so that the connection may be closed
    /// to make room for another one. A request that is still arriving does not prevent that, and neither does a client
    /// that does not read. Nor does an event stream: its client reopens it and misses nothing.
    var isIdle: Bool {
        if case .streaming(let streaming) = exchange, streaming.mayEndAnywhere { return true }
        return isWritable ? !isAnswering && !isStreaming : isStalled
    }
    /// Whether everything of a stream that was handed over has left.
    var hasSentAll: Bool {
        if case .streaming(let streaming) = exchange { streaming.backlog.bytes == 0 } else { false }
    }

    /// - Parameters:
    ///   - budget: The room for the bodies of its requests; nil has no bound.
    ///   - clients: Finds the client of each request, whose budget its body then uses.
    ///   - now: When the connection was opened. `idleTimeElapsed` is to be reported `headTime` after it.
    init(peer: Peer = .unknown, budget: MemoryBudget? = nil, clients: ForwardedClients? = nil, at now: NIODeadline) {
        self.peer = peer
        self.clients = clients
        flood = FloodCounter(from: peer, isProxy: clients != nil)
        body = MemoryShare(of: budget, free: Limits.bodyBytesFree)
        lastActivity = now
    }
}

// MARK: - Events of the channel

extension ConnectionStateMachine {
    mutating func received(_ part: HTTPServerRequestPart, at now: NIODeadline) -> Action? {
        // Input after the last response is dropped.
        if case .closed = exchange { return nil }
        isDelivering = true
        lastActivity = now
        switch part {
        case .head(let head):
            let head = RequestHead(head)
            hasBegun = true
            upgrade = head.upgrade
            parts.append(.head(head))
        case .body(let bytes): parts.append(.body(bytes))
        case .end:
            parts.append(.end)
            switch upgrade {
            case .absent: break
            case .present: return .steerParser(.startAnew)
            case .unclear: return .steerParser(.dropInput)
            }
        }
        return nil
    }

    /// - Parameter isBlank: Whether the read brought nothing but empty lines, with which no head begins.
    mutating func readCompleted(isBlank: Bool = false) -> Action? {
        let broughtNoPart = !isDelivering
        isDelivering = false
        guard broughtNoPart, !isBlank, parts.isEmpty, case .idle = exchange else { return nil }
        exchange = .beginning
        return .setDeadline(in: Self.headTime)
    }

    /// Holds the read while parts wait, a request is answered, events are sent, the client does not read or others have
    /// their turns; `next()` asks for it later. The channel tells of a client that has closed its side without being
    /// asked to read.
    /// - Returns: Whether to read at once.
    mutating func requestedRead() -> Bool {
        if isWritable, !isAnswering, !isStreaming, !isTurnOver, parts.isEmpty { return true }
        if input == .open { input = .held }
        return false
    }

    mutating func writabilityChanged(to isWritable: Bool, at now: NIODeadline) {
        lastActivity = now
        self.isWritable = isWritable
        isStalled = false
    }

    /// The client has read too little for ``stalledTime``.
    mutating func stalled() { isStalled = !isWritable }

    /// All that one read has brought was reported, so the event loop goes on to its other connections.
    mutating func turnEnded() { if !isResting { takenInTurn = 0 } }

    /// Other connections of the client wait for their turns, so what comes now waits behind them.
    mutating func waitForTurn() { if takenInTurn == 0 { takenInTurn = Limits.answersInTurnMax } }

    /// Others had their turns.
    mutating func turnBegan() {
        isResting = false
        takenInTurn = 0
    }

    /// There is no room for what the client does not read.
    mutating func giveUp() -> Action {
        end()
        return .abort
    }

    /// The client has half-closed the connection: it sends no more, and may still read.
    mutating func inputEnded() { input = .ended }

    /// The server shuts down gracefully: this connection answers the request that it has begun, and takes no other.
    mutating func quiesce() -> Action? {
        switch exchange {
        case .idle, .beginning: return close()
        case .reading, .answering, .streaming, .skipping, .closed:
            isStopping = true
            makeLast()
            return nil
        }
    }

    /// The server stops at once: the running task is cancelled, and its response is the last one.
    mutating func stop() -> Action? {
        isStopping = true
        guard isAnswering else { return endStream() ?? fail() }
        makeLast()
        return .cancelTask
    }

    /// The parser has met bytes that are no HTTP. The requests before them are answered first.
    mutating func failToParse() {
        if case .closed = exchange { return }
        parts.append(.noHTTP)
    }

    /// There is no room for what the client has sent ahead, so it was dropped. The requests before it are answered
    /// first.
    mutating func failToHold() {
        if case .closed = exchange { return }
        parts.append(.dropped)
    }

    /// The client has sent too many small pieces of bodies.
    mutating func failToKeepUp() {
        if case .closed = exchange { return }
        parts.append(.tooSmall)
    }

    /// The channel has failed and is to be closed.
    mutating func fail() -> Action? { if case .closed = exchange { nil } else { endStream() ?? close() } }

    /// The channel is closed. Nobody is left to read the response that a running task would make.
    mutating func becameInactive() -> Action {
        end()
        return .release
    }
}

// MARK: - Events of an event stream

extension ConnectionStateMachine {
    /// There is something to send.
    /// - Returns: Nil when the connection streams no events; `abort` when the client is too far behind.
    mutating func published(_ event: EventBytes, at now: NIODeadline) -> Action? {
        guard case .streaming(var streaming) = exchange else { return nil }
        let bytes = streaming.isChunked ? event.chunk : event.plain
        // While nothing is on its way, a client does not fail to read.
        if streaming.backlog.bytes == 0 { lastActivity = now }
        guard streaming.backlog.add(bytes: bytes.readableBytes) else {
            end()
            return .abort
        }
        exchange = .streaming(streaming)
        return .sendEvent(bytes)
    }

    /// Bytes of events have left.
    mutating func eventSent(bytes count: Int, at now: NIODeadline) {
        guard case .streaming(var streaming) = exchange else { return }
        streaming.backlog.sent(bytes: count)
        exchange = .streaming(streaming)
        lastActivity = now
    }

    /// The stream has nothing more to tell.
    mutating func eventsEnded() -> Action? { endStream(isWhole: true) }

    /// The rest of the body cannot be sent.
    mutating func streamFailed() -> Action? { endStream() }
}

// MARK: - Events of the task and the timers

extension ConnectionStateMachine {
    /// The task has ended, also when the connection has been closed meanwhile.
    /// - Returns: Nil when it has.
    mutating func responded(with response: consuming Response, at now: NIODeadline) -> Action? {
        body.giveBackAll()
        guard case .answering(var framing) = exchange else { return nil }
        lastActivity = now
        if let events = response.events, framing.includesBody {
            framing.persistence = .close
            let backlog = EventBacklog(of: events.budget)
            exchange = .streaming(
                Streaming(isChunked: !framing.isHTTP10, mayEndAnywhere: events.mayEndAnywhere, backlog: backlog))
            isFlushDue = false
            return .beginEvents(response, framing)
        }
        if flood.isLast(response) { framing.persistence = .close }
        wrote(framing.persistence, then: .idle)
        return .send(response, framing)
    }

    /// The response was made to a request that was refused before it had come whole.
    /// - Returns: How it is written.
    mutating func refused(with response: Response, _ framing: Framing) -> Framing {
        guard flood.isLast(response), framing.persistence == .keepAlive else { return framing }
        var framing = framing
        framing.persistence = .close
        end()
        return framing
    }

    /// The head or the body has not come whole in its time.
    mutating func deadlinePassed() -> Action? {
        switch exchange {
        case .beginning:
            // The head may have come, and wait for the client to read.
            guard parts.isEmpty else {
                exchange = .idle
                return nil
            }
            return refuseUnread(.headTooSlow)
        case .reading(let incoming): return refuse(incoming, .tooSlow, then: .close)
        case .skipping: return close()
        case .idle, .answering, .streaming, .closed: return nil
        }
    }

    /// A response may take longer than a client may be silent, and so may the next event. A client that does not read
    /// what was sent to it is silent as well, and a closed connection is aborted because what is left to send would
    /// never be read. A new connection has less time, in which its first head must come.
    mutating func idleTimeElapsed(at now: NIODeadline) -> Action {
        if isAnswering { return .checkIdle(in: Self.idleTime) }
        if case .streaming(let streaming) = exchange, streaming.backlog.bytes == 0 {
            return .checkIdle(in: Self.idleTime)
        }
        let limit = hasBegun ? Self.idleTime : Self.headTime
        let quiet = now - lastActivity
        if quiet < limit { return .checkIdle(in: limit - quiet) }
        if !hasBegun, case .beginning = exchange { return refuseUnread(.headTooSlow) }
        return giveUp()
    }
}
