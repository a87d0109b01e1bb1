import Credentials
import Logging
import NIOCore
import NIOEmbedded
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import Postgres

/// The connection's handler between a parser and a channel in memory: what it writes, flushes, reads and closes.
@Suite struct ClientConnectionTests {
    @Test("requests that come with one read and are answered at once are flushed once")
    func pipelining() throws {
        let client = try Client()
        try client.send("GET /healthz HTTP/1.1", count: 3)
        #expect(try client.received().count == 3)
        #expect(client.probe.flushesCount == 1)
        try client.send("GET /healthz HTTP/1.1", count: 1)
        #expect(client.probe.flushesCount == 2)
    }

    @Test(
        "a response that arrives while its task starts is written before the next request is taken, on the same stack"
    )
    func nested() throws {
        let client = try Client()
        // While the client does not read, its requests wait; then one event takes them all.
        client.setWritable(false)
        try client.send("GET /healthz HTTP/1.1", count: 100)
        #expect(client.probe.writesCount == 0)
        client.setWritable(true)
        #expect(try client.received().count == 100)
        #expect(client.probe.flushesCount == 1)
        // If each response took the next request itself, every write would be deeper than the one before it.
        let depths = client.probe.writeAddresses
        let spread = try #require(depths.max()) - #require(depths.min())
        #expect(spread < 4_096)
    }

    @Test("a channel that closes while a response is written gets no other one")
    func closesDuringWrite() throws {
        let client = try Client()
        client.probe.closesDuringWrite = true
        try client.send("GET /healthz HTTP/1.1", count: 3)
        #expect(client.probe.writesCount == 1)
    }

    @Test("Stop cancels the task of a request that waits for the database, and its response is the last")
    func stop() throws {
        let client = try Client()
        try client.send("GET /v1/games HTTP/1.1", count: 2)
        client.channel.embeddedEventLoop.run()
        #expect(try client.received() == [])
        client.channel.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
        client.channel.embeddedEventLoop.run()
        let responses = try client.received()
        #expect(responses.count == 1)
        let response = try #require(responses.first)
        #expect(response.hasPrefix("HTTP/1.1 503 ") && response.lowercased().contains("connection: close"))
        #expect(client.probe.closesCount == 1)
    }
}

/// A client of a server without a database: `/healthz` is answered at once, and `/v1/games` waits for a connection
/// that never comes.
private struct Client {
    let channel = EmbeddedChannel()
    let probe = ChannelProbe()

    init() throws {
        let pool = Pool(
            ConnectionSettings(conninfo: ""),
            limits: PoolLimits(connectionsMax: 1, waitMax: .seconds(3_600)),
            logger: .none
        )
        // The only connection is promised to somebody who never opens it.
        _ = pool.state.withLock { $0.lease(Ticket(), at: .now) }
        let store = Store(general: pool, ledger: pool, logger: .none)
        let secret = try #require(Secret(hex: String(repeating: "5eed", count: 16)))
        try channel.pipeline.syncOperations.addHandler(probe)
        _ = try ClientChannel(Exchange.responder(store, secret)).setup(channel: channel, logger: .none).wait()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Sends a request as many times, all with one read.
    func send(_ requestLine: String, count: Int) throws {
        let request = requestLine + "\r\nHost: localhost\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: count)))
    }

    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    /// The responses that were flushed since the last look, in order.
    func received() throws -> [String] {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text.split(separator: "HTTP/1.1 ").map { "HTTP/1.1 " + $0 }
    }
}

/// Stands between the channel and its handlers, and counts what they ask of the channel.
private final class ChannelProbe: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private(set) var flushesCount = 0
    private(set) var closesCount = 0
    /// For each write, where the stack was.
    private(set) var writeAddresses: [UInt] = []
    /// Whether the channel reports during the first write that it is closed, as a socket does whose peer is gone.
    var closesDuringWrite = false

    var writesCount: Int { writeAddresses.count }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var local: UInt8 = 0
        writeAddresses.append(withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) })
        context.write(data, promise: promise)
        if closesDuringWrite {
            closesDuringWrite = false
            context.fireChannelInactive()
        }
    }

    func flush(context: ChannelHandlerContext) {
        flushesCount += 1
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        closesCount += 1
        context.close(mode: mode, promise: promise)
    }
}
