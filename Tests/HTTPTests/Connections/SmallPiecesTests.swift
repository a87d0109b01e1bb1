import Domain
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP2
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// Floods of frames, chunks and records that have hardly any bytes.
@Suite struct SmallPiecesTests {
    /// A frame of HTTP/2 (RFC 9113, section 4.1) whose payload is zeros.
    private static func frame(_ type: UInt8, bytes count: Int, stream: UInt8 = 0) -> [UInt8] {
        [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), type, 0, 0, 0, 0, stream]
            + [UInt8](repeating: 0, count: count)
    }

    /// Frames that no limit of NIO counts, or whose limit many connections multiply.
    private static let frames: [String: [UInt8]] = [
        "DATA": frame(0, bytes: 1, stream: 1), "PRIORITY": frame(2, bytes: 5, stream: 9),
        "SETTINGS": frame(4, bytes: 0), "PING": frame(6, bytes: 8), "GOAWAY": frame(7, bytes: 8),
        "WINDOW_UPDATE": [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1], "ALTSVC": frame(10, bytes: 2),
        "unknown": frame(0xBE, bytes: 0),
    ]

    private static func client(_ connections: OpenConnections? = nil, from address: String = "192.0.2.1") throws
        -> HTTP2Client
    {
        let client = try HTTP2Client(connections: connections, from: address)
        try client.head(1, "PUT", "/v1/nowhere", isLast: false)
        return client
    }

    @Test("a connection that sends more and more small frames is told to calm down and ends, whatever frames they are")
    func frames() throws {
        for (name, frame) in Self.frames {
            let client = try Self.client()
            var count = 0
            while client.server.isActive, count <= 2 * Limits.smallPiecesAtOnce {
                try client.send(bytes: Array(repeatElement(frame, count: 16).joined()))
                count += 16
            }
            for _ in 0..<100 { try client.wait(milliseconds: 1) }
            #expect(!client.server.isActive, "\(name)")
            #expect(client.received(.rootStream).last?.hasPrefix("go away 11 ") == true, "\(name)")
        }
    }

    @Test("a few small frames now and then, and those that acknowledge responses, do no harm") func fewFrames() throws {
        let client = try Self.client()
        let update = try #require(Self.frames["WINDOW_UPDATE"])
        for second in 0..<60 {
            try client.send(bytes: Array(repeatElement(update, count: Limits.smallPiecesPerSecond).joined()))
            try client.head(HTTP2StreamID(3 + 2 * second), "GET", "/nowhere")
            try client.wait(seconds: 1)
            #expect(client.server.isActive)
        }
        // Bodies in frames that are small and not tiny.
        let other = try Self.client()
        for _ in 0..<2_000 { try other.data(1, bytes: Limits.smallPieceBytes) }
        #expect(other.server.isActive)
    }

    @Test("in each moment one client's connections pass few frames on, however many they are, and others pass theirs")
    func shares() throws {
        let loop = EmbeddedEventLoop()
        let connections = OpenConnections(.init(), logger: .none)
        let first = try HTTP2Client(connections: connections, from: "192.0.2.1", loop: loop)
        let many = try (0..<20).map { _ in
            try HTTP2Client(connections: connections, from: "192.0.2.1", loop: loop, door: first.door)
        }
        let polite = try HTTP2Client(connections: connections, from: "192.0.2.9", loop: loop, door: first.door)
        let update = try #require(Self.frames["WINDOW_UPDATE"])
        let flood = ByteBuffer(bytes: Array(repeatElement(update, count: 500).joined()))
        for client in many { try client.server.writeInbound(flood) }
        let gates = try many.map { try $0.server.pipeline.syncOperations.handler(type: FrameGate.self) }
        // The last frame may go beyond it.
        let turn = Limits.inputTurnBytes + InputMeter.cost(pieces: 1, bytes: update.count)
        func passedBytes() -> Int { gates.map { flood.readableBytes - $0.heldBytes }.reduce(0, +) }
        func cost() -> Int { InputMeter.cost(pieces: passedBytes() / update.count, bytes: passedBytes()) }
        #expect(cost() > 0 && cost() <= Limits.inputShareBytes + turn)
        try polite.heads([1], "GET", "/healthz")
        #expect(polite.received(1) == ["200", "data 3 end"])
        let before = cost()
        loop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds))
        #expect(cost() > before && cost() <= before + 2 * turn, "a turn ends with the portion that goes beyond it")
        for _ in 0..<1_000 { loop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds)) }
        #expect(gates.allSatisfy { $0.heldBytes == 0 }, "each has its turns in the end")
    }

    @Test("what a client sends while its connection rests is held within bounds, and reading stops meanwhile")
    func backpressure() throws {
        let (channel, reads, ends) = (EmbeddedChannel(), ReadCounter(), EndCounter())
        let meter = InputMeter(on: channel.eventLoop, turns: LoopTurns(channel.eventLoop))
        let gate = FrameGate(meter, budget: MemoryBudget(bytesMax: 1 << 20))
        try channel.pipeline.syncOperations.addHandlers([reads, gate, ends])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let preface = [UInt8]("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        let large = Self.frame(10, bytes: 16_000)
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: preface))
        var sent = 0
        while gate.heldBytes == 0, sent < 1_000 {
            channel.pipeline.fireChannelRead(ByteBuffer(bytes: large))
            sent += 1
        }
        #expect(sent * large.count <= Limits.inputShareBytes + 2 * large.count)
        let count = reads.count
        channel.pipeline.read()
        #expect(reads.count == count, "a connection that rests does not read")
        channel.embeddedEventLoop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds))
        #expect(gate.heldBytes == 0 && reads.count == count + 1)
        // The end of the input is reported behind what was held.
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: Array(repeatElement(large, count: 12).joined())))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(gate.heldBytes > 0 && ends.count == 0)
        for _ in 0..<20 { channel.embeddedEventLoop.advanceTime(by: .microseconds(Limits.turnPauseMicroseconds)) }
        #expect(gate.heldBytes == 0 && ends.count == 1)
    }

    @Test("a body of more and more tiny chunks is refused, and its connection ends; larger chunks are read")
    func chunks() throws {
        for (bytes, count, expected) in [(1, 4_000, "400"), (100, 1_500, "404")] {
            let channel = EmbeddedChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: "192.0.2.1", port: 1)
            let connections = OpenConnections(.init(), logger: .none)
            let setup = ClientChannel(try Exchange.responderWithSilentDatabase().0, connections: connections)
            setup.connect(channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.writeInbound(
                ByteBuffer(string: "PUT /v1/nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"))
            let chunk = String(bytes, radix: 16) + "\r\n" + String(repeating: "x", count: bytes) + "\r\n"
            for _ in 0..<count where channel.isActive {
                try channel.writeInbound(ByteBuffer(string: chunk))
                channel.embeddedEventLoop.advanceTime(by: .microseconds(100))
            }
            if channel.isActive { try channel.writeInbound(ByteBuffer(string: "0\r\n\r\n")) }
            for _ in 0..<100 { channel.embeddedEventLoop.advanceTime(by: .milliseconds(1)) }
            var text = ""
            while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
            #expect(text.hasPrefix("HTTP/1.1 \(expected) "))
            #expect(channel.isActive == (expected == "404"))
        }
    }

    @Test("an address whose connection was ended for its floods may open fewer for a while") func charge() throws {
        var bounds = OpenConnections.Bounds()
        bounds.ofAddressRate = Rate("1/h:\(Limits.floodChargeConnections + 1)")
        let connections = OpenConnections(bounds, logger: .none)
        let client = try Self.client(connections)
        let other = try Self.client(connections, from: "192.0.2.9")
        let update = try #require(Self.frames["WINDOW_UPDATE"])
        while client.server.isActive {
            try client.send(bytes: Array(repeatElement(update, count: 100).joined()))
            try client.wait(milliseconds: 10)
        }
        let loop = EmbeddedEventLoop()
        #expect(!connections.admits(IPAddress("192.0.2.1"), on: loop))
        #expect(connections.admits(IPAddress("192.0.2.9"), on: loop))
        #expect(other.server.isActive)
    }

    @Test("a flood of tiny records of TLS ends the connection before they are decrypted") func tinyRecords() throws {
        let channel = EmbeddedChannel()
        let peer = Peer(address: nil, isEncrypted: true)
        let meter = InputMeter(on: channel.eventLoop, from: peer, turns: LoopTurns(channel.eventLoop))
        try channel.pipeline.syncOperations.addHandler(RecordMeter(meter))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let record: [UInt8] = [23, 3, 3, 0, 17] + Array(repeating: 7, count: 17)
        let few = ByteBuffer(bytes: Array(repeatElement(record, count: 100).joined()))
        try channel.writeInbound(few)
        let passed = try channel.readInbound(as: ByteBuffer.self)
        #expect(passed == few && channel.isActive)
        for _ in 0..<2 * Limits.smallPiecesAtOnce / 100 where channel.isActive { try channel.writeInbound(few) }
        #expect(!channel.isActive)
    }

    @Test("records of TLS are found wherever their bytes are split") func records() {
        var bytes: [UInt8] = []
        for length in [0, 1, 300, 0, 16_384, 5] {
            bytes += [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(repeating: 7, count: length)
        }
        for step in [1, 4, 5, 6, 1_000, bytes.count] {
            var count = RecordCount()
            var (records, payload) = (0, 0)
            for start in stride(from: 0, to: bytes.count, by: step) {
                let piece = ByteBuffer(bytes: bytes[start..<min(bytes.count, start + step)])
                let found = count.received(piece.readableBytesView)
                (records, payload) = (records + found.records, payload + found.bytes)
            }
            #expect(records == 6 && payload == 16_690, "\(step)")
        }
    }
}

/// Stands before a gate: counts what it reads.
private final class ReadCounter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

/// Stands behind a gate: counts how often it hears that the client sends no more.
private final class EndCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var count = 0

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { count += 1 }
    }

    @Test("a client that acknowledges each 4 KiB of a long download, twice and over TLS, goes on") func download() {
        let loop = EmbeddedEventLoop()
        let meter = InputMeter(on: loop, from: .unknown, turns: LoopTurns(loop))
        for _ in 0..<1_000 {
            meter.sent(bytes: 9)
            meter.sent(bytes: Limits.streamChunkBytes)
            // Eight frames of WINDOW_UPDATE in four records.
            meter.count(pieces: 12, bytes: 8 * 4 + 4 * 26)
            #expect(!meter.isFlooded())
        }
        for _ in 0..<1_000 { meter.count(pieces: 12, bytes: 8 * 4 + 4 * 26) }
        #expect(meter.isFlooded())
    }
}
