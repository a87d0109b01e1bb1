import Domain
import NIOCore
import NIOHPACK
import NIOHTTP2
import Testing

@testable import HTTPServer

/// What one stream of an HTTP/2 connection does at each event.
@Suite struct StreamStateMachineTests {
    private static let chunk = Limits.streamChunkBytes

    @Test("a request without a body waits for its turn, and its response ends the stream") func get() {
        var stream = StreamDriver()
        #expect(stream.apply(.head("GET", isLast: true)) == "enqueue GET /a > waiting")
        #expect(stream.apply(.began) == "> answering")
        #expect(stream.apply(.responded(bytes: 5)) == "head 200, chunk of 5 last > sending 0")
        #expect(stream.apply(.closed) == "> closed")
    }

    @Test("a body is gathered until the stream ends, also by trailers") func body() {
        var stream = StreamDriver()
        #expect(stream.apply(.head("PUT")) == "> reading 0")
        #expect(stream.apply(.body(bytes: 3)) == "> reading 3")
        #expect(stream.apply(.body(bytes: 4, isLast: true)) == "enqueue PUT /a with 7 bytes > waiting")
        var other = StreamDriver(after: [.head("PUT"), .body(bytes: 3)])
        #expect(other.apply(.head("", ["grpc-status": "0"], isLast: true)) == "enqueue PUT /a with 3 bytes > waiting")
    }

    @Test("HEAD has the head alone") func head() {
        var stream = StreamDriver(after: [.head("HEAD", isLast: true), .began])
        #expect(stream.apply(.responded(bytes: 5)) == "head 200 last > closed")
    }

    @Test("who asks before sending is told to go on, unless it sends anyway") func expect() {
        var stream = StreamDriver()
        #expect(stream.apply(.head("PUT", ["expect": "100-Continue"], isLast: false)) == "send 100 > reading 0")
        var sent = StreamDriver()
        #expect(sent.apply(.head("PUT", ["expect": "100-continue"], isLast: true)) == "enqueue PUT /a > waiting")
    }

    @Test("a large response is sent by chunks, the next one when the one before it has left") func chunks() {
        var stream = StreamDriver(after: [.head("GET", isLast: true), .began])
        #expect(
            stream.apply(.responded(bytes: 2 * Self.chunk + 1))
                == "head 200, chunk of \(Self.chunk) reported > sending \(Self.chunk + 1)")
        #expect(stream.apply(.chunkSent) == "chunk of \(Self.chunk) reported > sending 1")
        #expect(stream.apply(.chunkSent) == "chunk of 1 last > sending 0")
    }

    @Test("a body that is too large is refused at once, and the client is asked to send no more") func tooLarge() {
        var said = StreamDriver()
        let length = "\(Limits.bodyBytesMax + 1)"
        #expect(
            said.apply(.head("PUT", ["content-length": length], isLast: false)) == "refuse PUT as too-large > answering"
        )
        #expect(said.apply(.responded(bytes: 5)) == "head 200, chunk of 5 last reported > sending 0")
        #expect(said.apply(.body(bytes: 9)) == "> sending 0")
        #expect(said.apply(.chunkSent) == "reset 0 > closed")
        #expect(said.apply(.body(bytes: 9, isLast: true)) == "> closed")

        var grown = StreamDriver(after: [.head("PUT"), .body(bytes: Limits.bodyBytesMax)])
        #expect(grown.apply(.body(bytes: 1)) == "refuse PUT as too-large > answering")
        var exact = StreamDriver(after: [.head("PUT")])
        #expect(exact.apply(.body(bytes: Limits.bodyBytesMax, isLast: true)).hasPrefix("enqueue PUT /a with 262144"))
    }

    @Test("a body that the connection has no room for is refused as the server being busy") func noRoom() {
        var stream = StreamDriver(after: [.head("PUT")])
        #expect(stream.apply(.body(bytes: 1, isLast: true, hasRoom: false)) == "refuse PUT as overloaded > answering")
        #expect(stream.apply(.responded(bytes: 5)) == "head 200, chunk of 5 last > sending 0")
    }

    @Test("a body in many small frames is not copied with each of them") func growing() {
        var machine = StreamStateMachine()
        let head: HPACKHeaders = [":method": "PUT", ":path": "/a", ":scheme": "https", ":authority": "x"]
        machine.received(head, isLast: false, at: .now())
        var places: Set<UnsafeRawPointer> = []
        for _ in 0..<4_000 {
            #expect(machine.headOfIncoming?.first(name: ":path") == "/a")
            machine.received(ByteBuffer(repeating: 0x78, count: 1), isLast: false)
            if case .reading(let incoming) = machine.state {
                incoming.body.withUnsafeReadableBytes { bytes in
                    if let place = bytes.baseAddress { places.insert(place) }
                }
            }
        }
        // A buffer grows by doubling.
        #expect(places.count < 30)
    }

    @Test("a body that does not come in time is refused, and a response that is not read is given up") func deadlines()
    {
        var slow = StreamDriver(after: [.head("PUT"), .wait(seconds: Limits.bodySecondsMax - 1), .body(bytes: 1)])
        #expect(slow.apply(.wait(seconds: 1)) == "refuse PUT as too-slow > answering")

        var unread = StreamDriver(after: [.head("GET", isLast: true), .began, .responded(bytes: 3 * Self.chunk)])
        #expect(unread.apply(.wait(seconds: Limits.streamChunkSecondsMax - 1)) == "> sending \(2 * Self.chunk)")
        _ = unread.perform(.chunkSent)
        #expect(unread.apply(.wait(seconds: Limits.streamChunkSecondsMax - 1)) == "> sending \(Self.chunk)")
        #expect(unread.apply(.wait(seconds: 1)) == "reset 8 > closed")
    }

    private static let streaming: [StreamDriver.Event] = [.head("GET", isLast: true), .began, .respondedWithEvents]

    @Test("an event stream sends one chunk after the other, and ends the stream when it has told everything")
    func events() {
        var stream = StreamDriver(after: [.head("GET", isLast: true), .began])
        #expect(stream.apply(.respondedWithEvents) == "begin events 200 > streaming")
        #expect(stream.apply(.published(bytes: 5)) == "chunk of 5 reported > streaming behind 5")
        #expect(stream.apply(.published(bytes: Self.chunk + 7)) == "> streaming behind \(Self.chunk + 12)")
        #expect(stream.apply(.chunkSent) == "chunk of \(Self.chunk) reported > streaming behind \(Self.chunk + 7)")
        #expect(stream.apply(.endEvents) == "> streaming behind \(Self.chunk + 7)")
        #expect(stream.apply(.published(bytes: 5)) == "> streaming behind \(Self.chunk + 7)")
        #expect(stream.apply(.chunkSent) == "chunk of 7 reported > streaming behind 7")
        #expect(stream.apply(.chunkSent) == "chunk of 0 last > sending 0")
        #expect(stream.apply(.closed) == "> closed")

        var head = StreamDriver(after: [.head("HEAD", isLast: true), .began])
        #expect(head.apply(.respondedWithEvents) == "head 200 last > closed")
    }

    @Test("a stream whose client reads may be quiet; one that reads nothing, or is too far behind, is reset")
    func eventsUnread() {
        var quiet = StreamDriver(after: Self.streaming)
        #expect(quiet.apply(.wait(seconds: 1_000)) == "> streaming")
        _ = quiet.perform(.published(bytes: 5))
        #expect(quiet.apply(.wait(seconds: Limits.streamChunkSecondsMax - 1)) == "> streaming behind 5")
        _ = quiet.perform(.chunkSent)
        #expect(quiet.apply(.wait(seconds: 1_000)) == "> streaming")
        _ = quiet.perform(.published(bytes: 5))
        _ = quiet.perform(.published(bytes: 5))
        #expect(quiet.apply(.wait(seconds: Limits.streamChunkSecondsMax)) == "reset 8 > closed")

        var behind = StreamDriver(after: Self.streaming + [.published(bytes: Limits.liveBacklogBytesMax)])
        #expect(behind.apply(.published(bytes: 1)) == "reset 8 > closed")
        #expect(behind.apply(.published(bytes: 1)) == "> closed")
    }

    @Test("a server that shuts down ends event streams, also those that have not begun, and nothing else")
    func eventsQuiesced() {
        var quiet = StreamDriver(after: Self.streaming)
        #expect(quiet.apply(.quiesce) == "chunk of 0 last > sending 0")
        var telling = StreamDriver(after: Self.streaming + [.published(bytes: 5)])
        #expect(telling.apply(.quiesce) == "> streaming behind 5")
        #expect(telling.apply(.chunkSent) == "chunk of 0 last > sending 0")
        var early = StreamDriver(after: [.head("GET", isLast: true), .quiesce, .began])
        #expect(early.apply(.respondedWithEvents) == "begin events 200, chunk of 0 last > sending 0")
        var stopped = StreamDriver(after: Self.streaming + [.published(bytes: 5)])
        #expect(stopped.apply(.stop) == "reset 8 > closed")
        var other = StreamDriver(after: [.head("GET", isLast: true), .began])
        #expect(other.apply(.quiesce) == "> answering")
        #expect(other.apply(.responded(bytes: 1)) == "head 200, chunk of 1 last > sending 0")
    }

    @Test("a document that is sent while it is made goes on while the server shuts down, and is reset when it fails")
    func documents() {
        let document: [StreamDriver.Event] = [.head("GET", isLast: true), .began, .respondedWithDocument]
        var stopping = StreamDriver(after: document + [.published(bytes: 5)])
        #expect(stopping.apply(.quiesce) == "> streaming behind 5")
        #expect(stopping.apply(.chunkSent) == "> streaming", "there is more to come")
        #expect(stopping.apply(.published(bytes: 2)) == "chunk of 2 reported > streaming behind 2")
        _ = stopping.perform(.chunkSent)
        #expect(stopping.apply(.endEvents) == "chunk of 0 last > sending 0")
        var early = StreamDriver(after: [.head("GET", isLast: true), .quiesce, .began])
        #expect(early.apply(.respondedWithDocument) == "begin events 200 > streaming")
        var failed = StreamDriver(after: document + [.published(bytes: 5)])
        #expect(failed.apply(.streamFailed) == "reset 2 > closed")
        var stopped = StreamDriver(after: document)
        #expect(stopped.apply(.stop) == "reset 8 > closed")
    }

    @Test("the server itself may take its time") func patience() {
        var stream = StreamDriver(after: [.head("PUT"), .body(bytes: 1, isLast: true)])
        #expect(stream.apply(.wait(seconds: 3_600)) == "> waiting")
        #expect(stream.apply(.began) == "> answering")
        #expect(stream.apply(.wait(seconds: 3_600)) == "> answering")
    }

    @Test("a server that stops finishes what it answers, and refuses what it has not begun") func stop() {
        var answering = StreamDriver(after: [.head("GET", isLast: true), .began])
        #expect(answering.apply(.stop) == "> answering")
        #expect(answering.apply(.responded(bytes: 1)) == "head 200, chunk of 1 last > sending 0")
        for events: [StreamDriver.Event] in [[.head("PUT")], [.head("GET", isLast: true)]] {
            var stream = StreamDriver(after: events)
            #expect(stream.apply(.stop) == "reset 7 > closed")
        }
    }
}
