import Domain
package import NIOCore
import NIOHTTP2
import NIOSSL

/// Sets up a client's channel: TLS if there is a certificate, then the handlers of the HTTP version that the client
/// speaks. HTTP/1.1 is the parser and the connection, which answers on its own event loop.
package struct ClientChannel: Sendable {
    private let responder: any RequestResponder
    private let certificate: ServerCertificate?
    private let listener: ListenerRole
    private let keepsBrowsersEncrypted: Bool
    private let connections: OpenConnections?
    private let date = DateHeader()
    private let turns = LoopTurns.OfLoops()

    /// - Parameters:
    ///   - certificate: Nil serves without TLS.
    ///   - keepsBrowsersEncrypted: Whether responses over TLS have `Strict-Transport-Security`.
    ///   - connections: Where connections are counted and bounded; nil where they are not.
    package init(
        _ responder: any RequestResponder, certificate: ServerCertificate? = nil, listener: ListenerRole = .open,
        keepsBrowsersEncrypted: Bool = false, connections: OpenConnections? = nil
    ) {
        self.responder = responder
        self.certificate = certificate
        self.listener = listener
        self.keepsBrowsersEncrypted = keepsBrowsersEncrypted && certificate != nil
        self.connections = connections
    }

    /// Whether a client may open another connection, which counts in its rate. Any thread may ask.
    /// - Parameter eventLoop: Logs refusals.
    package func admits(_ address: IPAddress?, on eventLoop: any EventLoop) -> Bool {
        connections?.admits(address, on: eventLoop) ?? true
    }

    /// Sets up a channel whose client was admitted, on its event loop.
    /// - Returns: False when there is no room for it, and it is to be closed.
    package func setUp(_ channel: any Channel, from address: IPAddress?) -> Bool {
        let openConnection = connections?.open(channel, from: address)
        if connections != nil, openConnection == nil { return false }
        do {
            // One read brings at most as many bytes as the channel's buffer holds.
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try addHandlers(to: channel, address, openConnection)
            return true
        } catch { return false }
    }

    private func addHandlers(to channel: any Channel, _ address: IPAddress?, _ openConnection: OpenConnection?) throws {
        let pipeline = channel.pipeline.syncOperations
        let peer = Peer(
            address: address, isEncrypted: certificate != nil, listener: listener,
            staysEncrypted: keepsBrowsersEncrypted)
        let meter = InputMeter(
            on: channel.eventLoop, from: peer, turns: turns.turns(on: channel.eventLoop), openConnection: openConnection
        )
        if let certificate {
            try pipeline.addHandlers([RecordMeter(meter), NIOSSLServerHandler(context: certificate.context)])
        }
        try pipeline.addHandler(
            ProtocolChoice(isEncrypted: certificate != nil) { version, position in
                switch version {
                case .one: try addHTTP1(to: channel, at: position, peer, openConnection, meter)
                case .two: try addHTTP2(to: channel, at: position, peer, openConnection, meter)
                }
            })
    }

    private func addHTTP1(
        to channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position, _ peer: Peer,
        _ openConnection: OpenConnection?, _ meter: InputMeter
    ) throws {
        let connection = ClientConnection(
            responder: responder, date: date, peer: peer, eventLoop: channel.eventLoop, openConnection: openConnection,
            meter: meter)
        let parser = RequestParser(budget: openConnection?.input, meter: meter)
        parser.readEnded = { [unowned connection] in connection.turnEnded() }
        try channel.pipeline.syncOperations.addHandlers([parser, connection], position: position)
    }

    private func addHTTP2(
        to channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position, _ peer: Peer,
        _ openConnection: OpenConnection?, _ meter: InputMeter
    ) throws {
        let connection = HTTP2Connection(
            responder: responder, date: date, peer: peer, eventLoop: channel.eventLoop, openConnection: openConnection,
            meter: meter)
        let streams = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        let configuration = NIOHTTP2Handler.Configuration.openInternet
        let handler = NIOHTTP2Handler(
            mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: configuration.connection,
            streamConfiguration: configuration.stream
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(ClientStream(streams.value))
            }
        }
        let gate = FrameGate(meter, budget: openConnection?.input)
        try channel.pipeline.syncOperations.addHandlers([gate, GoAwayWatch(), handler, connection], position: position)
    }

    /// Stops a connection at once.
    package static func stop(_ channel: any Channel) {
        channel.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
    }
}
