import Domain
import NIOCore
import NIOEmbedded
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

/// What streams are told, on an event loop that the test runs.
@Suite struct LiveHubTests {
    private let loop = NIOAsyncTestingEventLoop()

    /// A stream's client. It ends the stream when it is told that it is over, as connections do.
    private final class Client: EventSink, Sendable {
        private let told = Mutex<[String]>([])
        private let buffers = Mutex<[ByteBuffer]>([])
        private let stream = Mutex<EventStream?>(nil)
        private let loop: NIOAsyncTestingEventLoop

        init(_ loop: NIOAsyncTestingEventLoop) { self.loop = loop }

        /// The data and comments that it was told since the last look at them.
        func news() -> [String] {
            told.withLock { told in
                defer { told = [] }
                return told
            }
        }

        var lastBytes: ByteBuffer? { buffers.withLock { $0.last } }

        func begin(_ stream: EventStream) async throws {
            self.stream.withLock { $0 = stream }
            try await loop.executeInContext { stream.begin(on: self.loop, self) }
        }

        func end() async throws { try await loop.executeInContext { self.finish() } }

        func receive(_ bytes: EventBytes) {
            buffers.withLock { $0.append(bytes.chunk) }
            let lines = String(buffer: bytes.plain).split(separator: "\n").map(String.init)
            told.withLock { $0 += lines.filter { !$0.hasPrefix("id: ") && !$0.hasPrefix("event: ") } }
        }

        func fail() { finish() }

        func finish() {
            let stream = stream.withLock { stream in
                defer { stream = nil }
                return stream
            }
            guard let stream else { return }
            told.withLock { $0.append("end") }
            stream.end(on: loop)
        }
    }

    /// Opens a stream as a handler does, and begins it as a connection does.
    private func open(
        _ hub: LiveHub, _ subject: LiveSubject, _ key: String = "a", lastEventID: String? = nil,
        from address: IPAddress? = nil
    ) async throws -> Client {
        let number = hub.numberOfRead()
        let stream = try hub.open(
            key, subject.now, number: number, lastEventID: lastEventID, at: LivePlace(address: address)
        ) { subject.read() }
        let client = Client(loop)
        try await client.begin(stream)
        return client
    }

    private func look(_ hub: LiveHub) async {
        await hub.look()
        await loop.run()
    }

    @Test("the state comes first, then each change, and nothing while nothing changes") func changes() async throws {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1")))
        let client = try await open(hub, subject)
        #expect(client.news() == ["retry: 3000", "data: 1"])
        await look(hub)
        #expect(client.news() == [])
        subject.now = .top("2")
        await look(hub)
        #expect(client.news() == ["data: 2"])
        await look(hub)
        #expect(client.news() == [])
        #expect(hub.use.events == 2)
    }

    @Test("a client that has the state already is told the next one") func lastEventID() async throws {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1")))
        let knowing = try await open(hub, subject, lastEventID: subject.now.id)
        let other = try await open(hub, subject, lastEventID: LiveState.top("0").id)
        #expect(knowing.news() == ["retry: 3000"])
        #expect(other.news() == ["retry: 3000", "data: 1"])
        subject.now = .top("2")
        await look(hub)
        #expect(knowing.news() == ["data: 2"])
    }

    @Test("all streams of a topic share one read and the bytes of one event") func sharing() async throws {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1")))
        var clients: [Client] = []
        for _ in 0..<50 { clients.append(try await open(hub, subject)) }
        subject.now = .top("2")
        let before = subject.readsCount
        await look(hub)
        #expect(subject.readsCount == before + 1)
        let addresses = Set(
            clients.compactMap { client in
                client.lastBytes?.withUnsafeReadableBytes { $0.baseAddress.map(UInt.init(bitPattern:)) }
            })
        #expect(addresses.count == 1)
        #expect(clients.allSatisfy { $0.news().last == "data: 2" })
        #expect(hub.use.topics == 1)
    }

    @Test("each topic is told its own") func topics() async throws {
        let hub = LiveHub.withoutCache()
        let (first, second) = (LiveSubject(.top("1")), LiveSubject(.top("2")))
        let (one, two) = (try await open(hub, first, "a"), try await open(hub, second, "b"))
        #expect(hub.use.topics == 2)
        first.now = .top("3")
        await look(hub)
        #expect(one.news().last == "data: 3")
        #expect(two.news().last == "data: 2")
    }

    @Test("a topic is read once in an interval, and then as it is, so the newest state wins") func newestWins()
        async throws
    {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1", isCached: false)))
        let client = try await open(hub, subject)
        _ = client.news()
        for number in 2..<20 {
            subject.now = .top("\(number)", isCached: false)
            await look(hub)
        }
        // Eight looks are two seconds, which SQL's rankings are given.
        #expect(client.news() == ["data: 9", "data: 17"])
    }

    @Test("a stream that was told something a moment ago is told the newest state afterwards") func late() async throws
    {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1", isCached: false)))
        let old = try await open(hub, subject)
        for _ in 0..<7 { await look(hub) }
        subject.now = .top("2", isCached: false)
        let new = try await open(hub, subject)
        #expect(new.news().last == "data: 2")
        subject.now = .top("3", isCached: false)
        await look(hub)
        #expect(old.news().last == "data: 3")
        #expect(new.news() == [])
        for _ in 0..<6 { await look(hub) }
        #expect(new.news() == [])
        subject.now = .top("3", isCached: false)
        await look(hub)
        #expect(new.news() == ["data: 3"])
        #expect(old.news() == [])
    }

    @Test("a state that was read before what a stream has been told is not told to it") func order() async throws {
        let (hub, newer) = (LiveHub.withoutCache(), LiveSubject(.top("3")))
        let opened = Mutex<Client?>(nil)
        let stream = try hub.open("a", .top("1"), number: hub.numberOfRead(), lastEventID: nil, at: LivePlace()) {
            // While this read is under way, the state changes and a stream is opened, which is told so at once.
            guard opened.withLock({ $0 == nil }) else { return newer.read() }
            let new = try await self.open(hub, newer)
            opened.withLock { $0 = new }
            return .top("2")
        }
        let old = Client(loop)
        try await old.begin(stream)
        await look(hub)
        let new = try #require(opened.withLock { $0 })
        #expect(old.news() == ["retry: 3000", "data: 1", "data: 2"])
        #expect(new.news() == ["retry: 3000", "data: 3"])
        await look(hub)
        #expect(old.news() == ["data: 3"])
        #expect(new.news() == [])
    }

    @Test("a quiet stream gets a comment each 15 s, and ends after 30 minutes") func comments() async throws {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1")))
        let client = try await open(hub, subject)
        _ = client.news()
        for _ in 1..<Limits.liveTicksPerComment { await look(hub) }
        #expect(client.news() == [])
        await look(hub)
        #expect(client.news() == [":"])
        for _ in 0..<(Limits.liveCommentsMax - 2) * Limits.liveTicksPerComment { await look(hub) }
        #expect(client.news() == [String](repeating: ":", count: Limits.liveCommentsMax - 2))
        #expect(hub.use.streams == 1)
        for _ in 0..<Limits.liveTicksPerComment { await look(hub) }
        #expect(client.news() == ["end"])
        #expect(hub.use.streams == 0)
    }

    @Test("what has become final is told, and ends its streams") func final() async throws {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1")))
        let client = try await open(hub, subject)
        subject.now = .top("2", isFinal: true)
        await look(hub)
        #expect(client.news() == ["retry: 3000", "data: 1", "data: 2", "end"])
        #expect(hub.use.topics == 0)
    }

    @Test("what is gone ends its streams, and a database that is away does not") func failures() async throws {
        let hub = LiveHub.withoutCache()
        let failure = Mutex<Problem>(.databaseAway)
        let stream = try hub.open("a", .top("1"), number: hub.numberOfRead(), lastEventID: nil, at: LivePlace()) {
            throw failure.withLock { $0 }
        }
        let client = Client(loop)
        try await client.begin(stream)
        await look(hub)
        #expect(client.news() == ["retry: 3000", "data: 1"])
        failure.withLock { $0 = .noBoard }
        for _ in 0..<Limits.liveTicksWithSQL { await look(hub) }
        #expect(client.news() == ["end"])
    }

    @Test("an address has as many streams as it may have, and another one when one of them has ended") func ofAddress()
        async throws
    {
        var bounds = LiveHub.Bounds()
        bounds.ofAddressMax = 2
        let (hub, subject) = (LiveHub.withoutCache(bounds), LiveSubject(.top("1")))
        let address = IPAddress("192.0.2.1")
        let first = try await open(hub, subject, from: address)
        let second = try await open(hub, subject, from: address)
        await #expect(throws: Problem(.streamsOfAddress)) { try await open(hub, subject, from: address) }
        let others = [
            try await open(hub, subject, from: IPAddress("192.0.2.2")), try await open(hub, subject),
            try await open(hub, subject), try await open(hub, subject),
        ]
        try await first.end()
        let third = try await open(hub, subject, from: address)
        await #expect(throws: Problem(.streamsOfAddress)) { try await open(hub, subject, from: address) }
        #expect(hub.use.streams == 6)
        #expect(hub.use.refused == 2)
        for client in [second, third] + others { try await client.end() }
        #expect(hub.use.streams == 0)
        #expect(hub.use.topics == 0)
        #expect(hub.blocksCount == 0)
    }

    @Test("an IPv6 block may open several times the streams of one address, and a limited number of topics")
    func ofBlock() async throws {
        var bounds = LiveHub.Bounds()
        (bounds.ofAddressMax, bounds.topicsOfBlockMax) = (1, 3)
        let (hub, subject) = (LiveHub.withoutCache(bounds), LiveSubject(.top("1")))
        func address(_ network: Int) -> IPAddress? { IPAddress("2001:db8:0:\(network)::1") }
        var clients: [Client] = []
        for number in 0..<3 { clients.append(try await open(hub, subject, "\(number)", from: address(number))) }
        await #expect(throws: Problem(.streamsOfAddress)) { try await open(hub, subject, "3", from: address(3)) }
        // A topic that already has watchers costs nothing more, up to 8 streams of the /56.
        for number in 3..<8 { clients.append(try await open(hub, subject, "0", from: address(number))) }
        await #expect(throws: Problem(.streamsOfAddress)) { try await open(hub, subject, "0", from: address(8)) }
        clients.append(try await open(hub, subject, "3", from: IPAddress("2001:db8:1::1")))
        for client in clients { try await client.end() }
        #expect(hub.blocksCount == 0)
    }

    @Test("a player has as many streams as it may have of itself, wherever they come from") func ofPlayer() throws {
        var bounds = LiveHub.Bounds()
        bounds.ofPlayerMax = 2
        let hub = LiveHub.withoutCache(bounds)
        func open(_ player: Int64, from address: String) throws -> EventStream {
            let place = LivePlace(address: IPAddress(address), player: Player.ID(rawValue: player))
            return try hub.open("me \(player)", .top("1"), number: 1, lastEventID: nil, at: place) { .top("1") }
        }
        var streams = [try open(1, from: "192.0.2.1"), try open(1, from: "192.0.2.2")]
        #expect(throws: Problem(.streamsOfPlayer)) { try open(1, from: "192.0.2.3") }
        streams.append(try open(2, from: "192.0.2.1"))
        streams.removeFirst()
        streams.append(try open(1, from: "192.0.2.3"))
        #expect(hub.use.streams == 3)
        streams = []
        #expect(hub.use.streams == 0)
    }

    @Test("there are as many streams as may be in all, and states of as many bytes") func inAll() async throws {
        var bounds = LiveHub.Bounds()
        bounds.streamsMax = 2
        let (hub, subject) = (LiveHub.withoutCache(bounds), LiveSubject(.top("1")))
        let first = try await open(hub, subject)
        let second = try await open(hub, subject)
        await #expect(throws: Problem.tooManyStreams) { try await open(hub, subject) }
        try await first.end()
        _ = try await open(hub, subject)
        _ = second

        bounds = LiveHub.Bounds()
        bounds.statesBytesMax = 1_000
        let small = LiveHub.withoutCache(bounds)
        let large = LiveSubject(.top(String(repeating: "x", count: 1_000)))
        let only = try await open(small, large, "a")
        await #expect(throws: Problem.tooManyStreams) { try await open(small, large, "b") }
        let same = try await open(small, large, "a")
        try await only.end()
        try await same.end()
        _ = try await open(small, large, "b")
    }

    @Test("a stream that never begins leaves its place when nobody holds it any more") func unbegun() throws {
        let hub = LiveHub.withoutCache()
        for _ in 0..<20 {
            _ = try hub.open(
                "a", .top("1"), number: 1, lastEventID: nil, at: LivePlace(address: IPAddress("192.0.2.1"))
            ) { .top("1") }
        }
        #expect(hub.use.streams == 0)
        #expect(hub.use.topics == 0)
    }

    @Test("a stream that ends while all are told something ends alone") func endsMeanwhile() async throws {
        let (hub, subject) = (LiveHub.withoutCache(), LiveSubject(.top("1")))
        var clients: [Client] = []
        for _ in 0..<10 { clients.append(try await open(hub, subject)) }
        subject.now = .top("2")
        await hub.look()
        try await clients[3].end()
        await loop.run()
        subject.now = .top("3")
        await look(hub)
        for (index, client) in clients.enumerated() where index != 3 { #expect(client.news().last == "data: 3") }
        #expect(clients[3].news().last == "end")
    }

    @Test("no more topics are read at once than may be") func reads() async throws {
        var bounds = LiveHub.Bounds()
        bounds.readsMax = 3
        let hub = LiveHub.withoutCache(bounds)
        let running = Mutex((now: 0, most: 0, all: 0))
        var streams: [EventStream] = []
        for number in 0..<20 {
            streams.append(
                try hub.open("\(number)", .top("1"), number: 1, lastEventID: nil, at: LivePlace()) {
                    running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                    await Task.yield()
                    running.withLock { $0.now -= 1 }
                    return .top("1")
                })
        }
        await hub.look()
        let (most, all) = running.withLock { ($0.most, $0.all) }
        #expect(all == 20)
        #expect((1...3).contains(most))
        #expect(hub.use.streams == streams.count)
    }
}
