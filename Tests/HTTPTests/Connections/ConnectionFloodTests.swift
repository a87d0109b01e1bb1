import Domain
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP2
import NIOPosix
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// What one connection may have answered: in one turn of the event loop, in vain, and without reading it.
@Suite struct ConnectionFloodTests {
    private static let inRow = Limits.refusalsInRowMax

    /// A connection of HTTP/1.1 in memory, whose address may read once in a while.
    private struct Client {
        let channel: EmbeddedChannel
        let setup: ClientChannel

        /// - Parameter other: A connection that was accepted by the same event loop.
        init(
            proxies: TrustedProxies = TrustedProxies(), connections: OpenConnections? = nil, after other: Client? = nil
        ) throws {
            channel = EmbeddedChannel(loop: other?.channel.embeddedEventLoop ?? EmbeddedEventLoop())
            channel.remoteAddress = try SocketAddress(ipAddress: "192.0.2.1", port: 1)
            var rates = RateSettings()
            rates.rates[.addressReads] = Rate("1/h")
            let responder = try Exchange.responderWithoutDatabase(proxies: proxies, rates: RateLimiter(rates))
            let connections = connections ?? OpenConnections(proxies: proxies, logger: .none)
            setup = other?.setup ?? ClientChannel(responder, connections: connections)
            setup.connect(channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// - Returns: The statuses of what was received, with ` last` where the connection ends.
        func get(_ path: String, times: Int = 1) throws -> [String] {
            let request = "GET \(path) HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n"
            try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: times)))
            return try received()
        }

        func received() throws -> [String] {
            channel.embeddedEventLoop.run()
            var text = ""
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
            return text.components(of: "HTTP/1.1 ").map { answer in
                answer.prefix(3) + (answer.contains("Connection: close") ? " last" : "")
            }
        }
    }

    @Test("after many refusals in a row the connection ends; another answer begins a new row") func refusals() throws {
        let client = try Client()
        #expect(try client.get("/nowhere") == ["404"])
        for _ in 1..<Self.inRow { #expect(try client.get("/nowhere") == ["429"]) }
        #expect(try client.get("/v1/games/maze", times: 1) == ["429 last"])
        #expect(!client.channel.isActive)

        let other = try Client()
        for _ in 1..<Self.inRow { #expect(try other.get("/healthz") == ["200"]) }
        #expect(try other.get("/nowhere") == ["404"])
        for _ in 1..<Self.inRow { #expect(try other.get("/nowhere") == ["429"]) }
        #expect(try other.get("/healthz") == ["200 last"])
        #expect(!other.channel.isActive)
    }

    @Test("requests that count in no limit end a connection too, whatever their method") func uncounted() throws {
        let client = try Client()
        for _ in 1..<Self.inRow { #expect(try client.get("/readyz").count == 1) }
        try client.channel.writeInbound(ByteBuffer(string: "DELETE /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
        #expect(try client.received() == ["405 last"])
    }

    @Test("a trusted proxy's connection does not end, because other clients share it") func proxy() throws {
        let client = try Client(proxies: TrustedProxies([try #require(IPNetwork("192.0.2.1/32"))]))
        for _ in 0...Self.inRow { #expect(try client.get("/healthz") == ["200"]) }
        #expect(try client.get("/nowhere") == ["404"])
        for _ in 0...Self.inRow { #expect(try client.get("/nowhere") == ["429"]) }
    }

    @Test("over HTTP/2 the client is told the last stream, and the connection closes once all others have ended")
    func goAway() throws {
        let client = try HTTP2Client()
        try client.head(1, "PUT", "/v1/nowhere", isLast: false)
        let last = HTTP2StreamID(1 + 2 * Self.inRow)
        for number in 1...Self.inRow { try client.head(HTTP2StreamID(1 + 2 * number), "GET", "/healthz") }
        try client.wait(seconds: 1)
        #expect(client.received(last) == ["200", "data 3 end"])
        #expect(client.received(.rootStream) == ["go away 0 after \(Int(last))"])
        #expect(client.server.isActive)
        try client.data(1, bytes: 1, isLast: true)
        #expect(client.received(1).first == "404")
        #expect(!client.server.isActive)
    }

    @Test("requests that are sent at once are answered a few in each turn, and all of them in the end") func turns()
        throws
    {
        let client = try Client()
        let turn = Limits.answersInTurnMax
        #expect(try client.get("/healthz", times: 2 * turn + 3).count == turn)
        for expected in [turn, 3, 0] {
            client.channel.embeddedEventLoop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds))
            #expect(try client.received().count == expected)
        }
        for _ in 0...turn { #expect(try client.get("/healthz") == ["200"], "each read is a turn") }
    }

    @Test("streams that are opened at once are answered a few in each turn, and all of them in the end")
    func turnsOfStreams() throws {
        let client = try HTTP2Client()
        let turn = Limits.answersInTurnMax
        let streams = (0..<(2 * turn + 3)).map { HTTP2StreamID(1 + 2 * $0) }
        try client.heads(streams, "GET", "/healthz")
        func answeredCount() -> Int { streams.count { client.response($0) != nil } }
        #expect(answeredCount() == turn)
        for expected in [2 * turn, 2 * turn + 3] {
            client.server.embeddedEventLoop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds))
            try client.exchange()
            #expect(answeredCount() == expected)
        }
    }

    @Test("while a connection waits for its turn, others of its address wait behind it, and nobody else does")
    func turnsOfAddresses() throws {
        let loop = EmbeddedEventLoop()
        let connections = Self.connections(bytesMax: 1 << 30)
        let first = try HTTP2Client(connections: connections, from: "192.0.2.1", loop: loop)
        let second = try HTTP2Client(from: "192.0.2.1", loop: loop, door: first.door)
        let other = try HTTP2Client(from: "192.0.2.9", loop: loop, door: first.door)
        let streams = (0..<(2 * Limits.answersInTurnMax)).map { HTTP2StreamID(1 + 2 * $0) }
        try first.heads(streams, "GET", "/healthz")
        for client in [second, other] { try client.heads([1], "GET", "/healthz") }
        #expect(second.response(1) == nil && other.response(1) != nil)
        for _ in 1...2 { loop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds)) }
        for client in [first, second] { try client.exchange() }
        #expect(streams.allSatisfy { first.response($0) != nil } && second.response(1) != nil)
    }

    @Test("clients take turns, in each of which so many of a client's connections go on as do the work of one")
    func loopTurns() {
        let loop = EmbeddedEventLoop()
        let turns = LoopTurns(loop)
        let (one, other) = (client("192.0.2.1"), client("192.0.2.2"))
        var told: [String] = []
        func rest(_ name: String, as client: LoopTurns.Client, _ work: @escaping () -> Void = {}) {
            turns.rest(as: client) {
                #expect(!turns.isBusy(client), "it is its turn")
                told.append(name)
                work()
            }
        }
        // Each takes one request, the last one rests again.
        for number in 1..<Limits.answersInTurnMax { rest("one \(number)", as: one) }
        rest("one last", as: one) { rest("one again", as: one) }
        rest("other 1", as: other) { for _ in 0..<Limits.answersInTurnMax { turns.tookRequest() } }
        rest("other 2", as: other) { turns.spend(Limits.inputTurnBytes, as: other) }
        rest("other 3", as: other)
        var last: [String] = []
        while turns.isBusy(one) || turns.isBusy(other), last.count < 9 {
            loop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds))
            last.append(told.last ?? "")
        }
        #expect(last == ["one last", "other 1", "one again", "other 2", "other 3"])
        #expect(told.count == Limits.answersInTurnMax + 4)
    }

    @Test("what a client spends counts until the event loop has served all connections, however long that takes")
    func shareOfPass() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let one = client("192.0.2.1")
        let (turns, during) = try await loop.submit {
            let turns = LoopTurns(loop)
            turns.spend(Limits.inputShareBytes + 1, as: one)
            let end = NIODeadline.now() + .milliseconds(3 * Limits.inputShareMilliseconds)
            while NIODeadline.now() < end {}
            turns.spend(1, as: one)
            return (NIOLoopBound(turns, eventLoop: loop), turns.hasHadShare(one))
        }.get()
        let later = loop.scheduleTask(in: .milliseconds(2 * Limits.inputShareMilliseconds)) {
            turns.value.hasHadShare(one)
        }
        let afterwards = try await later.futureResult.get()
        #expect(during && !afterwards)
        try await group.shutdownGracefully()
    }

    @Test("connections with one request each are answered up to their client's share, and the others in turns")
    func turnsOfSingleRequests() throws {
        let share = Limits.inputShareBytes / Limits.pieceCostBytes + 1
        let connections = OpenConnections(.init(ofAddressMax: 2 * share), logger: .none)
        let first = try Client(connections: connections)
        let clients = [first] + (try (1..<share + 2 * Limits.answersInTurnMax).map { _ in try Client(after: first) })
        defer { for client in clients { _ = try? client.channel.finish(acceptAlreadyClosed: true) } }
        let answered = try clients.map { try $0.get("/healthz").count }
        #expect(answered == clients.indices.map { $0 < share ? 1 : 0 })
        for _ in 0..<2 {
            let time = TimeAmount.microseconds(Limits.turnPauseMicroseconds)
            first.channel.embeddedEventLoop.advanceTime(by: time)
            let count = try clients.reduce(0) { $0 + (try $1.received().count) }
            #expect(count == Limits.answersInTurnMax)
        }
    }

    private func client(_ address: String) -> LoopTurns.Client {
        LoopTurns.Client(LoopTurns(EmbeddedEventLoop()), countedAs: IPAddress(address))
    }
}

// MARK: - Responses that nobody reads

extension ConnectionFloodTests {
    private static func connections(bytesMax: Int) -> OpenConnections {
        OpenConnections(.init(inputBytesMax: bytesMax), logger: .none)
    }

    /// A client that opens the windows of no stream.
    private static func closed(_ connections: OpenConnections, from address: String = "192.0.2.1") throws -> HTTP2Client
    {
        let settings = [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
        return try HTTP2Client(settings: settings, connections: connections, from: address)
    }

    @Test("a connection is answered no further request while too much of it is not read") func unreadOfConnection()
        throws
    {
        let connections = Self.connections(bytesMax: 1 << 30)
        let client = try Self.closed(connections)
        let streams = (0..<8).map { HTTP2StreamID(1 + 2 * $0) }
        for stream in streams { try client.head(stream, "GET", "/openapi.yaml") }
        let heads = streams.count { client.response($0) != nil }
        let bytes = try client.connection().unreadBytes
        #expect(heads >= 1 && heads < 3 && bytes >= Limits.unreadBytesOfConnectionMax)
        #expect(connections.input.unreadBytes == bytes - Limits.streamChunkBytes)
        // A client that reads again is answered all of them.
        for stream in streams { try client.send(stream, .windowUpdate(windowSizeIncrement: 1 << 20)) }
        try client.send(.rootStream, .windowUpdate(windowSizeIncrement: 1 << 24))
        #expect(streams.allSatisfy { client.received($0).last?.hasSuffix("end") == true })
        #expect(try client.connection().unreadBytes == 0 && connections.input.unreadBytes == 0)
    }

    @Test("an address has its share of the room for what is not read; streams beyond it are reset")
    func unreadOfAddress() throws {
        let connections = Self.connections(bytesMax: 6 * OpenAPI.bytes.count)
        let clients = try (0..<2).map { _ in try Self.closed(connections) }
        for client in clients { try client.head(1, "GET", "/openapi.yaml") }
        #expect(clients.map { $0.received(1) } == [["200"], ["200", "reset 11"]], "a quarter has room for one")
        let bytes = connections.input.unreadBytes
        let other = try Self.closed(connections, from: "192.0.2.9")
        try other.head(1, "GET", "/nowhere")
        #expect(other.received(1) == ["404"])
        #expect(connections.input.unreadBytes == bytes, "what fits into a chunk needs no room")
    }

    @Test("while there is little room left, whoever reads nothing for a while has to go; else it may take its time")
    func stalled() throws {
        for (bytesMax, told) in [(1 << 30, ["200"]), (17 * OpenAPI.bytes.count / 4, ["200", "reset 8"])] {
            let connections = Self.connections(bytesMax: bytesMax)
            let client = try Self.closed(connections)
            try client.head(1, "GET", "/openapi.yaml")
            #expect(client.received(1) == ["200"] && connections.input.unreadBytes > 0)
            try client.wait(seconds: 2 * Limits.streamCheckSeconds)
            #expect(client.received(1) == told)
            try client.wait(seconds: Limits.streamChunkSecondsMax)
            #expect(client.received(1) == ["200", "reset 8"] && connections.input.unreadBytes == 0)
        }
    }

    @Test("a connection of HTTP/1.1 whose client reads too little ends when there is no room") func unread() throws {
        for (bytesMax, isOpen) in [(1 << 20, true), (100, false)] {
            let connections = Self.connections(bytesMax: bytesMax)
            let client = try Client(connections: connections)
            // What is written within a read is flushed at its end.
            client.channel.pipeline.fireChannelRead(ByteBuffer(string: "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
            client.channel.isWritable = false
            client.channel.pipeline.fireChannelWritabilityChanged()
            #expect(client.channel.isActive == isOpen)
            #expect((connections.input.unreadBytes > 0) == isOpen)
            client.channel.isWritable = true
            client.channel.pipeline.fireChannelWritabilityChanged()
            #expect(connections.input.unreadBytes == 0)
        }
    }
}

extension String {
    /// The parts after each occurrence of a separator.
    fileprivate func components(of separator: String) -> [Substring] {
        var (parts, rest) = ([Substring](), self[...])
        while let range = rest.firstRange(of: separator) {
            rest = rest[range.upperBound...]
            parts.append(rest[..<(rest.firstRange(of: separator)?.lowerBound ?? rest.endIndex)])
        }
        return parts
    }
}
