import Domain
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestDatabases
import Testing

@testable import HTTPServer

/// Behind a trusted proxy all clients share the proxy's connections, but each client has the same limits on connections
/// and memory as one that connects directly.
@Suite struct ForwardedClientsTests {
    private typealias Event = ConnectionDriver.Event

    private let bytesMax = 40_000
    private let free = Limits.bodyBytesFree
    private let loop = EmbeddedEventLoop()
    private let connections: OpenConnections

    init() throws {
        connections = OpenConnections(
            .init(connectionsMax: 100, ofAddressMax: 2, inputBytesMax: bytesMax),
            proxies: TrustedProxies([try #require(IPNetwork("10.0.0.0/8"))]),
            eventNetworks: [try #require(IPNetwork("198.51.100.0/24"))], logger: .none)
    }

    private func driver() throws -> ConnectionDriver {
        let connection = connections.open(EmbeddedChannel(loop: loop), from: IPAddress("10.0.0.1"))
        let open = try #require(connection)
        return ConnectionDriver(budget: open.input, clients: open.clients)
    }

    private func head(_ client: String?) -> Event { .head("PUT /a", client.map { ["X-Forwarded-For": $0] } ?? [:]) }

    /// Begins a request of a client, with an unfinished body.
    /// - Returns: The connection's reaction to the last of these bytes.
    private func send(_ client: String?, bytes count: Int, over driver: inout ConnectionDriver) -> String {
        _ = driver.perform(head(client))
        return driver.apply(.body(bytes: count))
    }

    @Test("a client may use its part of the memory and no more, over any number of the proxy's connections") func room()
        throws
    {
        let part = bytesMax / Limits.addressesFillingInput
        var (one, two, other) = (try driver(), try driver(), try driver())
        #expect(send("192.0.2.1", bytes: free + part - 10, over: &one) == "> reading \(free + part - 10)")
        #expect(send("192.0.2.1", bytes: free + 11, over: &two).contains("as overloaded"))
        #expect(send("192.0.2.2", bytes: free + part, over: &other) == "> reading \(free + part)")
        #expect(connections.input.bytes == 2 * part - 10)
        // One connection of the proxy carries requests of several clients, one after the other.
        for event: Event in [.end, .responded] { _ = one.perform(event) }
        #expect(send("192.0.2.3", bytes: free + part, over: &one) == "> reading \(free + part)")
        #expect(connections.input.bytes == 2 * part)
        for var driver in [one, other] { _ = driver.perform(.becameInactive) }
        #expect(connections.input.bytes == 0 && connections.blocksCount == 0)
    }

    @Test("small bodies pass when other clients use all the memory") func small() throws {
        let part = bytesMax / Limits.addressesFillingInput
        var drivers: [ConnectionDriver] = []
        for number in 1...Limits.addressesFillingInput {
            var driver = try driver()
            _ = send("192.0.2.\(number)", bytes: free + part, over: &driver)
            drivers.append(driver)
        }
        #expect(connections.input.bytes == bytesMax)
        var driver = try driver()
        for event in [head("192.0.2.9"), .body(bytes: free)] { _ = driver.perform(event) }
        #expect(driver.apply(.end) == "answer PUT /a with \(free) bytes > answering")
    }

    @Test("slow requests count as a client's connections until they are answered") func places() throws {
        var drivers = [try driver(), try driver(), try driver()]
        for index in 0..<2 {
            _ = send("192.0.2.1", bytes: 1, over: &drivers[index])
            #expect(drivers[index].apply(.readCompleted) == "set deadline > reading 1 due")
        }
        _ = send("192.0.2.1", bytes: 1, over: &drivers[2])
        #expect(drivers[2].apply(.readCompleted) == "refuse PUT /a with 1 bytes as rate-limited last > closed")
        // A client that connects directly has the same limit.
        #expect(connections.open(EmbeddedChannel(loop: loop), from: IPAddress("192.0.2.1")) == nil)
        #expect(connections.open(EmbeddedChannel(loop: loop), from: IPAddress("192.0.2.2")) != nil)
        var fast = try driver()
        for event in [head("192.0.2.1"), .body(bytes: 1)] { _ = fast.perform(event) }
        #expect(fast.apply(.end) == "answer PUT /a with 1 bytes > answering")
        for event: Event in [.end, .responded] { _ = drivers[0].perform(event) }
        var next = try driver()
        _ = send("192.0.2.1", bytes: 1, over: &next)
        #expect(next.apply(.readCompleted) == "set deadline > reading 1 due")
    }

    @Test("the count is returned once, whatever ends the request") func givenBack() throws {
        let ends: [[Event]] = [
            [.end, .responded], [.end, .becameInactive, .responded], [.body(bytes: Limits.bodyBytesMax)],
            [.deadlinePassed, .becameInactive], [.failToParse], [.failToHold], [.fail], [.stop], [.becameInactive],
            [.idleTimeElapsed(afterSeconds: 75)], [.inputEnded],
        ]
        for end in ends {
            var driver = try driver()
            _ = send("2001:db8::1", bytes: free + 1, over: &driver)
            _ = driver.perform(.readCompleted)
            #expect(connections.blocksCount == 3, "\(end)")
            for event in end { _ = driver.perform(event) }
            #expect(connections.blocksCount == 0 && connections.input.bytes == 0, "\(end)")
            _ = driver.perform(.becameInactive)
            #expect(connections.blocksCount == 0 && connections.input.bytes == 0, "\(end)")
        }
    }

    @Test("an event may use half of the memory, with or without a proxy, and a proxy that names nobody all of it")
    func exempt() throws {
        var (guest, other, nobody) = (try driver(), try driver(), try driver())
        #expect(send("198.51.100.7", bytes: free + bytesMax / 2, over: &guest).hasPrefix("> reading"))
        #expect(send("198.51.100.8", bytes: free + 1, over: &other).contains("as overloaded"))
        let direct = connections.open(EmbeddedChannel(loop: loop), from: IPAddress("198.51.100.9"))
        var share = MemoryShare(of: try #require(direct).input)
        #expect(share.take(bytes: 1) == false)
        #expect(send(nil, bytes: free + bytesMax / 2, over: &nobody).hasPrefix("> reading"))
        #expect(connections.input.bytes == bytesMax)
    }
}
