import Domain
import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// How the server speaks with a client: HTTP/1.1 from NIO's parser to the responder, on the connection's own event
/// loop.
package struct ClientChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let responder: Responder
    private let date = DateHeader()

    package init(_ responder: Responder) {
        self.responder = responder
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
            try channel.pipeline.syncOperations.addHandlers([
                ByteToMessageHandler(decoder),
                ClientConnection(responder: responder, date: date, eventLoop: channel.eventLoop),
            ])
            return Value(channel: channel)
        }
    }

    /// The connection serves itself; this waits until it is closed.
    package func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
        }
    }
}
