import Domain
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// A connection of HTTP/2 between its client's bytes and the responder.
@Suite struct HTTP2ConnectionTests {
    private static let last = Int(HTTP2StreamID.maxID)

    @Test("streams are answered, with lower-case names, a date, and the length of the body") func get() throws {
        let client = try HTTP2Client()
        try client.head(1, "GET", "/healthz")
        try client.head(3, "HEAD", "/healthz")
        #expect(client.received(1) == ["200", "data 3 end"])
        #expect(client.received(3) == ["200 end"])
        for stream: HTTP2StreamID in [1, 3] {
            let head = try #require(client.response(stream))
            #expect(head.first(name: "content-length") == "3")
            #expect(head.first(name: "date")?.hasSuffix(" GMT") == true)
            #expect(head.allSatisfy { $0.name == $0.name.lowercased() && $0.name != "connection" })
        }
        #expect(try client.connection().answeredCount == 0)
        #expect(try client.connection().streamsCount == 0)
    }

    @Test("a body comes as one request; one that is too large is refused while it still comes") func bodies() throws {
        let client = try HTTP2Client()
        try client.head(1, "PUT", "/v1/nowhere", isLast: false)
        try client.data(1, bytes: 10_000)
        #expect(try client.connection().bodiesBytes == 10_000)
        try client.data(1, bytes: 10, isLast: true)
        #expect(client.received(1).first == "404")
        #expect(try client.connection().bodiesBytes == 0)

        try client.head(3, "PUT", "/v1/nowhere", ["content-length": "\(Limits.bodyBytesMax + 1)"], isLast: false)
        #expect(client.received(3).first == "413")
        #expect(client.received(3).last == "reset 0")
    }

    @Test("who asks before sending is told to go on") func expect() throws {
        let client = try HTTP2Client()
        try client.head(1, "PUT", "/v1/nowhere", ["expect": "100-continue"], isLast: false)
        #expect(client.received(1) == ["100"])
        try client.data(1, bytes: 1, isLast: true)
        #expect(client.received(1)[1] == "404")
    }

    @Test("all bodies of a connection are within its bound, and streams beyond it are told to come again")
    func bodiesOfAllStreams() throws {
        let client = try HTTP2Client()
        var refused = 0
        for number in 0..<Limits.streamsMax {
            let stream = HTTP2StreamID(1 + 2 * number)
            try client.head(stream, "PUT", "/v1/nowhere", isLast: false)
            for _ in 0..<4 where client.received(stream).isEmpty { try client.data(stream, bytes: 60_000) }
            #expect(try client.connection().bodiesBytes <= Limits.streamBodiesBytesMax)
            if client.received(stream).first == "503" { refused += 1 }
        }
        #expect(refused >= Limits.streamsMax - 1 - Limits.streamBodiesBytesMax / 60_000)
        #expect(try client.connection().bodiesBytes > Limits.streamBodiesBytesMax - 120_000)
        // Those that came in time are answered when their bodies end, or refused as too slow.
        try client.wait(seconds: Limits.bodySecondsMax + Limits.streamCheckSeconds)
        #expect(client.received(1).first == "408")
        #expect(try client.connection().bodiesBytes == 0)
        #expect(try client.connection().streamsCount == 0)
    }

    @Test("as many requests are answered at once as may be, also when their streams are reset") func rapidReset() throws
    {
        let client = try HTTP2Client()
        for number in 0..<30 { try client.head(HTTP2StreamID(1 + 2 * number), "GET", "/v1/games") }
        #expect(try client.connection().answeredCount == Limits.streamsAnsweredMax)
        for number in 0..<30 { try client.send(HTTP2StreamID(1 + 2 * number), .rstStream(.cancel)) }
        for number in 30..<150 {
            let stream = HTTP2StreamID(1 + 2 * number)
            try client.head(stream, "GET", "/v1/games")
            #expect(try client.connection().answeredCount <= Limits.streamsAnsweredMax)
            try client.send(stream, .rstStream(.cancel))
        }
        #expect(try client.connection().streamsCount == 0)
        // A polite request beside them is answered.
        try client.head(1_001, "GET", "/healthz")
        #expect(client.received(1_001) == ["200", "data 3 end"])
        #expect(try client.connection().answeredCount == 0)
    }

    @Test("a client that resets too many streams is told to calm down, and let go") func tooManyResets() throws {
        let client = try HTTP2Client()
        for number in 0...Limits.streamResetsMax where client.server.isActive {
            let stream = HTTP2StreamID(1 + 2 * number)
            try client.head(stream, "GET", "/v1/games")
            try client.send(stream, .rstStream(.cancel))
        }
        #expect(client.received(.rootStream) == ["go away 11 after 0"])
        #expect(!client.server.isActive)
    }

    @Test("floods of pings, settings and empty frames end the connection") func floods() throws {
        for payload: HTTP2Frame.FramePayload in [
            .ping(HTTP2PingData(withInteger: 1), ack: false), .settings(.settings([])),
        ] {
            let client = try HTTP2Client()
            for _ in 0...Limits.controlFramesMax where client.server.isActive { try client.send(.rootStream, payload) }
            #expect(client.received(.rootStream).last == "go away 11 after 0")
            #expect(!client.server.isActive)
        }
        let client = try HTTP2Client()
        try client.head(1, "PUT", "/v1/nowhere", isLast: false)
        for _ in 0...Limits.emptyDataFramesMax where client.server.isActive { try client.data(1, bytes: 0) }
        #expect(!client.server.isActive)
    }

    @Test("a head that never ends is cut off, by its frames and by its bytes") func continuations() throws {
        let empty: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 0, 1]
        let client = try HTTP2Client()
        try client.send(bytes: [0, 0, 0, 1, 0, 0, 0, 0, 1])
        for _ in 0...Limits.continuationFramesMax { try client.send(bytes: empty) }
        #expect(client.received(.rootStream).first?.hasPrefix("go away 11 ") == true)
        #expect(!client.server.isActive)

        let other = try HTTP2Client()
        try other.head(1, "GET", "/healthz", ["x": String(repeating: "y", count: Limits.streamHeadBytesMax)])
        #expect(!other.server.isActive)
    }

    @Test("an error of one stream leaves the others alone") func streamError() throws {
        let client = try HTTP2Client()
        try client.head(1, "PUT", "/v1/nowhere", ["content-length": "5"], isLast: false)
        try client.data(1, bytes: 6, isLast: true)
        #expect(client.received(1) == ["reset 1"])
        try client.head(3, "GET", "/healthz")
        #expect(client.received(3) == ["200", "data 3 end"])
        #expect(client.server.isActive)
    }

    @Test("a response that is not read is held for a bounded time, and only some are made") func zeroWindow() throws {
        let client = try HTTP2Client(settings: [HTTP2Setting(parameter: .initialWindowSize, value: 0)])
        for number in 0..<50 { try client.head(HTTP2StreamID(1 + 2 * number), "GET", "/healthz") }
        let answered = (0..<50).filter { client.response(HTTP2StreamID(1 + 2 * $0)) != nil }
        #expect(answered == Array(0..<Limits.streamsAnsweredMax))
        try client.send(33, .windowUpdate(windowSizeIncrement: 10))
        try client.wait(seconds: Limits.streamChunkSecondsMax + Limits.streamCheckSeconds)
        #expect(client.received(1) == ["200", "reset 8"])
        // The next ones have their turn then.
        #expect(client.received(33) == ["200", "data 3 end"])
        #expect(try client.connection().answeredCount == Limits.streamsAnsweredMax)
    }

    @Test("a connection that quiesces answers what has begun, refuses the rest, and closes") func quiesce() throws {
        let client = try HTTP2Client()
        try client.head(1, "PUT", "/v1/nowhere", isLast: false)
        client.server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try client.exchange()
        #expect(client.received(.rootStream) == ["go away 0 after \(Self.last)", "go away 0 after 1"])
        #expect(client.server.isActive)
        try client.data(1, bytes: 1, isLast: true)
        #expect(client.received(1).first == "404")
        #expect(!client.server.isActive)
    }

    @Test("Stop cancels what waits for the database, and the connection closes after its response") func stop() throws {
        let client = try HTTP2Client()
        try client.head(1, "GET", "/v1/games")
        try client.head(3, "PUT", "/v1/nowhere", isLast: false)
        client.server.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
        try client.exchange()
        #expect(client.received(1).first == "503")
        #expect(client.received(3) == ["reset 7"])
        #expect(!client.server.isActive)
    }

    @Test("an idle connection is told so and closed") func idle() throws {
        let client = try HTTP2Client()
        try client.head(1, "GET", "/healthz")
        try client.wait(seconds: Limits.idleSeconds - 1)
        #expect(client.server.isActive)
        try client.wait(seconds: Limits.streamCheckSeconds + 1)
        #expect(client.received(.rootStream).first == "go away 0 after \(Self.last)")
        try client.wait(seconds: Limits.streamCheckSeconds)
        #expect(!client.server.isActive)

        let silent = try HTTP2Client()
        try silent.wait(seconds: Limits.headSecondsMax + Limits.streamCheckSeconds)
        #expect(silent.received(.rootStream).first == "go away 0 after \(Self.last)")
    }

    @Test("a connection whose streams send slowly makes room, and one that answers a stream does not") func room()
        throws
    {
        let connections = OpenConnections(.init(connectionsMax: 1, ofAddressMax: 9), logger: .none)
        let loop = EmbeddedEventLoop()
        let slow = try HTTP2Client(connections: connections, loop: loop)
        try slow.head(1, "PUT", "/v1/nowhere", isLast: false)
        let busy = try HTTP2Client(connections: connections, loop: loop)
        #expect(!slow.server.isActive)
        try busy.head(1, "GET", "/v1/games")
        #expect(connections.open(EmbeddedChannel(loop: loop), from: nil) == nil)
        #expect(busy.server.isActive)
        busy.server.pipeline.fireUserInboundEventTriggered(ClientConnection.Stop())
        loop.run()
        #expect(connections.open(EmbeddedChannel(loop: loop), from: nil) != nil)
    }

    @Test("over TLS the version is agreed on in the handshake, which has a deadline") func tls() throws {
        try withFiles { files in
            let certificate = try ServerCertificate(files, now: Instant(microsecondsSince1970: 1_800_000_000_000_000))
            let client = try HTTP2Client(certificate: certificate)
            try client.head(1, "GET", "/healthz")
            #expect(client.received(1) == ["200", "data 3 end"])
            #expect(try client.connection().peer.isEncrypted)

            let silent = EmbeddedChannel()
            let setup = ClientChannel(try Exchange.responderWithSilentDatabase().0, certificate: certificate)
            setup.connect(silent)
            try silent.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            silent.embeddedEventLoop.advanceTime(by: .seconds(Limits.handshakeSeconds - 1))
            #expect(silent.isActive)
            silent.embeddedEventLoop.advanceTime(by: .seconds(1 + Limits.tlsGoodbyeSeconds))
            #expect(!silent.isActive)
        }
    }
}
