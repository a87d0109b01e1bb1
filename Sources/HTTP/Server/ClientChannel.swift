import Domain
import HummingbirdCore
package import Logging
package import NIOCore

/// Sets up a client's channel: its place among the open connections, the parser, then the connection, which answers on
/// its own event loop.
package struct ClientChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let responder: Responder
    private let connections: OpenConnections
    private let date = DateHeader()

    package init(_ responder: Responder, connections: OpenConnections) {
        self.responder = responder
        self.connections = connections
    }

    /// Never fails, because a failure would end the listening socket. A channel that finds no room is closed.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = Peer(address: channel.remoteAddress.flatMap { IPAddress($0) }, isEncrypted: false)
        if let openConnection = connections.open(channel, from: peer.address) {
            do {
                // One read brings at most as many bytes as the channel's buffer holds.
                try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
                try addHTTP1(to: channel.pipeline.syncOperations, peer: peer, openConnection: openConnection)
            } catch {
                channel.close(promise: nil)
            }
        } else {
            channel.close(promise: nil)
        }
        return channel.eventLoop.makeSucceededFuture(Value(channel: channel))
    }

    /// Adds the handlers of HTTP/1.1 at the end of a pipeline.
    private func addHTTP1(
        to pipeline: ChannelPipeline.SynchronousOperations,
        peer: Peer,
        openConnection: OpenConnection
    ) throws {
        try pipeline.addHandlers([
            RequestParser(),
            ClientConnection(
                responder: responder,
                date: date,
                peer: peer,
                eventLoop: pipeline.eventLoop,
                openConnection: openConnection
            ),
        ])
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
