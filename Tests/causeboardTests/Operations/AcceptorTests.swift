import Dispatch
import Glibc
import HTTP
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import causeboard
@testable import HTTPServer

/// The thread that accepts clients' connections.
@Suite struct AcceptorTests {
    /// Admits some connections, greets them, and closes them when they are told to stop.
    private final class Greeting: ConnectionSetup {
        let admittedMax: Int
        let asked = Mutex(0)

        init(admittedMax: Int) { self.admittedMax = admittedMax }

        func admits(_ address: IPAddress?, on eventLoop: any EventLoop) -> Bool {
            asked.withLock { asked in
                asked += 1
                return asked <= admittedMax && address == IPAddress("127.0.0.1")
            }
        }

        func setUp(_ channel: any Channel, from address: IPAddress?) -> Bool {
            (try? channel.pipeline.syncOperations.addHandler(Greeter())) != nil
        }
    }

    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: "hello")), promise: nil)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { context.close(promise: nil) }
    }

    /// A client, which waits for at most a minute.
    private struct Client {
        let socket: Int32

        init(_ port: Int) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var patience = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            try #require(address.withSockAddr { connect(socket, $0, socklen_t($1)) } == 0)
        }

        /// What came; empty when the connection has ended; nil when nothing came in time.
        func read() async -> String? {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    var bytes = [UInt8](repeating: 0, count: 100)
                    let count = recv(socket, &bytes, bytes.count, 0)
                    let hasWaited = count < 0 && errno == EAGAIN
                    continuation.resume(
                        returning: hasWaited ? nil : String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
                }
            }
        }
    }

    private static func accepting<Result>(
        _ setup: Greeting, on eventLoops: MultiThreadedEventLoopGroup, connectionsMax: Int = 100,
        _ body: (Acceptor) async throws -> Result
    ) async throws -> Result {
        let acceptor = try Acceptor(
            host: "127.0.0.1", port: 0, backlog: 100, connectionsMax: connectionsMax, eventLoops: eventLoops,
            setup: setup)
        let running = Task { await acceptor.run() }
        let result = try await body(acceptor)
        running.cancel()
        await running.value
        return result
    }

    @Test("a connection that is refused ends while all event loops are busy, and an admitted one is served after that")
    func refused() async throws {
        let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let released = DispatchSemaphore(value: 0)
        eventLoops.next().execute { released.wait() }
        try await Self.accepting(Greeting(admittedMax: 1), on: eventLoops) { acceptor in
            let admitted = try Client(acceptor.port)
            for _ in 0..<50 { #expect(await (try Client(acceptor.port)).read() == "") }
            released.signal()
            #expect(await admitted.read() == "hello")
        }
        try await eventLoops.shutdownGracefully()
    }

    @Test("connections beyond the most wait until another one ends, and all end when the service does") func most()
        async throws
    {
        let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let last = try await Self.accepting(Greeting(admittedMax: 9), on: eventLoops, connectionsMax: 1) { acceptor in
            let (first, second) = (try Client(acceptor.port), try Client(acceptor.port))
            #expect(await first.read() == "hello")
            close(first.socket)
            #expect(await second.read() == "hello")
            return second
        }
        #expect(await last.read() == "")
        try await eventLoops.shutdownGracefully()
    }

    @Test("a taken port is an error that says so") func taken() async throws {
        let setup = Greeting(admittedMax: 0)
        let first = try Acceptor(host: "127.0.0.1", port: 0, backlog: 1, connectionsMax: 1, setup: setup)
        let error = #expect(throws: IOError.self) {
            try Acceptor(host: "127.0.0.1", port: first.port, backlog: 1, connectionsMax: 1, setup: setup)
        }
        #expect(error?.errnoCode == EADDRINUSE)
    }
}
