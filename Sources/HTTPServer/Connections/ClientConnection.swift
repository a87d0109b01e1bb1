import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The channel handler of a client's connection: it reports the channel's events to a state machine and carries out the
/// actions that the machine returns.
///
/// A handler that needs only memory runs to its end on the event loop. One that waits for the database suspends, and
/// its response is handed back to the event loop.
final class ClientConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The user event by which the server tells a connection to stop at once.
    struct Stop: Sendable {}

    private let responder: any RequestResponder
    private let peer: Peer
    private let date: DateHeader
    private let eventLoop: any EventLoop
    private let executor: EventLoopExecutor

    private var machine: ConnectionStateMachine
    private var context: ChannelHandlerContext?
    /// True while `advance` runs. An action may cause events, whose nested `advance` then leaves `next()` to the outer
    /// one.
    private var isAdvancing = false
    /// The task that responds to the current request; nil when it has finished or needed no suspension.
    private var task: Task<Void, Never>?
    /// The events that are sent; nil while none are.
    private var events: (any ResponseStream)?
    private var idleCheck: Scheduled<Void>?
    private var deadline: Scheduled<Void>?
    /// Set while the client does not read.
    private var readingCheck: Scheduled<Void>?
    private let meter: InputMeter
    /// What the client has not read, while it is more than the channel likes to hold.
    private var unread: MemoryShare
    /// Where the connection is counted; nil when it is not.
    private let openConnection: OpenConnection?
    /// What `openConnection` was told last.
    private var isIdle = true

    init(
        responder: any RequestResponder, date: DateHeader, peer: Peer, eventLoop: any EventLoop,
        openConnection: OpenConnection? = nil, meter: InputMeter
    ) {
        machine = ConnectionStateMachine(
            peer: peer, budget: openConnection?.input, clients: openConnection?.clients, at: .now())
        self.responder = responder
        self.peer = peer
        self.date = date
        self.eventLoop = eventLoop
        self.openConnection = openConnection
        unread = MemoryShare(of: openConnection?.input, for: .unread)
        self.meter = meter
        executor = EventLoopExecutor(eventLoop)
    }

    /// The parts that wait until they can be taken.
    var partsCount: Int { machine.partsCount }

    // MARK: - Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        checkIdle(in: ConnectionStateMachine.headTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        advance(machine.becameInactive(), context)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        advance(machine.becameInactive(), context)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if meter.isBusy { machine.waitForTurn() }
        let part = unwrapInboundIn(data)
        switch part {
        case .head: meter.countHead()
        case .body(let bytes): meter.count(pieces: 1, bytes: bytes.readableBytes)
        case .end: break
        }
        advance(machine.received(part, at: .now()), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        advance(machine.readCompleted(), context)
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        machine.writabilityChanged(to: context.channel.isWritable, at: .now())
        watchReading(context)
        advance(countUnread(context) ? nil : machine.giveUp(), context)
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) { if machine.requestedRead() { context.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: advance(machine.quiesce(), context)
        case ChannelEvent.inputClosed:
            machine.inputEnded()
            advance(nil, context)
        case is Stop: advance(machine.stop(), context)
        case is RequestParser.BlankRead: advance(machine.readCompleted(isBlank: true), context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is HTTPParserError: machine.failToParse()
        case is RequestParser.NoRoom: machine.failToHold()
        case is InputMeter.Flood: machine.failToKeepUp()
        default: return advance(machine.fail(), context)
        }
        advance(nil, context)
    }

    private func responded(with response: consuming Response) {
        task = nil
        let action = machine.responded(with: response, at: .now())
        guard let context else { return }
        advance(action, context)
    }

    /// All that one read has brought was reported.
    func turnEnded() { machine.turnEnded() }

    private func goOn() {
        machine.turnBegan()
        guard let context else { return }
        advance(nil, context)
    }

    private func deadlinePassed() {
        guard let context else { return }
        advance(machine.deadlinePassed(), context)
    }

    private func idleTimeElapsed() {
        guard let context else { return }
        advance(machine.idleTimeElapsed(at: .now()), context)
    }

    // MARK: - Actions

    /// Carries out an event's own action, and then every action that has become possible.
    private func advance(_ action: ConnectionStateMachine.Action?, _ context: ChannelHandlerContext) {
        let isNested = isAdvancing
        isAdvancing = true
        if let action { perform(action, context) }
        if isNested { return }
        while let action = machine.next() { perform(action, context) }
        isAdvancing = false
        if machine.isIdle != isIdle { noteIdleness() }
    }

    private func noteIdleness() {
        isIdle = machine.isIdle
        if isIdle { openConnection?.becameIdle() } else { openConnection?.becameBusy() }
    }

    private func perform(_ action: ConnectionStateMachine.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .sendContinue:
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        case .answer(let request):
            meter.tookRequest()
            answer(request)
        case .send(let response, let framing):
            write(response, framing, context)
            // A request that is answered within one event leaves no other trace in the order of idleness.
            if isIdle { openConnection?.becameIdle() }
        case .refuse(let request, let refusal, let framing):
            meter.tookRequest()
            let response = responder.refusal(of: request, refusal)
            write(response, machine.refused(with: response, framing), context)
        case .refuseUnread(let refusal, let framing):
            write(responder.refusalOfGarbage(refusal, from: peer), framing, context)
        case .beginEvents(let response, let framing): beginEvents(response, framing, context)
        case .sendEvent(let bytes): send(bytes, context)
        case .endEvents(let isChunked):
            endEvents()
            if isChunked { context.write(wrapOutboundOut(EventBytes.lastChunk), promise: nil) }
            close(context)
        case .flush: context.flush()
        case .rest: meter.rest { self.goOn() }
        case .read: context.read()
        case .close: close(context)
        case .abort:
            endEvents()
            context.close(promise: nil)
        case .cancelTask: task?.cancel()
        case .setDeadline(let time): setDeadline(in: time)
        case .clearDeadline:
            deadline?.cancel()
            deadline = nil
        case .checkIdle(let time): checkIdle(in: time)
        case .steerParser(let command): context.triggerUserOutboundEvent(command, promise: nil)
        case .release:
            unread.giveBackAll()
            task?.cancel()
            endEvents()
            idleCheck?.cancel()
            deadline?.cancel()
            readingCheck?.cancel()
        }
    }

    private func answer(_ request: Request) {
        let (responder, eventLoop) = (responder, eventLoop)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let task = Task.immediate(executorPreference: executor) {
            let response = await responder.respond(to: request)
            if eventLoop.inEventLoop {
                connection.value.responded(with: response)
            } else {
                eventLoop.execute { connection.value.responded(with: response) }
            }
        }
        if machine.isAnswering { self.task = task }
    }

    private func write(
        _ response: Response, _ framing: ConnectionStateMachine.Framing, _ context: ChannelHandlerContext
    ) {
        let hasBody = framing.includesBody && response.body.readableBytes > 0
        let isCopied = hasBody && response.body.readableBytes <= Self.copiedBytesMax
        var buffer = context.channel.allocator.buffer(
            capacity: Self.headBytesExpected + (isCopied ? response.body.readableBytes : 0))
        response.writeHead(to: &buffer, date: date.text, connection: framing.connection, for: peer)
        if isCopied { buffer.writeImmutableBuffer(response.body) }
        context.write(wrapOutboundOut(buffer), promise: nil)
        if hasBody, !isCopied { context.write(wrapOutboundOut(response.body), promise: nil) }
        if framing.persistence == .close { close(context) }
    }

    private func beginEvents(
        _ response: Response, _ framing: ConnectionStateMachine.Framing, _ context: ChannelHandlerContext
    ) {
        var response = response
        if !framing.isHTTP10 { response.headers[.transferEncoding] = "chunked" }
        var head = context.channel.allocator.buffer(capacity: Self.headBytesExpected)
        response.writeHead(to: &head, date: date.text, connection: framing.connection, for: peer)
        // What the stream begins with flushes it.
        context.write(wrapOutboundOut(head), promise: nil)
        events = response.events
        events?.begin(on: eventLoop, self)
    }

    private func send(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let sent = eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { [count = bytes.readableBytes] in
            self.machine.eventSent(bytes: count, at: .now())
            if self.machine.hasSentAll { self.events?.drained() }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
        // Idle connections make room before streams that go on.
        if isIdle { openConnection?.becameIdle() }
    }

    private func endEvents() {
        guard let events else { return }
        self.events = nil
        events.end(on: eventLoop)
    }

    /// Flushes, and closes once everything written has been sent.
    private func close(_ context: ChannelHandlerContext) {
        context.triggerUserOutboundEvent(RequestParser.Command.dropInput, promise: nil)
        let sent = eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
    }

    private func checkIdle(in time: TimeAmount) {
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        idleCheck = eventLoop.scheduleTask(in: time) { connection.value.idleTimeElapsed() }
    }

    /// - Returns: False if there is no room for what the client has not read.
    private func countUnread(_ context: ChannelHandlerContext) -> Bool {
        unread.giveBackAll()
        guard !context.channel.isWritable else { return true }
        return unread.take(bytes: (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
    }

    /// Checks later whether the client reads again. If it does not, it may have to go for others.
    private func watchReading(_ context: ChannelHandlerContext) {
        readingCheck?.cancel()
        readingCheck = nil
        guard !context.channel.isWritable else { return }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        readingCheck = eventLoop.scheduleTask(in: ConnectionStateMachine.stalledTime) {
            let connection = connection.value
            connection.machine.stalled()
            let isTight = connection.openConnection?.input.isTight ?? false
            connection.advanceStream(isTight ? connection.machine.giveUp() : nil)
        }
    }

    private func setDeadline(in time: TimeAmount) {
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        deadline = eventLoop.scheduleTask(in: time) { connection.value.deadlinePassed() }
    }

    fileprivate func advanceStream(_ action: ConnectionStateMachine.Action?) {
        guard let context else { return }
        advance(action, context)
    }

    /// Bytes of most heads.
    private static let headBytesExpected = 512
    /// Bytes of a body that is copied behind its head, which takes less time than the system needs to gather two
    /// buffers. A larger body is written as a buffer of its own, without a copy.
    private static let copiedBytesMax = 4_096
}

extension ClientConnection: EventSink {
    func receive(_ bytes: EventBytes) {
        guard let events else { return }
        let action = machine.published(bytes, at: .now())
        if case .abort = action { events.wasCut() }
        advanceStream(action)
    }

    func finish() { advanceStream(machine.eventsEnded()) }
    func fail() { advanceStream(machine.streamFailed()) }
}
