import Domain
import NIOCore
import NIOEmbedded
import NIOHTTP2
import TestDatabases
import Testing

@testable import HTTP

/// The bodies of all connections have room together, and what one has taken is given back once.
@Suite struct BodyBudgetTests {
    private typealias Event = ConnectionDriver.Event

    private let bodies = BodyBudget(bytesMax: 1_000)

    @Test("a body beyond the room of all connections is refused as overloaded, and the connection goes on")
    func refused() {
        var (one, two) = (ConnectionDriver(bodies: bodies), ConnectionDriver(bodies: bodies))
        for event: Event in [.head("PUT /a"), .body(bytes: 600)] { _ = one.perform(event) }
        for event: Event in [.head("PUT /b"), .body(bytes: 400)] { _ = two.perform(event) }
        #expect(bodies.bytes == 1_000)
        #expect(two.told(.body(bytes: 1)) == "refuse PUT /b with 400 bytes as overloaded > skipping")
        #expect(bodies.bytes == 600)
        #expect(two.told(.body(bytes: 900)) == "> skipping")
        for event: Event in [.end, .head("PUT /c"), .body(bytes: 400)] { _ = two.perform(event) }
        #expect(bodies.bytes == 1_000)
        #expect(two.told(.end) == "answer PUT /c with 400 bytes > answering")
    }

    @Test("room is held until the request is answered, refused, or its connection closed; then nothing is left")
    func givenBack() {
        let body: [Event] = [.head("PUT /a"), .body(bytes: 300), .body(bytes: 200), .readCompleted]
        let ends: [[Event]] = [
            [.end, .responded], [.end, .responded, .becameInactive], [.body(bytes: Limits.bodyBytesMax)],
            [.body(bytes: 501)], [.deadlinePassed], [.failToParse], [.fail], [.stop], [.becameInactive],
            [.idleTimeElapsed(afterSeconds: 75)], [.inputEnded],
        ]
        for end in ends {
            var driver = ConnectionDriver(bodies: bodies)
            for event in body { _ = driver.perform(event) }
            #expect(bodies.bytes == 500)
            for event in end { _ = driver.perform(event) }
            #expect(bodies.bytes == 0, "\(end)")
            _ = driver.perform(.becameInactive)
            #expect(bodies.bytes == 0, "\(end)")
        }
    }

    @Test("a request whose client has gone has its body until its task ends")
    func gone() {
        var driver = ConnectionDriver(bodies: bodies)
        for event: Event in [.head("PUT /a"), .body(bytes: 500), .end, .stop, .becameInactive] {
            _ = driver.perform(event)
        }
        #expect(bodies.bytes == 500)
        _ = driver.perform(.becameInactive)
        #expect(bodies.bytes == 500)
        _ = driver.perform(.responded)
        #expect(bodies.bytes == 0)
    }

    @Test("the connections of a server share its budget, over HTTP/2 as well")
    func http2() throws {
        let connections = OpenConnections(.init(bodiesBytesMax: 1_000), logger: .none)
        let (one, two) = (try HTTP2Client(connections: connections), try HTTP2Client(connections: connections))
        for client in [one, two] { try client.head(1, "PUT", "/v1/nowhere", isLast: false) }
        try one.data(1, bytes: 600)
        try two.data(1, bytes: 600)
        #expect(one.told(1) == [])
        #expect(two.told(1).first == "503")
        #expect(connections.bodies.bytes == 600)
        try one.server.close().wait()
        one.server.embeddedEventLoop.run()
        #expect(connections.bodies.bytes == 0)
    }
}
