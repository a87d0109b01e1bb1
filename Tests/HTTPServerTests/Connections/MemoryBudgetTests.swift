import Domain
import NIOCore
import NIOEmbedded
import TestDatabases
import Testing

@testable import HTTPServer

/// What all connections have sent has room together, and what one has taken is given back once.
@Suite struct MemoryBudgetTests {
    private typealias Event = ConnectionDriver.Event

    private let budget = MemoryBudget(bytesMax: 1_000)
    /// Bytes of a body that do not count.
    private let free = Limits.bodyBytesFree

    @Test("a body beyond the room of all connections is refused as overloaded, and the connection goes on")
    func refused() {
        var (one, two) = (ConnectionDriver(budget: budget), ConnectionDriver(budget: budget))
        for event: Event in [.head("PUT /a"), .body(bytes: free + 600)] { _ = one.perform(event) }
        for event: Event in [.head("PUT /b"), .body(bytes: free + 400)] { _ = two.perform(event) }
        #expect(budget.bytes == 1_000)
        #expect(two.apply(.body(bytes: 1)) == "refuse PUT /b with \(free + 400) bytes as overloaded > skipping")
        #expect(budget.bytes == 600)
        #expect(two.apply(.body(bytes: 900)) == "> skipping")
        for event: Event in [.end, .head("PUT /c"), .body(bytes: free + 400)] { _ = two.perform(event) }
        #expect(budget.bytes == 1_000)
        #expect(two.apply(.end) == "answer PUT /c with \(free + 400) bytes > answering")
    }

    @Test("small bodies pass however full the budget is") func small() {
        var full = ConnectionDriver(budget: budget)
        for event: Event in [.head("PUT /a"), .body(bytes: free + 1_000)] { _ = full.perform(event) }
        for _ in 0..<1_000 {
            var driver = ConnectionDriver(budget: budget)
            for event: Event in [.head("PUT /b"), .body(bytes: free - 1), .body(bytes: 1)] { _ = driver.perform(event) }
            #expect(driver.apply(.end) == "answer PUT /b with \(free) bytes > answering")
        }
    }

    @Test("room is held until the request is answered, refused, or its connection closed; then nothing is left")
    func givenBack() {
        let body: [Event] = [.head("PUT /a"), .body(bytes: free + 300), .body(bytes: 200), .readCompleted]
        let ends: [[Event]] = [
            [.end, .responded], [.end, .responded, .becameInactive], [.body(bytes: Limits.bodyBytesMax)],
            [.body(bytes: 501)], [.deadlinePassed], [.failToParse], [.failToHold], [.fail], [.stop], [.becameInactive],
            [.idleTimeElapsed(afterSeconds: 75)], [.inputEnded],
        ]
        for end in ends {
            var driver = ConnectionDriver(budget: budget)
            for event in body { _ = driver.perform(event) }
            #expect(budget.bytes == 500)
            for event in end { _ = driver.perform(event) }
            #expect(budget.bytes == 0, "\(end)")
            _ = driver.perform(.becameInactive)
            #expect(budget.bytes == 0, "\(end)")
        }
    }

    @Test("a request whose client has gone has its body until its task ends") func gone() {
        var driver = ConnectionDriver(budget: budget)
        for event: Event in [.head("PUT /a"), .body(bytes: free + 500), .end, .stop, .becameInactive] {
            _ = driver.perform(event)
        }
        #expect(budget.bytes == 500)
        _ = driver.perform(.becameInactive)
        #expect(budget.bytes == 500)
        _ = driver.perform(.responded)
        #expect(budget.bytes == 0)
    }

    @Test("one address has a part of the room, those that are exempt have all of it, and nothing is left of either")
    func ofAddress() throws {
        let bytesMax = 1_000
        let proxies = TrustedProxies([try #require(IPNetwork("192.0.2.9"))])
        let connections = OpenConnections(.init(inputBytesMax: bytesMax), proxies: proxies, logger: .none)
        let part = bytesMax / Limits.addressesFillingInput
        var channels: [EmbeddedChannel] = []
        func share(_ address: String?) throws -> MemoryShare {
            let channel = EmbeddedChannel()
            channels.append(channel)
            let connection = connections.open(channel, from: address.flatMap { IPAddress($0) })
            return MemoryShare(of: try #require(connection).input)
        }
        func take(_ share: inout MemoryShare, bytes count: Int) -> Bool { share.take(bytes: count) }
        var (one, again, other) = (try share("2001:db8::1"), try share("2001:db8::2"), try share("192.0.2.1"))
        var (exempt, local) = (try share("192.0.2.9"), try share(nil))
        #expect(take(&one, bytes: part - 10))
        #expect(!take(&again, bytes: 11))
        #expect(take(&again, bytes: 10) && connections.input.bytes == part)
        #expect(take(&other, bytes: part))
        #expect(take(&exempt, bytes: bytesMax - 2 * part - 1))
        #expect(!take(&local, bytes: 2))
        // A refusal takes nothing, of the address or of all.
        one.giveBackAll()
        #expect(take(&local, bytes: part - 9) && !take(&again, bytes: 1) && connections.input.bytes == bytesMax)
        local.giveBackAll()
        #expect(take(&again, bytes: part - 10) && !take(&again, bytes: 1))
        for var share in [again, other, exempt] { share.giveBackAll() }
        #expect(connections.input.bytes == 0)
        for channel in channels {
            try channel.close().wait()
            channel.embeddedEventLoop.run()
        }
        #expect(connections.blocksCount == 0)
    }
}
