import Domain
import NIOCore
import NIOTLS

/// The first handler of a new connection: it learns which version of HTTP the client speaks, from the TLS handshake or
/// from the first bytes, puts that version's handlers behind itself, and leaves.
final class ProtocolChoice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias Configure = (HTTPVersion, ChannelPipeline.SynchronousOperations.Position) throws -> Void

    private let isEncrypted: Bool
    private let configure: Configure
    private var detection = PrefaceDetection()
    private var deadline: Scheduled<Void>?

    /// - Parameter configure: Puts the handlers of a version at a place of the pipeline.
    init(isEncrypted: Bool, configure: @escaping Configure) {
        self.isEncrypted = isEncrypted
        self.configure = configure
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let seconds = isEncrypted ? Limits.handshakeSeconds : Limits.headSecondsMax
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(seconds)) {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let version = detection.received(unwrapInboundIn(data)) else { return }
        choose(version, context)
        context.fireChannelRead(wrapInboundOut(detection.bytes))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let name):
            choose(name == HTTPVersion.two.alpnName ? .two : .one, context)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        // Nothing has been asked yet, so there is nothing to finish.
        case is ChannelShouldQuiesceEvent, is ClientConnection.Stop, ChannelEvent.inputClosed:
            context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// A failed handshake closes the connection by itself; the errors of strangers are not logged.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func choose(_ version: HTTPVersion, _ context: ChannelHandlerContext) {
        do { try configure(version, .after(self)) } catch { return context.close(promise: nil) }
        if !context.channel.isWritable { context.fireChannelWritabilityChanged() }
    }
}
