import Domain
import Logging
import NIOCore
import NIOEmbedded
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct OpenConnectionsTests {
    private let anywhere: SocketAddress
    private let loop = EmbeddedEventLoop()

    init() throws { anywhere = try SocketAddress(ipAddress: "127.0.0.1", port: 1) }

    private func open(_ connections: OpenConnections, _ address: String?) -> (EmbeddedChannel, OpenConnection?) {
        let channel = EmbeddedChannel(handlers: [], loop: loop)
        channel.connect(to: anywhere, promise: nil)
        let address = address.flatMap { IPAddress($0) }
        return (channel, connections.admits(address, on: loop) ? connections.open(channel, from: address) : nil)
    }

    @Test("an address has as many connections as it may have, and one more when one of them has closed")
    func ofAddress() throws {
        let connections = OpenConnections(.init(connectionsMax: 100, ofAddressMax: 2), logger: .none)
        let (first, _) = open(connections, "192.0.2.1")
        #expect(open(connections, "192.0.2.1").1 != nil)
        #expect(open(connections, "192.0.2.1").1 == nil)
        #expect(open(connections, "192.0.2.2").1 != nil)
        #expect(open(connections, "::ffff:192.0.2.1").1 == nil)
        try first.close().wait()
        loop.run()
        #expect(open(connections, "192.0.2.1").1 != nil)
        #expect(open(connections, "192.0.2.1").1 == nil)
    }

    @Test("the addresses of one customer of IPv6 count as one") func ofNetwork() {
        let connections = OpenConnections(.init(connectionsMax: 100, ofAddressMax: 2), logger: .none)
        #expect(open(connections, "2001:db8::1").1 != nil)
        #expect(open(connections, "2001:db8::2").1 != nil)
        #expect(open(connections, "2001:db8::3").1 == nil)
        #expect(open(connections, "2001:db8:0:1::3").1 != nil)
    }

    @Test("a /56 may have 8 times the connections of one address, a /48 32 times, and no block over half of all")
    func ofBlocks() throws {
        func opened(_ bounds: OpenConnections.Bounds, _ addresses: [String]) -> Int {
            let connections = OpenConnections(bounds, logger: .none)
            return addresses.filter { open(connections, $0).1 != nil }.count
        }
        let ofHome = (0..<256).map { "2001:db8:0:\(String($0, radix: 16))::1" }
        let ofRack = (0..<4_096).map { "2001:db8:0:\(String($0 * 16, radix: 16))::1" }
        let bounds = OpenConnections.Bounds(connectionsMax: 1_000, ofAddressMax: 2)
        #expect(opened(bounds, ofHome) == 16)
        #expect(opened(bounds, ofRack) == 64)
        #expect(opened(.init(connectionsMax: 20, ofAddressMax: 2), ofRack) == 10)
        #expect(opened(.init(connectionsMax: 20, ofAddressMax: 15), Array(repeating: "192.0.2.1", count: 20)) == 15)
        #expect(opened(.init(connectionsMax: 300, ofAddressMax: .max), ofHome) == 256)
    }

    @Test("exempt addresses and Unix domain sockets have any number, up to that of the server") func exempt() throws {
        let connections = OpenConnections(
            .init(connectionsMax: 7, ofAddressMax: 1), proxies: TrustedProxies([try #require(IPNetwork("192.0.2.9"))]),
            logger: .none)
        for _ in 0..<3 {
            #expect(open(connections, "192.0.2.9").1 != nil)
            #expect(open(connections, nil).1 != nil)
        }
        #expect(connections.count == 6)
        #expect(connections.blocksCount == 0)
    }

    @Test("trusted proxies and the networks of events are exempt, and nobody else") func lifted() throws {
        var rates = RateSettings()
        rates.eventNetworks = [try #require(IPNetwork("198.51.100.0/24"))]
        let proxies = TrustedProxies([try #require(IPNetwork("10.0.0.0/8"))])
        let connections = OpenConnections(
            .init(connectionsMax: 100, ofAddressMax: 1), proxies: proxies, rates: rates, logger: .none)
        for (address, isExempt) in [("10.0.0.1", true), ("198.51.100.7", true), ("203.0.113.1", false)] {
            #expect(open(connections, address).1 != nil)
            #expect((open(connections, address).1 != nil) == isExempt, "\(address)")
        }
    }

    @Test("an address opens connections as often as it may, unless it is exempt or no rates are limited") func rate()
        throws
    {
        func opened(_ address: String, _ rates: RateSettings) throws -> (Int, OpenConnections) {
            let proxies = TrustedProxies([try #require(IPNetwork("10.0.0.0/8"))])
            let bounds = OpenConnections.Bounds(ofAddressMax: 10_000)
            let connections = OpenConnections(bounds, proxies: proxies, rates: rates, logger: .none)
            let count = (0..<Limits.newConnectionsAtOnce + 5).filter { _ in open(connections, address).1 != nil }.count
            return (count, connections)
        }
        loop.advanceTime(by: .seconds(1))
        let (count, connections) = try opened("203.0.113.1", RateSettings())
        #expect(count == Limits.newConnectionsAtOnce)
        #expect(connections.use.refused.contains { $0 == ("address_rate", 5) })
        #expect(open(connections, "203.0.113.2").1 != nil)
        loop.advanceTime(by: .seconds(1))
        let later = (0..<Limits.newConnectionsPerSecond + 5).filter { _ in open(connections, "203.0.113.1").1 != nil }
        #expect(later.count == Limits.newConnectionsPerSecond)
        #expect(try opened("10.0.0.1", RateSettings()).0 == Limits.newConnectionsAtOnce + 5)
        #expect(try opened("203.0.113.1", .off).0 == Limits.newConnectionsAtOnce + 5)
    }

    @Test("a new connection takes the place of the one that has been idle longest") func room() {
        let connections = OpenConnections(.init(connectionsMax: 3, ofAddressMax: 9), logger: .none)
        let (one, two, three) = (open(connections, "192.0.2.1"), open(connections, nil), open(connections, nil))
        one.1?.becameIdle()
        #expect(open(connections, nil).1 != nil)
        #expect([one.0, two.0, three.0].map(\.isActive) == [true, false, true])
        #expect(connections.count == 3)
        // A connection that was busy and is idle again comes after those that were idle meanwhile.
        three.1?.becameBusy()
        three.1?.becameIdle()
        #expect(open(connections, nil).1 != nil)
        #expect([one.0, three.0].map(\.isActive) == [false, true])
        loop.run()
        #expect(connections.count == 3)
        #expect(connections.blocksCount == 0)
    }

    @Test("a connection with a request in progress is never closed for another one, which is refused") func full() {
        let connections = OpenConnections(.init(connectionsMax: 2, ofAddressMax: 9), logger: .none)
        let (one, two) = (open(connections, nil), open(connections, nil))
        one.1?.becameBusy()
        two.1?.becameBusy()
        #expect(open(connections, nil).1 == nil)
        #expect([one.0, two.0].map(\.isActive) == [true, true])
        #expect(connections.count == 2)
        two.1?.becameIdle()
        #expect(open(connections, nil).1 != nil)
        #expect([one.0, two.0].map(\.isActive) == [true, false])
    }

    @Test("connections that made room count until they have closed, and while too many close none makes room")
    func closing() throws {
        var bounds = OpenConnections.Bounds(connectionsMax: 2, ofAddressMax: 9)
        bounds.closingMax = 1
        let connections = OpenConnections(bounds, logger: .none)
        let goodbye = SlowGoodbye()
        let slow = EmbeddedChannel(handler: goodbye, loop: loop)
        slow.connect(to: anywhere, promise: nil)
        _ = connections.open(slow, from: nil)
        let (other, _) = open(connections, nil)
        #expect(open(connections, nil).1 != nil)
        #expect(slow.isActive)
        #expect(open(connections, nil).1 == nil)
        #expect(other.isActive)
        #expect(connections.count == 2)
        goodbye.end()
        loop.run()
        #expect(!slow.isActive)
        #expect(open(connections, nil).1 != nil)
        #expect(!other.isActive)
        #expect(connections.count == 2)
    }

    @Test("an address at its bound gets no place of somebody else") func noRoomForFlood() {
        let connections = OpenConnections(.init(connectionsMax: 3, ofAddressMax: 2), logger: .none)
        let other = open(connections, "192.0.2.2")
        for _ in 0..<10 { _ = open(connections, "192.0.2.1") }
        #expect(other.0.isActive)
        #expect(connections.count == 3)
    }

    @Test("closed connections leave nothing behind") func closed() throws {
        let connections = OpenConnections(.init(connectionsMax: 50, ofAddressMax: 50), logger: .none)
        for number in 0..<200 {
            let channels = (0..<10).map { open(connections, "192.0.2.\(($0 + number) % 200)").0 }
            for channel in channels { try channel.close().wait() }
            loop.run()
        }
        #expect(connections.count == 0)
        #expect(connections.blocksCount == 0)
    }

    @Test("open, refused and evicted connections are counted for the metrics, since the start") func use() {
        let connections = OpenConnections(.init(connectionsMax: 2, ofAddressMax: 1), logger: .none)
        func refused() -> [String: Int] { Dictionary(uniqueKeysWithValues: connections.use.refused) }
        let places = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"].map { open(connections, $0).1 }
        loop.advanceTime(by: .seconds(5))
        for place in places.suffix(2) { place?.becameBusy() }
        _ = open(connections, "192.0.2.4")
        #expect(connections.use.open == 2)
        #expect(connections.use.evicted == 1)
        #expect(refused() == ["address_full": 1, "address_rate": 0, "server_full": 1])
    }

    @Test("refusals are logged together, with their counts, at most once a second") func logged() {
        let log = CapturedLog()
        let connections = OpenConnections(.init(connectionsMax: 1, ofAddressMax: 1), logger: log.logger)
        let (_, place) = open(connections, "192.0.2.1")
        place?.becameBusy()
        for _ in 0..<500 { _ = open(connections, "192.0.2.1") }
        for _ in 0..<20 { _ = open(connections, "192.0.2.2") }
        #expect(log.lines == [])
        loop.advanceTime(by: .seconds(1))
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("500") == true && log.lines.first?.contains("20") == true)
        loop.advanceTime(by: .seconds(5))
        #expect(log.lines.count == 1)
        place?.becameIdle()
        _ = open(connections, "192.0.2.2")
        loop.advanceTime(by: .seconds(1))
        #expect(log.lines.count == 2)
        #expect(log.lines.last?.contains("idle_closed") == true)
    }
}

/// Holds the channel's close, as TLS does until its goodbye is answered.
private final class SlowGoodbye: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var held: (() -> Void)?

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        held = { context.close(mode: mode, promise: promise) }
    }

    func end() { held?() }
}
