import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HTTP
@testable import HTTPServer

/// Takes pieces, and tells the stream that they have left when the test says so.
final class Taker: EventSink, Sendable {
    private let ended: AsyncStream<String>.Continuation
    private let taken: AsyncStream<String>.Continuation
    let endings: AsyncStream<String>
    let pieces: AsyncStream<String>

    init() {
        (endings, ended) = AsyncStream.makeStream()
        (pieces, taken) = AsyncStream.makeStream()
    }

    func receive(_ bytes: EventBytes) { taken.yield(String(buffer: bytes.plain)) }
    func finish() { ended.yield("finished") }
    func fail() { ended.yield("failed") }
}

@Suite struct DocumentStreamTests {
    private struct Broken: Error {}

    private static func begun(_ stream: DocumentStream) async throws -> Taker {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let taker = Taker()
        try await loop.submit { stream.begin(on: loop, taker) }.get()
        return taker
    }

    @Test("the next piece comes when the one before has been taken, and the end after the last one") func pulls()
        async throws
    {
        let asked = Mutex(0)
        let stream = DocumentStream(secondsMax: 60) { send in
            for piece in ["a", "", "b", "c"] {
                asked.withLock { $0 += 1 }
                try await send(Array(piece.utf8))
            }
        }
        let taker = try await Self.begun(stream)
        var pieces = taker.pieces.makeAsyncIterator()
        for (piece, count) in [("a", 1), ("b", 3), ("c", 4)] {
            #expect(await pieces.next() == piece)
            #expect(asked.withLock { $0 } == count, "nothing is written ahead")
            stream.drained()
        }
        var endings = taker.endings.makeAsyncIterator()
        #expect(await endings.next() == "finished")
    }

    @Test("what cannot be written to its end fails") func fails() async throws {
        let stream = DocumentStream(secondsMax: 60) { send in
            try await send([1])
            throw Broken()
        }
        let taker = try await Self.begun(stream)
        var pieces = taker.pieces.makeAsyncIterator()
        _ = await pieces.next()
        stream.drained()
        var endings = taker.endings.makeAsyncIterator()
        #expect(await endings.next() == "failed")
    }

    @Test("a client that takes too long gets no more") func deadline() async throws {
        let stream = DocumentStream(secondsMax: 0) { send in try await send([1]) }
        let taker = try await Self.begun(stream)
        var endings = taker.endings.makeAsyncIterator()
        #expect(await endings.next() == "failed")
    }

    @Test("when nobody takes it any more the writer is told, whether it waits or not") func ends() async throws {
        for isWaiting in [true, false] {
            let (notices, notify) = AsyncStream<Bool>.makeStream()
            let stream = DocumentStream(secondsMax: 60) { send in
                do { for _ in 0..<2 { try await send([1]) } } catch {
                    notify.yield(error is CancellationError && Task.isCancelled)
                    throw error
                }
            }
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let taker = Taker()
            if !isWaiting { stream.end(on: loop) }
            try await loop.submit { stream.begin(on: loop, taker) }.get()
            if isWaiting {
                var pieces = taker.pieces.makeAsyncIterator()
                _ = await pieces.next()
                stream.end(on: loop)
            }
            var answers = notices.makeAsyncIterator()
            #expect(await answers.next() == true)
            stream.drained()
            stream.end(on: loop)
        }
    }
}
