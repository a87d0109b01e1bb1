import Domain
import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// Sets up a client's channel: NIO's HTTP/1.1 parser, then the connection, which answers on its own event loop.
package struct ClientChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let responder: Responder
    private let listener: ListenerRole
    private let date = DateHeader()

    package init(_ responder: Responder, listener: ListenerRole = .open) {
        self.responder = responder
        self.listener = listener
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = Limits.headBytesMax
            limits.maxHeaderListSize = Limits.headBytesMax
            let decoder = HTTPRequestDecoder(
                leftOverBytesStrategy: .dropBytes,
                informationalResponseStrategy: .drop,
                limitConfiguration: limits
            )
            let peer = Peer(
                address: channel.remoteAddress.flatMap { IPAddress($0) },
                isEncrypted: false,
                listener: listener
            )
            try channel.pipeline.syncOperations.addHandlers([
                ByteToMessageHandler(decoder),
                ClientConnection(responder: responder, date: date, peer: peer, eventLoop: channel.eventLoop),
            ])
            return Value(channel: channel)
        }
    }

    /// Waits until the connection has closed. Cancellation stops the connection at once.
    package func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
        }
    }
}
