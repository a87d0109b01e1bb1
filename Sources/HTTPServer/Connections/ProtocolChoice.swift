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

/// The versions of HTTP that a connection may speak.
enum HTTPVersion: Equatable, Sendable {
    case one
    case two

    /// The name in the TLS handshake (RFC 7301).
    var alpnName: String {
        switch self {
        case .one: "http/1.1"
        case .two: "h2"
        }
    }
}

/// Tells from a connection's first bytes which version of HTTP its client speaks: HTTP/2 begins with a fixed preface
/// (RFC 9113, section 3.4), with which no request of HTTP/1.1 begins. At most the preface's length of bytes is needed.
struct PrefaceDetection {
    /// Everything that came so far.
    private(set) var bytes = ByteBuffer()

    /// - Returns: Nil while the bytes are a part of the preface.
    mutating func received(_ more: ByteBuffer) -> HTTPVersion? {
        if bytes.readableBytes == 0 { bytes = more } else { bytes.writeImmutableBuffer(more) }
        let count = min(bytes.readableBytes, Self.preface.count)
        guard bytes.readableBytesView.prefix(count).elementsEqual(Self.preface.prefix(count)) else { return .one }
        return count == Self.preface.count ? .two : nil
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
}
