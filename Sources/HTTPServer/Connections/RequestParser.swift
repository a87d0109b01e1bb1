import Domain
import NIOCore
import NIOHTTP1

/// The channel handler that makes the parts of requests of a client's bytes, with NIO's HTTP/1.1 parser.
///
/// It gives the parser few bytes at a time, and the next ones when the connection asks to read again. So a client that
/// sends many small requests at once has its bytes held and not their parts, which take many times the room. It reads
/// from the client only when all bytes are parsed.
final class RequestParser: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The outbound user events by which the connection steers its parser.
    enum Command: Sendable {
        /// The request that has just ended offered another protocol, which is ignored. NIO's parser has stopped, so a
        /// new one goes on with the next byte.
        case startAnew
        /// Nothing that follows is of interest.
        case dropInput
    }

    /// The inbound user event in place of a complete read that brought nothing but empty lines. Between two requests
    /// they mean nothing (RFC 9112, section 2.2): no head has begun.
    struct BlankRead: Sendable {}

    /// The error when there is no room for what the client has sent ahead.
    struct NoRoom: Error {}

    private var decoder = RequestParser.newDecoder()
    /// The bytes that the decoder has not consumed.
    private var input = ByteBuffer()
    /// How many of them the decoder has seen: the beginning of a line that has not come whole.
    private var seenBytes = 0
    /// How many more bytes the decoder is given before the connection asks to read again.
    private var budgetBytes = Limits.parsedBytesMax
    private var isParsing = false
    private var isReadWanted = false
    private var startsAnew = false
    private var dropsInput = false
    /// True after bytes of a read, until the read is complete.
    private var hasNewBytes = false
    /// True while nothing but CR and LF has been parsed since the last report of a read.
    private var isBlank = true
    /// True when the client sends no more.
    private var isInputEnded = false
    /// True when bytes had to be dropped because too many waited.
    private var hasOverflown = false

    private let meter: InputMeter?
    /// True while other connections have their turns. Nothing is parsed meanwhile.
    private var isResting = false
    private var context: ChannelHandlerContext?

    /// Called when all that one read has brought was reported.
    var readEnded: () -> Void = {}

    /// What the held bytes take of the room of all connections.
    private var share: MemoryShare

    /// - Parameters:
    ///   - budget: The room for what clients have sent; nil has no bound.
    ///   - meter: Counts what the input costs; nil does not.
    init(budget: MemoryBudget? = nil, meter: InputMeter? = nil) {
        share = MemoryShare(of: budget)
        self.meter = meter
    }

    /// The bytes that are held, those of an incomplete line included.
    var heldBytes: Int { input.readableBytes }

    private var hasUnparsedBytes: Bool { input.readableBytes > seenBytes }

    private static func newDecoder() -> HTTPRequestDecoder {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Limits.headBytesMax
        limits.maxHeaderListSize = Limits.headBytesMax
        return HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop, limitConfiguration: limits)
    }

    // MARK: - Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        decoder.decoderAdded(context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        dropInput()
        decoder.decoderRemoved(context: context)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if dropsInput { return }
        var bytes = unwrapInboundIn(data)
        hasNewBytes = true
        let mustWait = isParsing || isResting || hasUnparsedBytes || budgetBytes == 0 || mustRest
        hold(&bytes)
        if !mustWait { parse(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A read that brought no bytes, such as one of TLS alone, is none for the connection.
        guard hasNewBytes else { return }
        hasNewBytes = false
        reportRead(context)
        if hasUnparsedBytes { context.pipeline.syncOperations.read() }
        settle(context)
        readEnded()
    }

    /// Parses what is held, and reads from the client when nothing is.
    func read(context: ChannelHandlerContext) {
        budgetBytes = Limits.parsedBytesMax
        guard hasUnparsedBytes || isResting || mustRest else { return context.read() }
        isReadWanted = true
        if isParsing { return }
        if hasUnparsedBytes { parseHeld(context) } else { rest() }
    }

    /// Parses what is held, as long as the connection asks for more and its client has not had its share.
    private func parseHeld(_ context: ChannelHandlerContext, hasTurn: Bool = false) {
        var hasTurn = hasTurn
        while isReadWanted, hasUnparsedBytes, !isResting {
            if mustRest, !hasTurn {
                rest()
                break
            }
            hasTurn = false
            isReadWanted = false
            parse(context)
            reportRead(context)
            context.pipeline.syncOperations.read()
        }
        if !isResting { isReadWanted = false }
        settle(context)
        endInput(context)
    }

    private var mustRest: Bool { meter?.hasHadShare ?? false }

    private func rest() {
        guard let meter, !isResting else { return }
        isResting = true
        meter.rest { self.goOn() }
    }

    /// Others had their turns.
    private func goOn() {
        isResting = false
        guard let context else { return }
        if hasUnparsedBytes { return parseHeld(context, hasTurn: true) }
        guard isReadWanted else { return }
        isReadWanted = false
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        isInputEnded = true
        if hasUnparsedBytes { context.pipeline.syncOperations.read() }
        endInput(context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event as? Command {
        case .startAnew:
            startsAnew = true
            promise?.succeed()
        case .dropInput:
            dropInput()
            promise?.succeed()
        case nil: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        dropInput()
        context.fireChannelInactive()
    }

    // MARK: - Bytes

    /// Keeps bytes until they are parsed. The system may deliver everything that a client has sent before it ended its
    /// input, also while nothing is read; what is too much of it is dropped and makes the connection fail.
    private func hold(_ bytes: inout ByteBuffer) {
        if hasOverflown { return }
        guard input.readableBytes + bytes.readableBytes <= Limits.unparsedBytesMax else {
            hasOverflown = true
            return
        }
        guard input.readableBytes > 0 else { return input = bytes }
        input.discardReadBytes()
        input.writeBuffer(&bytes)
    }

    /// Gives the decoder the next bytes, whose parts it passes on.
    private func parse(_ context: ChannelHandlerContext) {
        guard
            var bytes = input.getSlice(at: input.readerIndex, length: min(input.readableBytes, seenBytes + budgetBytes))
        else { return }
        let count = bytes.readableBytes
        budgetBytes -= count - seenBytes
        isBlank = isBlank && bytes.readableBytesView.dropFirst(seenBytes).allSatisfy { $0 == 0x0D || $0 == 0x0A }
        isParsing = true
        do {
            // It fires the parts itself, and consumes what it does not need to see again.
            _ = try decoder.decode(context: context, buffer: &bytes)
        } catch { fail(error, context) }
        isParsing = false
        if dropsInput { return }
        if meter?.isFlooded() ?? false { return fail(InputMeter.Flood(), context) }
        seenBytes = bytes.readableBytes
        input.moveReaderIndex(forwardBy: count - seenBytes)
        if input.readableBytes == 0 { input = ByteBuffer() }
        if startsAnew {
            startsAnew = false
            decoder.decoderRemoved(context: context)
            decoder = Self.newDecoder()
            decoder.decoderAdded(context: context)
            seenBytes = 0
        }
        // A decoder that has stopped consumes nothing.
        if seenBytes > Limits.headBytesMax { fail(HTTPParserError.headerOverflow, context) }
    }

    private func reportRead(_ context: ChannelHandlerContext) {
        if isBlank { return context.fireUserInboundEventTriggered(BlankRead()) }
        isBlank = true
        context.fireChannelReadComplete()
    }

    /// Counts the bytes that wait, at the end of an event. Those that are parsed within one cost nothing.
    private func settle(_ context: ChannelHandlerContext) {
        let bytes = max(0, input.readableBytes - Limits.unparsedBytesFree)
        if bytes < share.bytes {
            share.giveBack(bytes: share.bytes - bytes)
        } else if bytes > share.bytes, !share.take(bytes: bytes - share.bytes) {
            fail(NoRoom(), context)
        }
    }

    /// Reports that the client sends no more, once everything that it sent has been parsed.
    private func endInput(_ context: ChannelHandlerContext) {
        guard isInputEnded, !isParsing, !hasUnparsedBytes else { return }
        isInputEnded = false
        if !dropsInput {
            isParsing = true
            do {
                if hasOverflown { throw HTTPParserError.headerOverflow }
                var rest = input
                _ = try decoder.decodeLast(context: context, buffer: &rest, seenEOF: true)
            } catch { fail(error, context) }
            isParsing = false
        }
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        if dropsInput { return }
        dropInput()
        context.fireErrorCaught(error)
    }

    private func dropInput() {
        dropsInput = true
        input = ByteBuffer()
        seenBytes = 0
        share.giveBackAll()
    }
}
