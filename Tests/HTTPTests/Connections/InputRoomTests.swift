import Domain
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// The room for what clients send, over whole connections.
@Suite struct InputRoomTests {
    private let bytesMax = 40_000
    /// Bytes of a body that do not count.
    private let free = Limits.bodyBytesFree

    @Test("small bodies pass however full the room is") func small() throws {
        let connections = OpenConnections(.init(inputBytesMax: 1), logger: .none)
        let client = try HTTP2Client(connections: connections)
        try client.head(1, "PUT", "/v1/nowhere", isLast: false)
        try client.data(1, bytes: free, isLast: true)
        #expect(client.received(1).first == "404")
    }

    @Test("the connections of a server share its budget, over HTTP/2 as well") func http2() throws {
        let connections = OpenConnections(.init(inputBytesMax: 1_000), logger: .none)
        let (one, two) = (try HTTP2Client(connections: connections), try HTTP2Client(connections: connections))
        for client in [one, two] { try client.head(1, "PUT", "/v1/nowhere", isLast: false) }
        try one.data(1, bytes: free + 600)
        try two.data(1, bytes: free + 600)
        #expect(one.received(1) == [])
        #expect(two.received(1).first == "503")
        #expect(connections.input.bytes == 600)
        try one.server.close().wait()
        one.server.embeddedEventLoop.run()
        #expect(connections.input.bytes == 0)
    }

    @Test("the parser of a connection asks for room where its bodies do") func unparsed() throws {
        let connections = OpenConnections(.init(inputBytesMax: 100_000), logger: .none)
        let channel = EmbeddedChannel()
        let setup = ClientChannel(try Exchange.responderWithSilentDatabase().0, connections: connections)
        setup.connect(channel)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = "GET /v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 1_500)))
        #expect(connections.input.bytes > 10_000)
        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 1_500)))
        #expect(connections.input.bytes == 0)
    }

    @Test("over HTTP/2 each stream of a proxy's connection counts for its own client") func streams() throws {
        let connections = OpenConnections(
            .init(connectionsMax: 100, ofAddressMax: 2, inputBytesMax: bytesMax),
            proxies: TrustedProxies([try #require(IPNetwork("127.0.0.0/8"))]), logger: .none)
        let client = try HTTP2Client(connections: connections, from: "127.0.0.1")
        let part = bytesMax / Limits.addressesFillingInput
        func begin(_ stream: HTTP2StreamID, _ address: String, bytes count: Int, isLast: Bool = false) throws {
            try client.head(stream, "PUT", "/v1/nowhere", ["x-forwarded-for": address], isLast: false)
            try client.data(stream, bytes: count, isLast: isLast)
        }
        try begin(1, "192.0.2.1", bytes: free + part)
        try begin(3, "192.0.2.1", bytes: free + 1)
        #expect(client.received(1) == [] && client.received(3).first == "503")
        try begin(5, "192.0.2.2", bytes: free + 1, isLast: true)
        try begin(7, "192.0.2.1", bytes: free, isLast: true)
        #expect(client.received(5).first == "404" && client.received(7).first == "404")
        // The bodies that are still coming at the next look are slow.
        for stream: HTTP2StreamID in [9, 11] { try begin(stream, "192.0.2.1", bytes: 1) }
        try client.wait(seconds: Limits.streamCheckSeconds)
        #expect([9, 11].filter { client.received($0).first == "429" }.count == 1)
        try client.server.close().wait()
        client.server.embeddedEventLoop.run()
        #expect(connections.blocksCount == 0 && connections.input.bytes == 0)
    }
}
