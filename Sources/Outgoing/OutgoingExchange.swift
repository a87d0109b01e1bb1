import Domain
import HTTPServer
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// One request over its own connection: connects to a checked address, sends the request, and reads the answer.
final class OutgoingExchange: Sendable {
    private let url: OutgoingURL
    private let encryption: NIOSSLContext
    private let connectSeconds: Int64
    private let loop: any EventLoop
    private let answer: EventLoopPromise<OutgoingAnswer>
    private let isOver = Atomic(false)

    init(
        _ url: OutgoingURL, encryption: NIOSSLContext, connectSeconds: Int64, on loop: any EventLoop,
        _ answer: EventLoopPromise<OutgoingAnswer>
    ) {
        (self.url, self.encryption, self.connectSeconds) = (url, encryption, connectSeconds)
        (self.loop, self.answer) = (loop, answer)
        answer.futureResult.whenComplete { [self] _ in isOver.store(true, ordering: .relaxed) }
    }

    /// Connects to the first of these addresses that accepts, and sends the request.
    func connect(to addresses: ArraySlice<IPAddress>) {
        guard !isOver.load(ordering: .relaxed) else { return }
        guard let address = addresses.first, let socket = try? socket(of: address) else {
            return answer.fail(OutgoingError.unreachable)
        }
        let connecting = ClientBootstrap(group: loop).connectTimeout(.seconds(connectSeconds)).channelInitializer {
            [url, encryption, answer] channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(NIOSSLClientHandler(context: encryption, serverHostname: url.host))
                try pipeline.addHandler(AnswerBytes(answer))
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(AnswerReader(answer))
            }
        }.connect(to: socket)
        connecting.whenFailure { [self] _ in connect(to: addresses.dropFirst()) }
        connecting.whenSuccess { [self] channel in
            // Also when the caller was cancelled.
            answer.futureResult.whenComplete { _ in channel.close(promise: nil) }
            ask(over: channel)
        }
    }

    private func socket(of address: IPAddress) throws -> SocketAddress {
        try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: url.port)
    }

    private func ask(over channel: any Channel) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: url.target)
        head.headers = [
            "Host": url.hostText, "Connection": "close", "User-Agent": "causeboard", "Accept": "application/json",
            "Accept-Encoding": "identity",
        ]
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
}

/// Limits the bytes of an answer before they are parsed, so that neither head nor framing can be endless.
private final class AnswerBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let answer: EventLoopPromise<OutgoingAnswer>
    private var left = Limits.outgoingAnswerBytesMax

    init(_ answer: EventLoopPromise<OutgoingAnswer>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        guard left >= 0 else {
            answer.fail(OutgoingError.tooLarge)
            return context.close(promise: nil)
        }
        context.fireChannelRead(data)
    }
}

/// Collects an answer.
private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<OutgoingAnswer>
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ answer: EventLoopPromise<OutgoingAnswer>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status != .ok { return end(.status(Int(head.status.code)), context) }
            if head.headers.contains(name: "Content-Encoding") { return end(.notHTTP, context) }
            self.head = head
        case .body(let part):
            guard body.count + part.readableBytes <= Limits.outgoingBodyBytesMax else { return end(.tooLarge, context) }
            body += part.readableBytesView
        case .end:
            guard let head else { return end(.notHTTP, context) }
            let caching = head.headers["Cache-Control"].joined(separator: ",")
            answer.succeed(OutgoingAnswer(body: body, cacheControl: caching.isEmpty ? nil : caching))
        }
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(OutgoingError.cut) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(Self.meaning(of: error), context) }

    private func end(_ error: OutgoingError, _ context: ChannelHandlerContext) {
        answer.fail(error)
        context.close(promise: nil)
    }

    private static func meaning(of error: any Error) -> OutgoingError {
        switch error {
        case is HTTPParserError: .notHTTP
        case NIOSSLError.uncleanShutdown: .cut
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .notTrusted
        default: .cut
        }
    }
}
