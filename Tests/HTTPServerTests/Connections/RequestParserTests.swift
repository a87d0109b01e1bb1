import Domain
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestDice
import Testing

@testable import HTTPServer

/// The real decoder behind the parser, whatever way the bytes come.
@Suite struct RequestParserTests {
    private static let offers = [
        // What Java's HttpClient and `curl --http2` send.
        "GET /a HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nHost: x\r\nHTTP2-Settings: AAEAAEAA\r\n"
            + "Upgrade: h2c\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n\r\n",
        "GET /a HTTP/1.0\r\nConnection: keep-alive,upgrade\r\nUpgrade: h2c\r\n\r\n",
        "PUT /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 9\r\n\r\nGET /x HT",
        "PUT /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3\r\nGET\r\n6\r\n /x HT\r\n0\r\nDigest: y\r\n\r\n",
        "PUT /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n",
    ]

    @Test("a protocol that is offered is ignored, and requests go on behind it, wherever the bytes are split")
    func offersIgnored() throws {
        for offer in Self.offers {
            let body = offer.hasPrefix("PUT") && !offer.contains("Length: 0") ? ["GET /x HT"] : []
            let bytes = offer + offer + "PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"
            let method = String(offer.prefix(3))
            let expected = ["\(method) /a"] + body + ["end", "\(method) /a"] + body + ["end", "PUT /b", "hi", "end"]
            let count = bytes.utf8.count
            for first in 0..<count {
                // One split at each byte, and a second one a varying distance behind it.
                let second = min(count, first + 1 + first % 23)
                let pieces = [0..<first, first..<second, second..<count]
                #expect(try Self.parts(of: bytes, in: pieces) == expected, "\(offer) split at \(first) and \(second)")
            }
            #expect(try Self.parts(of: bytes, in: (0..<count).map { $0..<$0 + 1 }) == expected, "\(offer) by bytes")
        }
    }

    @Test("for which requests the decoder stops is known, or known to be unclear") func offersClassified() throws {
        let words = ["upgrade", "Upgrade", "UPGRADE", "keep-alive", "close", "upgrades", "u", "h2c", "up", "é"]
        let marks = [",", ", ", " ", " , ", "", "", "\t", ";", "="]
        var seen: [RequestHead.UpgradeOffer: Int] = [:]
        for seed in Dice.seeds(1...2_000) {
            var dice = Dice(seed: seed)
            var value = ""
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                value += (marks.randomElement(using: &dice) ?? "") + (words.randomElement(using: &dice) ?? "")
            }
            if Bool.random(using: &dice) { value = String(value.drop { !$0.isLetter }) }
            let name = ["Connection", "connection", "Proxy-Connection"].randomElement(using: &dice) ?? ""
            let upgrades = ["Upgrade: h2c", "UPGRADE: x", "upgrade: ", "X-Upgrade: h2c"]
            let upgrade = upgrades.randomElement(using: &dice) ?? ""
            let others = ["", "Transfer-Encoding: gzip\r\n", "Connection: keep-alive\r\n"]
            let more = others.randomElement(using: &dice) ?? ""
            let request = "GET /a HTTP/1.1\r\nHost: x\r\n\(name): \(value)\r\n\(upgrade)\r\n\(more)\r\n"
            let client = try ParserClient(ignoresOffers: false)
            client.send(request + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            guard let offer = client.collector.offers.first else { continue }
            seen[offer, default: 0] += 1
            let hasStopped = !client.collector.hasFailed && client.collector.parts == ["GET /a", "end"]
            switch offer {
            case .present: #expect(hasStopped, "SEED=\(seed): \(request)")
            case .absent: #expect(!hasStopped, "SEED=\(seed): \(request)")
            case .unclear: break
            }
        }
        // If one class never came, the test would show little.
        guard Dice.seeds(1...2_000).count > 1 else { return }
        for offer in [RequestHead.UpgradeOffer.present, .absent, .unclear] { #expect(seen[offer, default: 0] > 20) }
    }

    @Test("what follows CONNECT, or an offer that is unclear, is neither read nor kept") func dropped() throws {
        for request in [
            "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade;q\r\nUpgrade: h2c\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: gzip\r\n\r\n",
        ] {
            let client = try ParserClient()
            client.send(request)
            for _ in 0..<1_000 { client.send(String(repeating: "x", count: 4_096)) }
            #expect(client.parser.heldBytes == 0)
            #expect(client.collector.parts.last == "end" && client.collector.parts.count == 2, "\(request)")
        }
    }

    @Test("a decoder that stopped unexpectedly holds few bytes, and the connection fails") func stopped() throws {
        let client = try ParserClient(ignoresOffers: false)
        client.send(Self.offers[0])
        for _ in 0..<1_000 {
            client.send(String(repeating: "x", count: 4_096))
            #expect(client.parser.heldBytes <= Limits.unparsedBytesMax)
        }
        #expect(client.collector.hasFailed)
        #expect(client.parser.heldBytes == 0)
    }

    @Test("many small requests in one read are held as bytes while the connection takes none") func pipelined() throws {
        let client = try ParserClient()
        client.collector.isHolding = true
        let request = "GET /a HTTP/1.1\r\nHost:\r\n\r\n"
        client.send(String(repeating: request, count: 10_000))
        let partsMax = 2 * (Limits.parsedBytesMax / request.utf8.count + 1)
        #expect((1...partsMax).contains(client.collector.parts.count))
        #expect(client.parser.heldBytes <= Limits.unparsedBytesMax)
        client.collector.isHolding = false
        client.channel.pipeline.read()
        #expect(client.collector.parts.count == 20_000)
        #expect(client.parser.heldBytes == 0)
    }

    @Test("bytes that come although nothing is read are held up to a bound; beyond it the connection fails in the end")
    func overflown() throws {
        let client = try ParserClient()
        client.collector.isHolding = true
        let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
        let count = 3 * Limits.unparsedBytesMax / request.utf8.count
        for _ in 0..<count { client.send(request) }
        client.endInput()
        #expect(client.parser.heldBytes <= Limits.unparsedBytesMax)
        #expect(!client.collector.hasEnded)
        client.collector.isHolding = false
        client.channel.pipeline.read()
        #expect(client.collector.hasFailed && client.collector.hasEnded)
        #expect(client.parser.heldBytes == 0)
        let bytesMax = Limits.parsedBytesMax + Limits.unparsedBytesMax
        #expect(client.collector.parts.count <= 2 * bytesMax / request.utf8.count)
    }

    @Test("the end of the input comes behind the requests that are held, and fails what is incomplete") func ended()
        throws
    {
        let client = try ParserClient()
        client.collector.isHolding = true
        client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", count: 1_000) + "GET /b HT")
        client.endInput()
        #expect(!client.collector.hasEnded)
        client.collector.isHolding = false
        client.channel.pipeline.read()
        #expect(client.collector.parts.count == 2_000)
        #expect(client.collector.hasFailed && client.collector.hasEnded)
    }

    @Test("a read without bytes is none for the connection") func emptyRead() throws {
        let client = try ParserClient()
        client.channel.pipeline.fireChannelReadComplete()
        #expect(client.collector.readsCount == 0)
        client.send("GE")
        #expect(client.collector.readsCount == 1)
    }

    @Test("a read of nothing but empty lines is reported as such, wherever it comes") func blankReads() throws {
        let client = try ParserClient()
        client.send("\r\n")
        client.send("GET /a HTTP/1.1\r\nHost: x")
        client.send("\r\n\r\n")
        client.send("\n\r")
        client.send("\r\n ")
        #expect(client.collector.blankReadsCount == 3 && client.collector.readsCount == 2)
        #expect(client.collector.parts == ["GET /a", "end"])
    }

    @Test("bytes that wait take room beyond a free part, and none once they are parsed or dropped") func room() throws {
        let bytesMax = 100_000
        let budget = MemoryBudget(bytesMax: bytesMax)
        let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
        let client = try ParserClient(budget: budget)
        client.send(String(repeating: request, count: 2_000))
        #expect(client.collector.parts.count == 4_000 && budget.bytes == 0)
        client.collector.isHolding = true
        client.send(String(repeating: request, count: 3_000))
        #expect(budget.bytes == client.parser.heldBytes - Limits.unparsedBytesFree && budget.bytes > 50_000)
        let other = try ParserClient(budget: budget)
        other.collector.isHolding = true
        other.send(String(repeating: request, count: 500))
        #expect(other.parser.heldBytes > 0 && !other.collector.hasFailed)
        other.send(String(repeating: request, count: 2_000))
        #expect(other.collector.lacksRoom && other.parser.heldBytes == 0)
        #expect(budget.bytes == client.parser.heldBytes - Limits.unparsedBytesFree)
        client.collector.isHolding = false
        client.channel.pipeline.read()
        #expect(client.collector.parts.count == 10_000 && !client.collector.hasFailed)
        #expect(budget.bytes == 0)
        client.collector.isHolding = true
        client.send(String(repeating: request, count: 3_000))
        #expect(budget.bytes > 0)
        try client.channel.close().wait()
        client.channel.embeddedEventLoop.run()
        #expect(budget.bytes == 0)
    }

    @Test("a head larger than the bound fails, however it comes") func largeHead() throws {
        for piece in [1_000, 100_000] {
            let client = try ParserClient()
            client.send("GET /a HTTP/1.1\r\nX: ")
            for _ in 0..<(Limits.headBytesMax / piece + 2) {
                client.send(String(repeating: "x", count: piece))
                #expect(client.parser.heldBytes <= Limits.headBytesMax + piece)
            }
            #expect(client.collector.hasFailed && client.collector.parts.isEmpty)
        }
    }

    /// The parts of bytes that come in pieces, with the parts of a body joined.
    private static func parts(of text: String, in pieces: [Range<Int>]) throws -> [String] {
        let client = try ParserClient()
        let bytes = Array(text.utf8)
        for piece in pieces where !piece.isEmpty { client.send(bytes[piece]) }
        #expect(!client.collector.hasFailed)
        return client.collector.parts
    }
}

/// A client before a parser whose parts are collected.
private struct ParserClient {
    let channel = EmbeddedChannel()
    let parser: RequestParser
    let collector: PartsCollector

    init(ignoresOffers: Bool = true, budget: MemoryBudget? = nil) throws {
        parser = RequestParser(budget: budget)
        collector = PartsCollector(ignoresOffers: ignoresOffers)
        try channel.pipeline.syncOperations.addHandlers([parser, collector])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ text: String) { send(text.utf8) }

    func send(_ bytes: some Sequence<UInt8>) {
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
        channel.pipeline.fireChannelReadComplete()
    }

    func endInput() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
}

/// Stands where the connection stands: it steers the parser, and may hold its reads.
private final class PartsCollector: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer

    private(set) var parts: [String] = []
    private(set) var offers: [RequestHead.UpgradeOffer] = []
    private(set) var hasFailed = false
    private(set) var hasEnded = false
    private(set) var lacksRoom = false
    private(set) var readsCount = 0
    private(set) var blankReadsCount = 0
    var isHolding = false
    private let ignoresOffers: Bool
    private var isInBody = false

    init(ignoresOffers: Bool) { self.ignoresOffers = ignoresOffers }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            parts.append("\(head.method) \(head.uri)")
            offers.append(RequestHead(head).upgrade)
            isInBody = false
        case .body(let bytes):
            if isInBody { parts[parts.count - 1] += String(buffer: bytes) } else { parts.append(String(buffer: bytes)) }
            isInBody = true
        case .end:
            parts.append("end")
            guard ignoresOffers else { return }
            switch offers.last {
            case .present: context.triggerUserOutboundEvent(RequestParser.Command.startAnew, promise: nil)
            case .unclear: context.triggerUserOutboundEvent(RequestParser.Command.dropInput, promise: nil)
            case .absent, nil: break
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { readsCount += 1 }

    func read(context: ChannelHandlerContext) { if !isHolding { context.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: hasEnded = true
        case is RequestParser.BlankRead: blankReadsCount += 1
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        hasFailed = true
        lacksRoom = error is RequestParser.NoRoom
    }
}
