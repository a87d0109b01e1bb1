import Domain
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The channel handler of one stream of an HTTP/2 connection: it reports the stream's events to a state machine and
/// carries out the actions that the machine returns.
final class ClientStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: HTTP2Connection
    private var machine: StreamStateMachine
    private var context: ChannelHandlerContext?
    /// True while `advance` runs. An action may cause events, whose nested `advance` then leaves `next()` to the outer
    /// one.
    private var isAdvancing = false
    /// The request that waits for its turn.
    private var request: Request?
    /// The task that responds to the request; nil when it has ended or needed no suspension.
    private var task: Task<Void, Never>?
    private var turn = Turn.none
    /// Whether the client opened it after the last stream that GOAWAY named.
    private var isLate = false
    /// The events that are sent; nil while none are.
    private var events: (any ResponseStream)?
    /// Bytes of the body that the connection counts as held.
    private var bodyBytes = 0
    /// The body's share of its client's memory budget, if the connection is a proxy's.
    private var forwarded = MemoryShare(of: nil, free: Limits.bodyBytesFree)

    /// Bytes of the response that the connection counts as not read.
    private var unreadBytes = 0

    /// Whether this is one of the streams that the connection answers.
    private enum Turn {
        case none
        /// The task runs, also when the stream has closed meanwhile.
        case running
        /// The task has ended, and its response is on its way.
        case responding
    }

    private var now: NIODeadline { connection.eventLoop.now }

    init(_ connection: HTTP2Connection) {
        self.connection = connection
        machine = StreamStateMachine(peer: connection.peer)
    }

    // MARK: - Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let number = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        isLate = !connection.opened(self, as: number ?? .rootStream)
    }

    func handlerRemoved(context: ChannelHandlerContext) { close() }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let head):
            machine.received(head.headers, isLast: head.endStream, at: now)
            if isLate { machine.stop() }
        case .data(let data):
            // Each stream has this handler alone, and its frames hold buffers.
            guard case .byteBuffer(let bytes) = data.data else { return }
            receive(bytes, isLast: data.endStream)
        // NIO has acted on all others already.
        default: return
        }
        advance()
    }

    /// NIO closes the stream after an error.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    /// The connection's periodic look at its streams.
    func checkDeadline(at now: NIODeadline) {
        machine.checkDeadline(at: now)
        // A body that is still arriving makes the request slow.
        if let head = machine.headOfIncoming, !claimPlace(of: head) { machine.refuseRest(.tooManyConnections) }
        advance()
    }

    /// Whether the stream has a turn but its client reads nothing of the response.
    func isStalled(at now: NIODeadline) -> Bool { turn == .responding && machine.isStalled(at: now) }

    /// The client has read nothing for a while, and others need the room.
    func giveUp() {
        machine.fail(.cancel)
        advance()
    }

    /// The server shuts down gracefully.
    func quiesce() {
        machine.quiesce()
        advance()
    }

    func stop() {
        task?.cancel()
        machine.stop()
        advance()
    }

    private func receive(_ bytes: ByteBuffer, isLast: Bool) {
        guard let head = machine.headOfIncoming else { return machine.received(bytes, isLast: isLast) }
        machine.received(bytes, isLast: isLast, refusal: takeRoom(bytes: bytes.readableBytes, of: head))
    }

    /// - Returns: Why the body does not fit into the budget; nil if it does.
    private func takeRoom(bytes count: Int, of head: HPACKHeaders) -> Refusal? {
        guard connection.clients != nil else {
            guard connection.takeRoom(bytes: count) else { return .busy }
            bodyBytes += count
            return nil
        }
        if forwarded.needsRoom(bytes: count), !claimPlace(of: head) { return .tooManyConnections }
        return forwarded.take(bytes: count) ? nil : .busy
    }

    /// Counts the request as a connection of its client, if a proxy is in between.
    private func claimPlace(of head: HPACKHeaders) -> Bool {
        forwarded.claimPlace(
            connection.clients, headers: Request(head, body: ByteBuffer(), peer: connection.peer).headers)
    }

    private func close() {
        guard context != nil else { return }
        context = nil
        machine.closed()
        endEvents()
        request = nil
        task?.cancel()
        if unreadBytes > 0 { connection.freeUnread(bytes: unreadBytes) }
        unreadBytes = 0
        if turn == .responding { connection.ended() }
        if turn != .running { freeRoom() }
        connection.closed(self)
    }

    // MARK: - Actions

    private func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        repeat {
            while let context, let action = machine.next() { perform(action, context) }
        } while context != nil && !countUnread()
        isAdvancing = false
        // A client that sends the rest of a refused body is not charged for it.
        if case .closed = machine.state, turn != .running { freeRoom() }
        if events != nil, !machine.isStreaming { endEvents() }
    }

    /// Counts what the client has not read.
    /// - Returns: False if there was no room for it, so that the stream fails.
    private func countUnread() -> Bool {
        let bytes = machine.unreadBytes
        if bytes > unreadBytes, !connection.takeUnread(bytes: bytes - unreadBytes) {
            machine.fail(.enhanceYourCalm)
            return false
        }
        let freed = unreadBytes - bytes
        unreadBytes = bytes
        if freed > 0 { connection.freeUnread(bytes: freed) }
        return true
    }

    private func perform(_ action: StreamStateMachine.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .sendContinue: write(.headers(.init(headers: [":status": "100"])), context)
        case .enqueue(let request):
            self.request = request
            connection.enqueue(self)
        case .refuse(let request, let refusal):
            freeRoom()
            let response = connection.responder.refusal(of: request, refusal)
            machine.responded(with: response, at: now)
            connection.answered(with: response)
        case .sendHead(let response, let isLast):
            write(.headers(.init(headers: head(of: response), endStream: isLast)), context)
        case .beginEvents(let response): beginEvents(response, context)
        case .sendChunk(let bytes, let isLast, let isReported):
            let frame = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(bytes), endStream: isLast))
            write(frame, context, promise: isReported ? chunkPromise(context) : nil)
        case .reset(let code): write(.rstStream(code), context)
        }
    }

    private func head(of response: Response) -> HPACKHeaders {
        response.http2Head(date: connection.date.text, for: connection.peer)
    }

    /// A stream that tells events needs no turn any more: else a few of them would keep the connection from answering.
    private func beginEvents(_ response: Response, _ context: ChannelHandlerContext) {
        write(.headers(.init(headers: head(of: response))), context)
        if turn == .responding {
            turn = .none
            connection.ended()
        }
        // The client may have gone with that.
        guard self.context != nil else { return }
        events = response.events
        events?.begin(on: connection.eventLoop, self)
    }

    private func endEvents() {
        guard let events else { return }
        self.events = nil
        events.end(on: connection.eventLoop)
    }

    private func write(
        _ frame: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil
    ) { context.writeAndFlush(wrapOutboundOut(frame), promise: promise) }

    private func chunkPromise(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess {
            self.machine.chunkSent(at: self.now)
            self.advance()
            if self.machine.hasSentAll { self.events?.drained() }
        }
        return promise
    }

    /// The connection answers this stream now.
    func begin() {
        guard let request else { return }
        self.request = nil
        machine.began()
        turn = .running
        let (responder, eventLoop) = (connection.responder, connection.eventLoop)
        let stream = NIOLoopBound(self, eventLoop: eventLoop)
        let task = Task.immediate(executorPreference: connection.executor) {
            let response = await responder.respond(to: request)
            if eventLoop.inEventLoop {
                stream.value.responded(with: response)
            } else {
                eventLoop.execute { stream.value.responded(with: response) }
            }
        }
        if turn == .running { self.task = task }
    }

    private func responded(with response: consuming Response) {
        task = nil
        freeRoom()
        guard context != nil else {
            // The client has gone; only now is its turn over.
            turn = .none
            return connection.ended()
        }
        turn = .responding
        connection.answered(with: response)
        machine.responded(with: response, at: now)
        advance()
    }

    private func freeRoom() {
        connection.freeRoom(bytes: bodyBytes)
        bodyBytes = 0
        forwarded.giveBackAll()
    }
}

extension ClientStream: EventSink {
    func receive(_ bytes: EventBytes) {
        guard context != nil, let events else { return }
        if machine.published(bytes, at: connection.eventLoop.now) { connection.sentEvent() } else { events.wasCut() }
        advance()
    }

    func finish() {
        machine.endEvents()
        advance()
    }

    func fail() {
        machine.streamFailed()
        advance()
    }
}
