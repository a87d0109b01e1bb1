import Domain
import NIOCore

/// The channel handler before NIO's HTTP/2: it passes a client's frames on a few at a time. When the client has had its
/// share of the moment, the connection rests, and the gate reads nothing until its turn. So what waits here is what one
/// read has brought (or what the system delivers when the client ends its input).
final class FrameGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let meter: InputMeter
    private var input = FrameInput()
    /// What the held bytes take of the room of all connections.
    private var share: MemoryShare
    private var context: ChannelHandlerContext?
    private var isResting = false
    private var isReadHeld = false
    /// True when the client sends no more, until that is reported behind what is held.
    private var isInputEnded = false
    /// True when nothing that follows is of interest.
    private var dropsInput = false

    /// - Parameter budget: The room for what clients have sent; nil has no bound.
    init(_ meter: InputMeter, budget: MemoryBudget?) {
        self.meter = meter
        share = MemoryShare(of: budget)
    }

    /// The bytes that are held.
    var heldBytes: Int { input.heldBytes }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        drop()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        drop()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if dropsInput { return }
        var bytes = unwrapInboundIn(data)
        guard input.hold(&bytes) else { return end(context) }
        if !isResting { pass(context) }
        settle(context)
    }

    /// A read costs as well, so it waits for its turn too.
    func read(context: ChannelHandlerContext) {
        if !isResting, !meter.hasHadShare { return context.read() }
        isReadHeld = true
        rest()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        meter.sent(bytes: unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isResting, case ChannelEvent.inputClosed = event {
            isInputEnded = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Passes on what has come whole, while the client has not had its share.
    private func pass(_ context: ChannelHandlerContext, hasTurn: Bool = false) {
        var hasTurn = hasTurn
        while input.hasPortion {
            if meter.hasHadShare, !hasTurn { return rest() }
            hasTurn = false
            guard let portion = input.next() else { return }
            meter.count(
                pieces: portion.pieces, bytes: portion.pieceBytes, heads: portion.heads, headBytes: portion.headBytes)
            context.fireChannelRead(wrapInboundOut(portion.bytes))
            if dropsInput { return }
            if meter.isFlooded() { return end(context) }
        }
    }

    private func rest() {
        if isResting { return }
        isResting = true
        meter.rest { self.goOn() }
    }

    /// Others had their turns.
    private func goOn() {
        isResting = false
        guard let context else { return }
        if !dropsInput { pass(context, hasTurn: true) }
        context.fireChannelReadComplete()
        settle(context)
        if isResting { return }
        if isInputEnded {
            isInputEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    /// Counts the bytes that wait, at the end of an event.
    private func settle(_ context: ChannelHandlerContext) {
        input.compact()
        let bytes = max(0, input.heldBytes - Limits.unparsedBytesFree)
        if bytes < share.bytes {
            share.giveBack(bytes: share.bytes - bytes)
        } else if bytes > share.bytes, !share.take(bytes: bytes - share.bytes) {
            end(context)
        }
    }

    /// Ends a connection that sends too much.
    private func end(_ context: ChannelHandlerContext) {
        drop()
        context.fireUserInboundEventTriggered(InputMeter.Flood())
    }

    private func drop() {
        dropsInput = true
        input.removeAll()
        share.giveBackAll()
    }
}
