import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One request and its response over a connection of its own: for a collector of traces, and for an operator's command
/// that asks the admin listener.
package enum HTTPExchange {
    /// Bytes of a response's body; a longer one is an error.
    static let bodyBytesMax = 8 * 1024 * 1024

    package enum Outgoing: Sendable {
        case get
        /// A body and its media type.
        case post(String, String)
    }

    package struct Incoming: Sendable {
        package let status: Int
        let headers: HTTPHeaders
        package let body: String

        /// The value of the first header with a name.
        package func header(_ name: String) -> String? { headers.first(name: name) }
    }

    package enum Failure: Error {
        case tooLong
        /// The connection ended before the response did.
        case cut
        case late
    }

    /// What encrypts. It is made once, because it reads the machine's certificates of authorities.
    private static let encryption = Result { try NIOSSLContext(configuration: .makeClientConfiguration()) }

    /// - Parameter limit: For connecting and the answer together.
    /// - Throws: When nobody answers in time, the answer is no HTTP, or the task is cancelled.
    package static func send(_ outgoing: Outgoing, to address: HTTPAddress, within limit: Duration) async throws
        -> Incoming
    {
        let encryption = address.isEncrypted ? try Self.encryption.get() : nil
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: Incoming.self)
        let alarm = loop.scheduleTask(in: TimeAmount(limit)) { answer.fail(Failure.late) }
        defer { alarm.cancel() }
        let connecting = ClientBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let encryption {
                    // A name is needed to prove who answers; an address is proved by itself.
                    let name = address.isNumeric ? nil : address.host
                    try pipeline.addHandler(NIOSSLClientHandler(context: encryption, serverHostname: name))
                }
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(Answer(answer))
            }
        }.connect(host: address.host, port: address.port)
        connecting.whenFailure { answer.fail($0) }
        connecting.whenSuccess { channel in
            write(outgoing, to: address, over: channel)
            // Also when nobody waits for the answer any more.
            answer.futureResult.whenComplete { _ in channel.close(promise: nil) }
        }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }

    private static func write(_ outgoing: Outgoing, to address: HTTPAddress, over channel: any Channel) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path)
        head.headers = ["Host": address.hostText, "Connection": "close", "User-Agent": "causeboard"]
        var body: ByteBuffer?
        if case .post(let text, let media) = outgoing {
            head.method = .POST
            let bytes = ByteBuffer(string: text)
            head.headers.add(name: "Content-Type", value: media)
            head.headers.add(name: "Content-Length", value: "\(bytes.readableBytes)")
            body = bytes
        }
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil) }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Collects a response.
    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart

        private let promise: EventLoopPromise<Incoming>
        private var head: HTTPResponseHead?
        private var body = ByteBuffer()

        init(_ promise: EventLoopPromise<Incoming>) { self.promise = promise }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body(var part):
                guard body.readableBytes + part.readableBytes <= bodyBytesMax else {
                    promise.fail(Failure.tooLong)
                    return context.close(promise: nil)
                }
                body.writeBuffer(&part)
            case .end:
                promise.succeed(
                    Incoming(
                        status: head.map { Int($0.status.code) } ?? 0, headers: head?.headers ?? [:],
                        body: String(buffer: body)))
            }
        }

        func channelInactive(context: ChannelHandlerContext) { promise.fail(Failure.cut) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            promise.fail(error)
            context.close(promise: nil)
        }
    }
}
