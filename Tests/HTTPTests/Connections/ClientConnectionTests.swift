import Credentials
import Domain
import Logging
import NIOCore
import NIOEmbedded
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer
@testable import Postgres

/// The connection's handler between a parser and a channel in memory: what it writes, flushes, reads and closes.
@Suite struct ClientConnectionTests {
    @Test("requests that come with one read and are answered at once are flushed once") func pipelining() throws {
        let client = try Client()
        try client.send("GET /healthz HTTP/1.1", count: 3)
        #expect(try client.received().count == 3)
        #expect(client.probe.flushesCount == 1)
        try client.send("GET /healthz HTTP/1.1", count: 1)
        #expect(client.probe.flushesCount == 2)
    }

    @Test(
        "a response that arrives while its task starts is written before the next request is taken, on the same stack")
    func nested() throws {
        let client = try Client()
        // While the client does not read, its requests wait; then one event takes them all.
        client.setWritable(false)
        try client.send("GET /healthz HTTP/1.1", count: Limits.answersInTurnMax)
        #expect(client.probe.writesCount == 0)
        client.setWritable(true)
        #expect(try client.received().count == Limits.answersInTurnMax)
        #expect(client.probe.flushesCount == 1)
        // If each response took the next request itself, every write would be deeper than the one before it.
        let depths = client.probe.writeAddresses
        let spread = try #require(depths.max()) - #require(depths.min())
        #expect(spread < 4_096)
    }

    @Test("a channel that closes while a response is written gets no other one") func closesDuringWrite() throws {
        let client = try Client()
        client.probe.closesDuringWrite = true
        try client.send("GET /healthz HTTP/1.1", count: 3)
        #expect(client.probe.writesCount == 1)
    }

    @Test("Stop cancels the task of a request that waits for the database, and its response is the last") func stop()
        throws
    {
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

    @Test("a request that offers another protocol is answered, and so is the next one") func upgrade() throws {
        let client = try Client()
        let offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n"
        for _ in 0..<3 {
            try client.send("GET /healthz HTTP/1.1", count: 2, headers: offer)
            let responses = try client.received()
            #expect(responses.map { $0.hasPrefix("HTTP/1.1 200 ") } == [true, true])
            #expect(!responses.contains { $0.lowercased().contains("connection:") })
        }
    }

    @Test("CONNECT is refused with the methods that there are, and what follows it is dropped") func connect() throws {
        let client = try Client()
        try client.send("CONNECT localhost:443 HTTP/1.1", count: 1)
        let response = try #require(try client.received().first).lowercased()
        #expect(response.hasPrefix("http/1.1 405 ") && response.contains("connection: close"))
        #expect(response.contains("allow: ") && response.contains("get"))
        #expect(client.probe.closesCount == 1)
    }

    @Test("empty lines between two requests begin no head; what follows them does") func emptyLines() throws {
        let client = try Client()
        try client.send("GET /healthz HTTP/1.1", count: 1)
        #expect(try client.received().count == 1)
        for lines in ["\r\n", "\r", "\n\r\n", String(repeating: "\r\n", count: 20_000)] {
            try client.channel.writeInbound(ByteBuffer(string: lines))
            client.channel.embeddedEventLoop.advanceTime(by: ConnectionStateMachine.headTime)
            #expect(try client.received() == [])
        }
        try client.send("\r\nGET /healthz HTTP/1.1", count: 1)
        #expect(try client.received().map { $0.hasPrefix("HTTP/1.1 200 ") } == [true])
        #expect(client.probe.closesCount == 0)
        try client.channel.writeInbound(ByteBuffer(string: "\r\nG"))
        client.channel.embeddedEventLoop.advanceTime(by: ConnectionStateMachine.headTime)
        #expect(try client.received().map { $0.hasPrefix("HTTP/1.1 408 ") } == [true])
        #expect(client.probe.closesCount == 1)
    }

    @Test("ten thousand requests in one write wait as bytes while the first one is answered, and are then answered")
    func flood() throws {
        let client = try Client()
        try client.send("GET /v1/games HTTP/1.1", count: 1)
        for _ in 0..<5 { try client.send("GET /healthz HTTP/1.1", count: 2_000) }
        let connection = try client.channel.pipeline.syncOperations.handler(type: ClientConnection.self)
        let parser = try client.channel.pipeline.syncOperations.handler(type: RequestParser.self)
        #expect(parser.heldBytes <= Limits.unparsedBytesMax)
        #expect(connection.partsCount <= 2 * Limits.parsedBytesMax / 18)
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try client.received() == [])
    }

    @Test("a request whose client is gone is cancelled") func gone() throws {
        let client = try Client()
        try client.send("GET /v1/games HTTP/1.1", count: 1)
        client.channel.embeddedEventLoop.run()
        #expect(client.waitersCount == 1)
        try client.channel.close().wait()
        client.channel.embeddedEventLoop.run()
        #expect(client.waitersCount == 0)
    }

    @Test("a client that sends no more is still answered, and its request goes on") func halfClosed() throws {
        let client = try Client()
        try client.send("GET /v1/games HTTP/1.1", count: 1)
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        client.channel.embeddedEventLoop.run()
        #expect(client.waitersCount == 1)
    }

    @Test("a connection with a slow body may be replaced, and one that does not read only after a while")
    func slowBody() throws {
        let connections = OpenConnections(.init(connectionsMax: 2, ofAddressMax: 9), logger: .none)
        let loop = EmbeddedEventLoop()
        let (slow, unread) = (try Client(connections, loop), try Client(connections, loop))
        try slow.send("PUT /v1/nowhere HTTP/1.1", count: 1, headers: "Content-Length: 9\r\n")
        try unread.send("GET /healthz HTTP/1.1", count: 1)
        unread.setWritable(false)
        let second = try Client(connections, loop)
        #expect([slow, unread, second].map(\.probe.closesCount) == [1, 0, 0])
        try second.send("GET /v1/games HTTP/1.1", count: 1)
        let third = try Client(connections, loop)
        #expect(third.probe.closesCount == 1)
        unread.setWritable(true)
        unread.setWritable(false)
        loop.advanceTime(by: .seconds(Limits.stalledSeconds - 1))
        let fourth = try Client(connections, loop)
        #expect([unread, second, fourth].map(\.probe.closesCount) == [0, 0, 1])
        loop.advanceTime(by: .seconds(1))
        let fifth = try Client(connections, loop)
        #expect([unread, second, fifth].map(\.probe.closesCount) == [1, 0, 0])
    }

    @Test("a connection that answers a request is not closed to make room, and an idle one is") func room() throws {
        let connections = OpenConnections(.init(connectionsMax: 1, ofAddressMax: 9), logger: .none)
        let loop = EmbeddedEventLoop()
        let first = try Client(connections, loop)
        try first.send("GET /v1/games HTTP/1.1", count: 1)
        let second = try Client(connections, loop)
        #expect(first.probe.closesCount == 0)
        #expect(second.probe.closesCount == 1)
        first.channel.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
        loop.run()
        let third = try Client(connections, loop)
        try third.send("GET /healthz HTTP/1.1", count: 1)
        #expect(try third.received().count == 1)
        let fourth = try Client(connections, loop)
        #expect(third.probe.closesCount == 1)
        #expect(fourth.probe.closesCount == 0)
    }
}

/// A client of a server without a database: `/healthz` is answered at once, and `/v1/games` waits for a connection
/// that never comes.
private struct Client {
    let channel: EmbeddedChannel
    let probe = ChannelProbe()
    private let pool: Pool

    init(
        _ connections: OpenConnections = OpenConnections(logger: .none), _ loop: EmbeddedEventLoop = EmbeddedEventLoop()
    ) throws {
        channel = EmbeddedChannel(handlers: [], loop: loop)
        let responder: Responder
        (responder, pool) = try Exchange.responderWithSilentDatabase()
        try channel.pipeline.syncOperations.addHandler(probe)
        let setup = ClientChannel(responder, connections: connections)
        setup.connect(channel)
        if probe.closesCount == 0 { try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait() }
    }

    /// Requests that wait for a connection to the database.
    var waitersCount: Int { pool.state.withLock { $0.waitersCount } }

    /// Sends a request as many times, all with one read.
    func send(_ requestLine: String, count: Int, headers: String = "") throws {
        let request = requestLine + "\r\nHost: localhost\r\n\(headers)\r\n"
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
