import Domain
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Decides what one stream of an HTTP/2 connection does: it reads a request whole, waits for its turn, answers it, and
/// sends the response chunk by chunk as the client reads it. The machine performs no input or output, never waits and
/// reads no clock.
///
/// After each event the caller asks `next()` until it returns nil: it names, one by one, the actions that have become
/// possible.
struct StreamStateMachine {
    enum Action {
        /// Write `100 Continue`.
        case sendContinue
        /// Ask the connection for a turn, and report `began()` when it comes.
        case enqueue(Request)
        /// Make the response to a request that was refused before it had come whole, and report it.
        case refuse(Request, Refusal)
        case sendHead(Response, isLast: Bool)
        /// Write the head of an event stream, give the turn back, and subscribe to its events.
        case beginEvents(Response)
        /// Write bytes of the body. When `isReported`, report `chunkSent` once they have left.
        case sendChunk(ByteBuffer, isLast: Bool, isReported: Bool)
        case reset(HTTP2ErrorCode)
    }

    /// The progress of the stream's request and response.
    enum State {
        case idle
        case reading(Incoming)
        case whole(Request)
        case refused(Request, Refusal)
        /// The request waits until the connection answers fewer others.
        case waiting
        case answering
        case sending(Outgoing)
        /// The response is an event stream.
        case streaming(Streaming)
        /// The response is sent, and the client may still be sending.
        case sent
        case failed(HTTP2ErrorCode)
        case closed
    }

    struct Incoming {
        let head: HPACKHeaders
        var body = ByteBuffer()
        var asksToContinue: Bool
    }

    struct Outgoing {
        let response: Response
        var rest: ByteBuffer
        var isHeadSent = false
        var isChunkUnderWay = false
        /// Bytes of that chunk.
        var chunkBytes = 0
    }

    private let peer: Peer
    // The event streams' extension, which is another file, changes these as well.
    var state = State.idle
    var isInputEnded = false
    private var includesBody = true
    /// True when the server stops, so that an event stream ends as soon as it has begun.
    private var isStopping = false
    /// When the client must have sent its body, or read the chunk under way; nil while the server is to act.
    var deadline: NIODeadline?

    init(peer: Peer = .unknown) { self.peer = peer }
}

// MARK: - Events of the channel

extension StreamStateMachine {
    /// A head has come. A second one ends the body as trailers, whose fields mean nothing here.
    mutating func received(_ head: HPACKHeaders, isLast: Bool, at now: NIODeadline) {
        if isLast { isInputEnded = true }
        switch state {
        case .idle: begin(head, at: now)
        case .reading(let incoming): if isLast { complete(incoming) }
        default: break
        }
    }

    /// - Parameter refusal: Why these bytes must not be buffered; nil if they may.
    mutating func received(_ bytes: ByteBuffer, isLast: Bool, refusal: Refusal? = nil) {
        if isLast { isInputEnded = true }
        guard case .reading(var incoming) = state else { return }
        guard incoming.body.readableBytes + bytes.readableBytes <= Limits.bodyBytesMax else {
            return refuse(incoming, .tooLarge)
        }
        if let refusal { return refuse(incoming, refusal) }
        // A buffer that two variables share is copied when it grows.
        state = .idle
        if incoming.body.readableBytes == 0 { incoming.body = bytes } else { incoming.body.writeImmutableBuffer(bytes) }
        if isLast { complete(incoming) } else { state = .reading(incoming) }
    }

    mutating func chunkSent(at now: NIODeadline) {
        if case .streaming(var streaming) = state {
            state = .closed
            streaming.backlog.sent(bytes: streaming.chunkBytes ?? 0)
            streaming.chunkBytes = nil
            deadline = streaming.queue.isEmpty ? nil : now + Self.chunkTime
            state = .streaming(streaming)
            return
        }
        guard case .sending(var outgoing) = state else { return }
        outgoing.isChunkUnderWay = false
        outgoing.chunkBytes = 0
        state = outgoing.rest.readableBytes == 0 ? .sent : .sending(outgoing)
        deadline = now + Self.chunkTime
    }

    /// The head of the request whose body is still coming; nil if there is none. Whoever held the whole request while
    /// its body grows would have the body copied with every frame.
    var headOfIncoming: HPACKHeaders? { if case .reading(let incoming) = state { incoming.head } else { nil } }

    /// Refuses a request whose body is still arriving.
    mutating func refuseRest(_ refusal: Refusal) {
        if case .reading(let incoming) = state { refuse(incoming, refusal) }
    }

    mutating func closed() { end(as: .closed) }
}

// MARK: - Events of the connection, the task and the clock

extension StreamStateMachine {
    /// The connection answers the request now.
    mutating func began() { if case .waiting = state { state = .answering } }

    mutating func responded(with response: consuming Response, at now: NIODeadline) {
        guard case .answering = state else { return }
        if let events = response.events, includesBody {
            var streaming = Streaming(response: response, backlog: EventBacklog(of: events.budget))
            streaming.isEnding = isStopping && streaming.mayEndAnywhere
            state = .streaming(streaming)
            return
        }
        state = .sending(Outgoing(response: response, rest: includesBody ? response.body : ByteBuffer()))
        deadline = now + Self.chunkTime
    }

    mutating func checkDeadline(at now: NIODeadline) {
        guard let deadline, now >= deadline else { return }
        switch state {
        case .reading(let incoming): refuse(incoming, .tooSlow)
        case .sending, .streaming: fail(.cancel)
        default: break
        }
    }

    /// The server shuts down gracefully. Event streams end, and everything else goes on.
    mutating func quiesce() {
        isStopping = true
        if case .streaming(let streaming) = state, streaming.mayEndAnywhere { endEvents() }
    }

    /// The server stops at once. A request that is answered goes on to its response, and others end.
    mutating func stop() {
        isStopping = true
        switch state {
        case .streaming: fail(.cancel)
        case .answering, .sending, .sent, .failed, .closed: break
        case .idle, .reading, .whole, .refused, .waiting: fail(.refusedStream)
        }
    }
}

// MARK: - What follows

extension StreamStateMachine {
    /// The next action that has become possible; nil when only another event changes anything.
    mutating func next() -> Action? {
        switch state {
        case .reading(var incoming):
            guard incoming.asksToContinue else { return nil }
            incoming.asksToContinue = false
            state = .reading(incoming)
            return .sendContinue
        case .whole(let request):
            state = .waiting
            return .enqueue(request)
        case .refused(let request, let refusal):
            state = .answering
            return .refuse(request, refusal)
        case .sending(let outgoing): return send(outgoing)
        case .streaming(let streaming): return stream(streaming)
        case .sent:
            state = .closed
            deadline = nil
            // RFC 9113, section 8.1: the client is asked to send no more of a body that nobody reads.
            return isInputEnded ? nil : .reset(.noError)
        case .failed(let code):
            state = .closed
            return .reset(code)
        case .idle, .waiting, .answering, .closed: return nil
        }
    }

    private mutating func send(_ outgoing: consuming Outgoing) -> Action? {
        if !outgoing.isHeadSent {
            outgoing.isHeadSent = true
            let isLast = outgoing.rest.readableBytes == 0
            let response = outgoing.response
            state = isLast ? .sent : .sending(outgoing)
            return .sendHead(response, isLast: isLast)
        }
        guard !outgoing.isChunkUnderWay else { return nil }
        let count = min(Limits.streamChunkBytes, outgoing.rest.readableBytes)
        guard let chunk = outgoing.rest.readSlice(length: count) else { return nil }
        outgoing.isChunkUnderWay = true
        outgoing.chunkBytes = chunk.readableBytes
        let isLast = outgoing.rest.readableBytes == 0
        state = .sending(outgoing)
        // The last chunk closes the stream by itself, when the client has ended its side.
        return .sendChunk(chunk, isLast: isLast, isReported: !(isLast && isInputEnded))
    }

    private mutating func begin(_ head: HPACKHeaders, at now: NIODeadline) {
        // The bytes are compared: no limit of these texts has been checked yet.
        includesBody = !(head.first(name: ":method")?.utf8.elementsEqual("HEAD".utf8) ?? false)
        let asksToContinue = head.first(name: "expect")?.isEqual(toLowercased: "100-continue") ?? false
        let incoming = Incoming(head: head, asksToContinue: asksToContinue)
        if isInputEnded { return complete(incoming) }
        if let length = head.first(name: "content-length").flatMap(Int.init), length > Limits.bodyBytesMax {
            return refuse(incoming, .tooLarge)
        }
        state = .reading(incoming)
        deadline = now + .seconds(Limits.bodySecondsMax)
    }

    private mutating func complete(_ incoming: Incoming) {
        deadline = nil
        state = .whole(Request(incoming.head, body: incoming.body, peer: peer))
    }

    private mutating func refuse(_ incoming: Incoming, _ refusal: Refusal) {
        deadline = nil
        state = .refused(Request(incoming.head, body: ByteBuffer(), peer: peer), refusal)
    }

    mutating func fail(_ code: HTTP2ErrorCode) { end(as: .failed(code)) }

    mutating func end(as ended: State) {
        if case .streaming(var streaming) = state { streaming.backlog.clear() }
        state = ended
        deadline = nil
    }

    /// Bytes of the response that have not left.
    var unreadBytes: Int {
        if case .sending(let outgoing) = state { outgoing.rest.readableBytes + outgoing.chunkBytes } else { 0 }
    }

    /// Whether the client has read nothing of its response for ``Limits/stalledSeconds``.
    func isStalled(at now: NIODeadline) -> Bool {
        guard case .sending = state, let deadline else { return false }
        return now >= deadline - Self.chunkTime + .seconds(Limits.stalledSeconds)
    }

    static let chunkTime = TimeAmount.seconds(Limits.streamChunkSecondsMax)
}
