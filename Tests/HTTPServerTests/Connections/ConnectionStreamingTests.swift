import Domain
import NIOHTTP1
import Testing

@testable import HTTPServer

/// What a connection does that answers with an event stream.
@Suite struct ConnectionStreamingTests {
    private typealias Event = ConnectionDriver.Event

    /// Reports events one after the other, and compares the actions and the state after each.
    private func expect(_ steps: [(Event, String)], _ location: SourceLocation = #_sourceLocation) {
        var driver = ConnectionDriver()
        for (number, (event, expected)) in steps.enumerated() {
            #expect(driver.apply(event) == expected, "step \(number + 1): \(event)", sourceLocation: location)
        }
    }

    @Test("an event stream is the last response of its connection, chunked unless the client speaks HTTP/1.0")
    func streaming() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.respondedWithEvents, "begin events 200 last > streaming"), (.readCompleted, "> streaming"),
            (.published(bytes: 16), "send event of 22 > streaming behind 22"),
            (.published(bytes: 1), "send event of 6 > streaming behind 28"),
            (.eventSent(bytes: 22), "> streaming behind 6"), (.eventSent(bytes: 6), "> streaming"),
            (.eventsEnded, "end events > closed"), (.published(bytes: 1), "> closed"),
        ])
        expect([
            (.head("GET /a HTTP/1.0", ["connection": "keep-alive"]), "> reading 0"),
            (.end, "answer GET /a > answering keep-alive"), (.respondedWithEvents, "begin events 200 last > streaming"),
            (.published(bytes: 16), "send event of 16 > streaming behind 16"),
            (.eventsEnded, "end events without chunk > closed"),
        ])
    }

    @Test("the response to HEAD is the stream's head alone, and the connection goes on") func streamingHead() {
        expect([
            (.head("HEAD /a"), "> reading 0"), (.end, "answer HEAD /a > answering without body"),
            (.respondedWithEvents, "send 200 without body > idle"), (.published(bytes: 9), "> idle"),
        ])
    }

    @Test("responses before an event stream are flushed with it, and requests behind it are dropped")
    func streamingPipelined() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.responded, "send 200 > idle"),
            (.head("GET /b"), "> reading 0"), (.end, "answer GET /b > answering"),
            (.respondedWithEvents, "begin events 200 last > streaming"), (.head("GET /c"), "> streaming, 1 waiting"),
            (.end, "> streaming, 2 waiting"), (.readCompleted, "> streaming, 2 waiting"),
            (.requestedRead, "> streaming, 2 waiting"), (.eventsEnded, "end events > closed"),
        ])
    }

    @Test("a client that is too far behind is closed at once") func behind() {
        let most = Limits.liveBacklogBytesMax / 2
        var driver = ConnectionDriver(after: ConnectionDriver.streaming + [.published(bytes: most), .unwritable])
        #expect(driver.apply(.published(bytes: most)) == "abort > closed")
        #expect(driver.machine.partsCount == 0)
    }

    @Test("a stream ends at once when its client has ended its side or the server stops, also before it has begun")
    func streamingEnds() {
        for event in [Event.inputEnded, .quiesce, .stop, .fail, .eventsEnded] {
            var quiet = ConnectionDriver(after: ConnectionDriver.streaming)
            #expect(quiet.apply(event) == "end events > closed", "\(event)")
            var behind = ConnectionDriver(after: ConnectionDriver.streaming + [.published(bytes: 10)])
            var isStop = false
            switch event {
            case .quiesce, .stop: isStop = true
            default: break
            }
            #expect(behind.apply(event) == (isStop ? "abort > closed" : "end events > closed"), "\(event)")
        }
        for event in [Event.inputEnded, .quiesce] {
            var driver = ConnectionDriver(after: ConnectionDriver.answering + [event])
            #expect(driver.apply(.respondedWithEvents) == "begin events 200 last, end events > closed", "\(event)")
        }
    }

    @Test("a stream whose client reads may be quiet, and one whose client reads nothing is closed") func streamingIdle()
    {
        var quiet = ConnectionDriver(after: ConnectionDriver.streaming)
        for _ in 0..<3 { #expect(quiet.apply(.idleTimeElapsed(afterSeconds: 75)) == "check idle in 75 s > streaming") }
        _ = quiet.perform(.published(bytes: 4))
        #expect(quiet.apply(.idleTimeElapsed(afterSeconds: 60)) == "check idle in 15 s > streaming behind 9")
        _ = quiet.perform(.published(bytes: 4))
        #expect(quiet.apply(.idleTimeElapsed(afterSeconds: 15)) == "abort > closed")
        var reading = ConnectionDriver(
            after: ConnectionDriver.streaming + [.published(bytes: 4), .published(bytes: 4)])
        reading.wait(seconds: 60)
        _ = reading.perform(.eventSent(bytes: 9))
        #expect(reading.apply(.idleTimeElapsed(afterSeconds: 15)) == "check idle in 60 s > streaming behind 9")
    }

    @Test("a connection with an event stream makes room for others, one with a request does not")
    func streamingMakesRoom() {
        #expect(ConnectionDriver(after: ConnectionDriver.streaming).machine.isIdle)
        #expect(ConnectionDriver(after: ConnectionDriver.streaming + [.unwritable]).machine.isIdle)
        #expect(!ConnectionDriver(after: ConnectionDriver.answering).machine.isIdle)
    }

    @Test("a document that is not whole ends without its last chunk, and goes on while the server is being shut down")
    func documents() {
        for event in [Event.stop, .fail, .streamFailed] {
            var begun = ConnectionDriver(after: ConnectionDriver.document + [.published(bytes: 10)])
            #expect(begun.apply(event) == "abort > closed", "\(event)")
            #expect(begun.machine.partsCount == 0)
        }
        for event in [Event.inputEnded, .quiesce] {
            var begun = ConnectionDriver(after: ConnectionDriver.document + [.published(bytes: 10)])
            #expect(begun.apply(event) == "> streaming behind 15", "\(event)")
            #expect(begun.apply(.eventsEnded) == "end events > closed", "\(event)")
        }
        var whole = ConnectionDriver(after: ConnectionDriver.document + [.published(bytes: 10)])
        #expect(whole.apply(.eventsEnded) == "end events > closed")
        var sent = ConnectionDriver(after: ConnectionDriver.document + [.published(bytes: 10), .eventSent(bytes: 15)])
        #expect(sent.apply(.stop) == "abort > closed", "everything was sent that was there, but it is not the end")
    }
}
