import Domain
import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// Sets up a client's channel: TLS if there is a certificate, then the handlers of the HTTP version that the client
/// speaks. HTTP/1.1 is NIO's parser and the connection, which answers on its own event loop.
package struct ClientChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let responder: Responder
    private let certificate: ServerCertificate?
    private let listener: ListenerRole
    private let date = DateHeader()

    /// - Parameter certificate: Nil serves without TLS.
    package init(_ responder: Responder, certificate: ServerCertificate? = nil, listener: ListenerRole = .open) {
        self.responder = responder
        self.certificate = certificate
        self.listener = listener
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let peer = Peer(
                address: channel.remoteAddress.flatMap { IPAddress($0) },
                isEncrypted: certificate != nil,
                listener: listener
            )
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
            try pipeline.addHandler(
                ProtocolChoice(isEncrypted: certificate != nil) { version, position in
                    switch version {
                    case .one: try addHTTP1(to: channel, at: position, peer)
                    case .two: try addHTTP2(to: channel, at: position, peer)
                    }
                }
            )
            return Value(channel: channel)
        }
    }

    private func addHTTP1(
        to channel: any Channel,
        at position: ChannelPipeline.SynchronousOperations.Position,
        _ peer: Peer
    ) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Limits.headBytesMax
        limits.maxHeaderListSize = Limits.headBytesMax
        let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes,
            informationalResponseStrategy: .drop,
            limitConfiguration: limits
        )
        try channel.pipeline.syncOperations.addHandlers(
            [
                ByteToMessageHandler(decoder),
                ClientConnection(responder: responder, date: date, peer: peer, eventLoop: channel.eventLoop),
            ],
            position: position
        )
    }

    private func addHTTP2(
        to channel: any Channel,
        at position: ChannelPipeline.SynchronousOperations.Position,
        _ peer: Peer
    ) throws {
        let connection = HTTP2Connection(responder: responder, date: date, peer: peer, eventLoop: channel.eventLoop)
        let streams = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        let configuration = NIOHTTP2Handler.Configuration.openInternet
        let handler = NIOHTTP2Handler(
            mode: .server,
            eventLoop: channel.eventLoop,
            connectionConfiguration: configuration.connection,
            streamConfiguration: configuration.stream
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(ClientStream(streams.value))
            }
        }
        try channel.pipeline.syncOperations.addHandlers([GoAwayWatch(), handler, connection], position: position)
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
