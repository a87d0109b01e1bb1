import Domain
import NIOCore
import NIOHTTP2

/// The channel handler of an HTTP/2 connection, behind NIO's: it gives its streams their turns and their room, looks
/// at their deadlines, and ends the connection.
///
/// What a client can make one connection hold at most:
///
/// - 512 KiB of request bodies (`Limits.streamBodiesBytesMax`), within what all connections hold together
///   (`inputBytesMax`). Behind a trusted proxy a stream's body counts for the client of that stream instead;
/// - 100 heads of 16 KiB (`streamsMax`, `streamHeadBytesMax`), and what it sent with the last read (`FrameGate`);
/// - 256 KiB of responses (`unreadBytesOfConnectionMax`) and up to 16 more (`streamsAnsweredMax`), of which the large
///   ones are mostly shared with the feed cache, within what clients of all connections have not read
///   (`inputBytesMax`);
/// - 1,024 control frames (`bufferedControlFramesMax`), and compression tables of 4 KiB.
///
/// Without responses these are less than 4 MiB. A response that the client does not read is let go after 30 s.
final class HTTP2Connection: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let responder: any RequestResponder
    let date: DateHeader
    let peer: Peer
    let eventLoop: any EventLoop
    let executor: EventLoopExecutor

    /// Where the connection is counted; nil when it is not.
    private let openConnection: OpenConnection?
    private var lifetime: ConnectionLifetime
    private var admission: StreamAdmission<ObjectIdentifier>
    private var streams: [ObjectIdentifier: ClientStream] = [:]
    private var context: ChannelHandlerContext?
    private var check: Scheduled<Void>?
    private var isWritable = true
    /// Whether the client had read nothing for ``Limits/stalledSeconds`` at the last check.
    private var isStalled = false
    /// What `openConnection` was told last.
    private var isIdle = true
    /// True while turns are given. A stream that is answered at once asks for the next turn meanwhile.
    private var isGivingTurns = false
    /// True while other connections have their turns.
    private var isResting = false
    /// Requests that were begun in this turn of the event loop.
    private var begunInTurn = 0
    /// Whether the next bytes are read when this connection goes on.
    private var isReadHeld = false
    private let meter: InputMeter
    /// What the client has not read of its responses. One chunk is free, so that most responses never ask for room.
    private var unread: MemoryShare
    private var flood: FloodCounter
    /// What the PING carries that the client acknowledges with the announcement.
    private let announcement = HTTP2PingData(withInteger: 0x0060_A1A7)

    init(
        responder: any RequestResponder, date: DateHeader, peer: Peer, eventLoop: any EventLoop,
        openConnection: OpenConnection? = nil, meter: InputMeter
    ) {
        self.meter = meter
        unread = MemoryShare(of: openConnection?.input, free: Limits.streamChunkBytes, for: .unread)
        flood = FloodCounter(from: peer, isProxy: openConnection?.clients != nil)
        self.openConnection = openConnection
        admission = StreamAdmission(budget: openConnection?.input)
        self.responder = responder
        self.date = date
        self.peer = peer
        self.eventLoop = eventLoop
        executor = EventLoopExecutor(eventLoop)
        lifetime = ConnectionLifetime(at: eventLoop.now)
    }

    /// Bytes of request bodies that are held now.
    var bodiesBytes: Int { admission.bodiesBytes }
    /// Finds the client of each stream; nil if all streams have the same client.
    var clients: ForwardedClients? { openConnection?.clients }
    var answeredCount: Int { admission.answeredCount }
    var streamsCount: Int { streams.count }

    // MARK: - Events of the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleCheck(in: .seconds(Limits.streamCheckSeconds))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        check?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        context.fireChannelInactive()
    }

    /// Frames of the connection itself; NIO has acted on them already.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(announcement, ack: true) = unwrapInboundIn(data).payload {
            perform(lifetime.announcementAcknowledged())
        }
    }

    /// The event loop goes on to its other connections.
    func channelReadComplete(context: ChannelHandlerContext) {
        if !isResting { begunInTurn = 0 }
        context.fireChannelReadComplete()
    }

    /// A resting connection reads nothing, because opening streams costs as much as answering them.
    func read(context: ChannelHandlerContext) { if isResting { isReadHeld = true } else { context.read() } }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        isStalled = false
        lifetime.writabilityChanged(to: isWritable, at: eventLoop.now)
        noteIdleness()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            for stream in streams.values { stream.quiesce() }
            perform(lifetime.quiesce(at: eventLoop.now))
            scheduleCheck(in: .seconds(Limits.goAwaySeconds))
        case ChannelEvent.inputClosed:
            // A client that has ended its side hardly waits for events.
            for stream in streams.values { stream.quiesce() }
            perform(lifetime.inputEnded())
        case is ClientConnection.Stop:
            for stream in streams.values { stream.stop() }
            perform(lifetime.inputEnded())
        case is InputMeter.Flood:
            write(.goAway(lastStreamID: .maxID, errorCode: .enhanceYourCalm, opaqueData: nil), context)
            context.flush()
            perform(.close)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// NIO has told the client what it did wrong. `GoAwayWatch` closes the connection when that was its end.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    // MARK: - Streams

    /// - Returns: Whether the stream may be answered. After the announced last one none is.
    func opened(_ stream: ClientStream, as number: HTTP2StreamID) -> Bool {
        streams[ObjectIdentifier(stream)] = stream
        return lifetime.streamOpened(number, at: eventLoop.now)
    }

    /// A stream has its response.
    func answered(with response: Response) {
        guard flood.isLast(response) else { return }
        for stream in streams.values { stream.quiesce() }
        perform(lifetime.leave())
    }

    func closed(_ stream: ClientStream) {
        guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
        admission.withdraw(ObjectIdentifier(stream))
        perform(lifetime.streamClosed(at: eventLoop.now))
    }

    func takeRoom(bytes count: Int) -> Bool { admission.takeRoom(bytes: count) }

    func freeRoom(bytes count: Int) { admission.freeRoom(bytes: count) }

    /// Bytes of responses that the client has not read.
    var unreadBytes: Int { unread.bytes }

    /// - Returns: False if there is no room for so many more bytes of a response.
    func takeUnread(bytes count: Int) -> Bool { unread.take(bytes: count) }

    func freeUnread(bytes count: Int) {
        unread.giveBack(bytes: count)
        giveTurns()
    }

    func enqueue(_ stream: ClientStream) {
        admission.enqueue(ObjectIdentifier(stream))
        if begunInTurn == 0, meter.isBusy { begunInTurn = Limits.answersInTurnMax }
        giveTurns()
    }

    /// A stream that was answered has let go of everything.
    func ended() {
        admission.ended()
        giveTurns()
        noteIdleness()
    }

    /// Idle connections make room before those with event streams that go on.
    func sentEvent() { if isIdle { openConnection?.becameIdle() } }

    private func giveTurns() {
        guard !isGivingTurns, !isResting else { return }
        isGivingTurns = true
        while begunInTurn < Limits.answersInTurnMax, unread.bytes < Limits.unreadBytesOfConnectionMax,
            let stream = admission.next()
        {
            begunInTurn += 1
            meter.tookRequest()
            noteIdleness()
            if let stream = streams[stream] { stream.begin() } else { admission.ended() }
        }
        isGivingTurns = false
        noteIdleness()
        guard begunInTurn >= Limits.answersInTurnMax, context != nil else { return }
        isResting = true
        meter.rest { self.goOn() }
    }

    private func goOn() {
        (isResting, begunInTurn) = (false, 0)
        giveTurns()
        guard isReadHeld, !isResting else { return }
        isReadHeld = false
        context?.read()
    }

    /// The connection may be closed to make room for another one while it answers no stream and its client reads what
    /// was sent, or when it has read nothing for a while. Streams with unfinished requests block nobody.
    private func noteIdleness() {
        let isIdle = isStalled || isWritable && admission.answeredCount == 0
        if isIdle == self.isIdle { return }
        self.isIdle = isIdle
        if isIdle { openConnection?.becameIdle() } else { openConnection?.becameBusy() }
    }

    // MARK: - The end

    private func scheduleCheck(in time: TimeAmount) {
        check?.cancel()
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        check = eventLoop.scheduleTask(in: time) { connection.value.checkDeadlines() }
    }

    private func checkDeadlines() {
        let now = eventLoop.now
        for stream in streams.values { stream.checkDeadline(at: now) }
        if openConnection?.input.isTight ?? false {
            for stream in streams.values where stream.isStalled(at: now) { stream.giveUp() }
        }
        let stalledCount = streams.values.count { $0.isStalled(at: now) }
        isStalled = lifetime.isStalled(at: now) || stalledCount > 0 && stalledCount == admission.answeredCount
        noteIdleness()
        perform(lifetime.check(at: now))
        if context != nil { scheduleCheck(in: .seconds(Limits.streamCheckSeconds)) }
    }

    private func perform(_ action: ConnectionLifetime.Action?) {
        guard let context else { return }
        switch action {
        case .announce:
            write(.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil), context)
            write(.ping(announcement, ack: false), context)
            context.flush()
        case .goAway(let last):
            write(.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil), context)
            context.flush()
            perform(lifetime.check(at: eventLoop.now))
        // NIO flushes the frame that closed the last stream after it has reported that.
        case .close:
            let channel = context.channel
            eventLoop.execute { channel.close(promise: nil) }
        case .abort: context.close(promise: nil)
        case nil: break
        }
    }

    private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }
}

/// Closes an HTTP/2 connection on which NIO has reported an error of the whole connection. NIO says GOAWAY then and
/// leaves the rest to others; the error that it fires looks like that of a stream, after which a connection goes on.
/// This handler stands before NIO's and sees the frame.
final class GoAwayWatch: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var hasFailed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data), Self.saysError(bytes) { hasFailed = true }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard hasFailed else { return }
        hasFailed = false
        // NIO is in the middle of an event, during which it does not expect to be closed.
        context.eventLoop.execute { [channel = context.channel] in channel.close(promise: nil) }
    }

    /// Whether the bytes are a GOAWAY frame with an error (RFC 9113, section 6.8). NIO writes the head of each frame,
    /// and of each one but DATA the payload too, as a buffer of its own. A response whose bytes look just like it
    /// would close the connection as well, which harms nobody but the client that asked for it.
    static func saysError(_ bytes: ByteBuffer) -> Bool {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= 17, let head = bytes.getInteger(at: start, as: UInt32.self),
            let stream = bytes.getInteger(at: start + 5, as: UInt32.self)
        else { return false }
        guard head & 0xFF == 7, stream == 0, Int(head >> 8) == bytes.readableBytes - 9 else { return false }
        return bytes.getInteger(at: start + 13, as: UInt32.self) != 0
    }
}
