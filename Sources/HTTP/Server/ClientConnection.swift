import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1

/// A client's connection: one request at a time is read whole, answered and written before the next one is looked at.
/// What needs nothing but memory is answered at once, on the event loop; who waits for the database leaves it, and the
/// answer comes back to it.
final class ClientConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The server stops at once: whoever waits is told so.
    struct Stop: Sendable {}

    private enum State {
        /// Between two requests.
        case idle
        case reading(HTTPRequestHead)
        /// Nil for the moment in which the task begins.
        case answering(HTTPRequestHead, Task<Void, Never>?)
        /// It was answered before all of it had come.
        case skipping
        case closed
    }

    private let responder: Responder
    private let date: DateHeader
    private let eventLoop: any EventLoop
    private let executor: EventLoopExecutor

    private var context: ChannelHandlerContext?
    private var state = State.idle
    private var body = ByteBuffer()
    /// Parts that came while a request was being answered.
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    /// No further request is answered on this connection.
    private var isLast = false
    /// The client has sent all it will.
    private var hasEnded = false
    private var isPumping = false
    private var isInRead = false
    private var mustFlush = false
    private var isReadHeld = false
    private var movedAt = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?
    private var bodyDeadline: Scheduled<Void>?

    init(responder: Responder, date: DateHeader, eventLoop: any EventLoop) {
        self.responder = responder
        self.date = date
        self.eventLoop = eventLoop
        executor = EventLoopExecutor(eventLoop)
    }

    // MARK: - Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        checkIdle(in: Self.idle)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        forget()
    }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nobody reads what comes after the last answer, and nobody keeps it.
        if case .closed = state { return }
        isInRead = true
        movedAt = .now()
        waiting.append(unwrapInboundIn(data))
        pump(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isInRead = false
        flush(context)
        if isBodyDue, bodyDeadline == nil { setBodyDeadline() }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        movedAt = .now()
        pump(context)
        context.fireChannelWritabilityChanged()
    }

    /// While somebody waits for an answer, or does not read it, no more is taken from the client.
    func read(context: ChannelHandlerContext) {
        if case .answering = state {
            isReadHeld = true
        } else if !context.channel.isWritable {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isLast = true
            if case .idle = state { close() }
        case ChannelEvent.inputClosed:
            hasEnded = true
            pump(context)
        case is Stop:
            isLast = true
            if case .answering(_, let task) = state { task?.cancel() } else { close() }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return close() }
        switch state {
        case .reading(let head): refuse(head, .brokenBody)
        case .idle:
            write(Response(status: .badRequest), to: nil, closes: true)
            close()
        // The request that came before is still answered.
        case .answering: isLast = true
        case .skipping, .closed: close()
        }
    }

    // MARK: - A request

    /// Goes on with what has come, as far as that is possible now.
    private func pump(_ context: ChannelHandlerContext) {
        guard !isPumping else { return }
        isPumping = true
        while mayGoOn(context), let part = waiting.popFirst() { take(part) }
        isPumping = false
        if !isInRead { flush(context) }
        guard mayGoOn(context), waiting.isEmpty else { return }
        if hasEnded { return close() }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    private func mayGoOn(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .answering, .closed: false
        case .idle, .reading, .skipping: context.channel.isWritable
        }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch (part, state) {
        case (.head(let head), .idle):
            guard !isLast else { return close() }
            state = .reading(head)
            if let length = head.headers.first(name: "content-length").flatMap(Int.init), length > Limits.bodyBytesMax {
                refuse(head, .tooLarge)
            } else if head.version == .http1_1, head.headers.first(name: "expect")?.lowercased() == "100-continue" {
                context?.writeAndFlush(
                    wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")),
                    promise: nil
                )
            }
        case (.body(var bytes), .reading(let head)):
            guard body.readableBytes + bytes.readableBytes <= Limits.bodyBytesMax else {
                return refuse(head, .tooLarge)
            }
            if body.readableBytes == 0 { body = bytes } else { body.writeBuffer(&bytes) }
        case (.end, .reading(let head)): answer(head)
        case (.end, .skipping):
            endBody()
            state = .idle
            if isLast { close() }
        // The rest of what was answered already; the parser sends nothing else out of order.
        case (.body, _), (.head, _), (.end, _): break
        }
    }

    private func answer(_ head: HTTPRequestHead) {
        let request = request(head)
        endBody()
        state = .answering(head, nil)
        let (responder, eventLoop) = (responder, eventLoop)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let task = Task.immediate(executorPreference: executor) {
            let response = await responder.respond(to: request)
            if eventLoop.inEventLoop {
                connection.value.finish(response)
            } else {
                eventLoop.execute { connection.value.finish(response) }
            }
        }
        if case .answering(let head, nil) = state { state = .answering(head, task) }
    }

    private func finish(_ response: Response) {
        guard let context, case .answering(let head, _) = state else { return }
        isLast = isLast || !head.isKeepAlive
        movedAt = .now()
        state = .idle
        write(response, to: head, closes: isLast)
        if isLast { close() } else { pump(context) }
    }

    /// Answers before the request has come whole.
    private func refuse(_ head: HTTPRequestHead, _ problem: Problem) {
        // One whose body never comes, or comes broken, has no next request.
        isLast = isLast || !head.isKeepAlive || problem == .tooSlow || problem == .brokenBody
        write(responder.refusal(of: request(head), problem), to: head, closes: isLast)
        state = .skipping
        body = ByteBuffer()
        if isLast { close() }
    }

    private func request(_ head: HTTPRequestHead) -> Request {
        Request(
            method: HTTPRequest.Method(head.method.rawValue) ?? .connect,
            target: head.uri,
            headers: RequestHeaders(head.headers),
            body: body
        )
    }

    // MARK: - The socket

    private func write(_ response: Response, to head: HTTPRequestHead?, closes: Bool) {
        guard let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: 512)
        response.writeHead(to: &buffer, date: date.text, closes: closes)
        let hasBody = head?.method != .HEAD && response.body.readableBytes > 0
        if hasBody, response.body.readableBytes <= Self.copiedBytesMax { buffer.writeImmutableBuffer(response.body) }
        context.write(wrapOutboundOut(buffer), promise: nil)
        if hasBody, response.body.readableBytes > Self.copiedBytesMax {
            context.write(wrapOutboundOut(response.body), promise: nil)
        }
        mustFlush = true
    }

    private func flush(_ context: ChannelHandlerContext) {
        guard mustFlush else { return }
        mustFlush = false
        context.flush()
    }

    /// Sends what is written, and no more.
    private func close() {
        guard let context else { return }
        state = .closed
        let sent = eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
    }

    private func forget() {
        state = .closed
        waiting.removeAll()
        idleCheck?.cancel()
        endBody()
    }

    // MARK: - Time

    private func checkIdle(in time: TimeAmount) {
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        idleCheck = eventLoop.scheduleTask(in: time) { connection.value.endIfIdle() }
    }

    private func endIfIdle() {
        let quiet = NIODeadline.now() - movedAt
        if case .answering = state { return checkIdle(in: Self.idle) }
        if quiet < Self.idle { return checkIdle(in: Self.idle - quiet) }
        // Whoever does not read will not read this either.
        state = .closed
        context?.close(promise: nil)
    }

    private var isBodyDue: Bool {
        switch state {
        case .reading, .skipping: true
        case .idle, .answering, .closed: false
        }
    }

    private func setBodyDeadline() {
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        bodyDeadline = eventLoop.scheduleTask(in: .seconds(Limits.bodySecondsMax)) { connection.value.endSlowBody() }
    }

    private func endSlowBody() {
        if case .reading(let head) = state { refuse(head, .tooSlow) } else if isBodyDue { close() }
    }

    private func endBody() {
        body = ByteBuffer()
        bodyDeadline?.cancel()
        bodyDeadline = nil
    }

    private static let idle = TimeAmount.seconds(Limits.idleSeconds)
    /// A larger body is sent from where it lies.
    private static let copiedBytesMax = 1_024
}

extension Problem {
    static let brokenBody = Problem(
        .malformed,
        "The body ended early, or its length or chunks are not what the head says. Send it whole."
    )
    static let tooSlow = Problem(.tooSlow, "The body took longer than \(Limits.bodySecondsMax) s. Send it in one go.")
    static let tooLarge = Problem(
        .tooLarge,
        "The body is larger than \(Limits.bodyBytesMax / 1024) KiB. Send less, such as a smaller picture."
    )
}
