import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server on this machine that answers each request with the same bytes, over TLS unless a test says otherwise.
final class TestServer: Sendable {
    /// What it does once a request's head is there.
    enum Answer: Sendable {
        case bytes(String)
        /// Sends these bytes again and again.
        case endless(begin: String, again: String)
        case nothing
        /// Sends the bytes and closes the connection.
        case cut(String)
    }

    /// The heads of the requests that came.
    let heads: Heads
    let port: Int
    private let channel: any Channel

    final class Heads: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        fileprivate func add(_ head: String) { texts.withLock { $0.append(head) } }
    }

    /// - Parameter certificate: Nil for a server without TLS.
    init(_ answer: Answer, certificate: String? = TestAuthority.certificate) async throws {
        let context = try certificate.map { certificate in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
                    privateKey: .privateKey(NIOSSLPrivateKey(bytes: Array(TestAuthority.key.utf8), format: .pem))))
        }
        let heads = Heads()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).serverChannelOption(
            .socketOption(.so_reuseaddr), value: 1
        ).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                if let context { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
                try channel.pipeline.syncOperations.addHandler(Answering(answer, heads))
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        self.heads = heads
        port = channel.localAddress?.port ?? 0
    }

    func close() async throws { try await channel.close() }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: Answer
        private let heads: Heads
        private var head = ""

        init(_ answer: Answer, _ heads: Heads) { (self.answer, self.heads) = (answer, heads) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            head += String(buffer: unwrapInboundIn(data))
            guard head.hasSuffix("\r\n\r\n") else { return }
            heads.add(head)
            switch answer {
            case .nothing: break
            case .bytes(let text): write(text, context)
            case .endless(let begin, let again):
                write(begin, context)
                goOn(again, context)
            case .cut(let text):
                write(text, context)
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }

        private func goOn(_ text: String, _ context: ChannelHandlerContext) {
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenSuccess {
                // A write may succeed at once, and a call within a call would use up the stack.
                bound.eventLoop.execute {
                    let (handler, context) = bound.value
                    handler.goOn(text, context)
                }
            }
        }
    }
}
