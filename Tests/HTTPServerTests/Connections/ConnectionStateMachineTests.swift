import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTPServer

@Suite struct ConnectionStateMachineTests {
    private typealias Event = ConnectionDriver.Event

    private static let closing: HTTPHeaders = ["connection": "close"]

    // MARK: - One request

    /// Reports events one after the other, and compares the actions and the state after each.
    private func expect(_ steps: [(Event, String)], _ location: SourceLocation = #_sourceLocation) {
        var driver = ConnectionDriver()
        for (number, (event, expected)) in steps.enumerated() {
            #expect(driver.apply(event) == expected, "step \(number + 1): \(event)", sourceLocation: location)
        }
    }

    @Test("a response at once is flushed when the read is complete") func answeredAtOnce() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.responded, "send 200 > idle"),
            (.readCompleted, "flush > idle"), (.requestedRead, "read > idle"),
        ])
    }

    @Test("a response that comes later is flushed at once, and lets the held read go") func answeredLater() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.readCompleted, "> answering"),
            (.requestedRead, "> answering"), (.requestedRead, "> answering"),
            (.responded, "send 200, flush, read > idle"), (.writable, "> idle"),
        ])
    }

    @Test("a request is what its parts say, and the next one starts anew") func request() throws {
        var driver = ConnectionDriver()
        func request(_ events: [Event]) throws -> Request {
            let actions = events.flatMap { driver.perform($0) }
            return try #require(actions.compactMap { if case .answer(let request) = $0 { request } else { nil } }.first)
        }
        let first = try request([
            .head("PUT /a?b=c", ["Accept": "text/css"]), .body("one "), .body(""), .body("two "), .body("three"), .end,
        ])
        #expect(first.method == .put)
        #expect(first.target == "/a?b=c")
        #expect(first.headers[.accept] == "text/css")
        #expect(String(buffer: first.body) == "one two three")
        _ = driver.perform(.responded)
        let second = try request([.head("GET /d"), .end])
        #expect(second.method == .get)
        #expect(second.target == "/d")
        #expect(second.headers[.accept] == nil)
        #expect(second.body.readableBytes == 0)
        // The first request does not grow with its successor.
        #expect(first.body.readableBytes == 13)
    }

    @Test("HEAD is answered and refused without a body") func headOnly() {
        expect([
            (.head("HEAD /a"), "> reading 0"), (.end, "answer HEAD /a > answering without body"),
            (.responded, "send 200 without body > idle"),
            (.head("HEAD /b", ConnectionDriver.tooLarge), "refuse HEAD /b as too-large without body > skipping"),
        ])
    }

    @Test("the head of a request says whether another one may follow") func persistence() {
        let cases: [(String, HTTPHeaders, String)] = [
            ("GET /a", [:], "send 200, flush > idle"),
            ("GET /a", ["connection": "keep-alive"], "send 200, flush > idle"),
            ("GET /a", Self.closing, "send 200 last > closed"), ("GET /a HTTP/1.0", [:], "send 200 last > closed"),
            ("GET /a HTTP/1.0", ["connection": "keep-alive"], "send 200 keep-alive, flush > idle"),
        ]
        for (line, headers, expected) in cases {
            var driver = ConnectionDriver(after: [.head(line, headers), .end, .readCompleted])
            #expect(driver.apply(.responded) == expected, "\(line) \(headers)")
        }
    }

    @Test("a client of HTTP/1.1 that asks before it sends a body is told to go on") func expectation() {
        let cases: [(String, HTTPHeaders, String)] = [
            ("PUT /a", ["expect": "100-continue"], "send 100 > reading 0"),
            ("PUT /a", ["Expect": "100-Continue", "content-length": "5"], "send 100 > reading 0"),
            ("PUT /a", ["expect": "else"], "> reading 0"),
            ("PUT /a HTTP/1.0", ["expect": "100-continue"], "> reading 0 last"),
            (
                "PUT /a", ["expect": "100-continue", "content-length": "\(Limits.bodyBytesMax + 1)"],
                "refuse PUT /a as too-large > skipping"
            ),
        ]
        for (line, headers, expected) in cases {
            var driver = ConnectionDriver()
            #expect(driver.apply(.head(line, headers)) == expected, "\(line) \(headers)")
        }
    }

    @Test("telling a client to go on also flushes the responses before it") func continueFlushes() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.responded, "send 200 > idle"),
            (.head("PUT /b", ["expect": "100-continue"]), "send 100 > reading 0"),
            (.readCompleted, "set deadline > reading 0 due"),
        ])
    }

    // MARK: - Refusals

    @Test("a body is refused when its head says that it is too large, and its remainder is skipped")
    func tooLargeByHead() {
        expect([
            (.head("PUT /a", ConnectionDriver.tooLarge), "refuse PUT /a as too-large > skipping"),
            (.readCompleted, "flush, set deadline > skipping due"), (.requestedRead, "read > skipping due"),
            (.body(bytes: 9), "> skipping due"), (.readCompleted, "> skipping due"),
            (.body(bytes: 9), "> skipping due"), (.end, "clear deadline > idle"), (.head("GET /b"), "> reading 0"),
            (.end, "answer GET /b > answering"), (.responded, "send 200 > idle"), (.readCompleted, "flush > idle"),
        ])
    }

    @Test("a length at the bound, or none that is a number, refuses nothing") func lengthsAllowed() {
        for length in ["\(Limits.bodyBytesMax)", "0", "many", "99999999999999999999"] {
            var driver = ConnectionDriver()
            #expect(driver.apply(.head("PUT /a", ["content-length": length])) == "> reading 0", "\(length)")
        }
    }

    @Test("a body is refused by the part that makes it too large, once") func tooLargeByCount() {
        let half = Limits.bodyBytesMax / 2
        expect([
            (.head("PUT /a"), "> reading 0"), (.body(bytes: half), "> reading \(half)"),
            (.body(bytes: half), "> reading \(2 * half)"), (.readCompleted, "set deadline > reading \(2 * half) due"),
            (.body(bytes: 1), "refuse PUT /a with \(2 * half) bytes as too-large > skipping due"),
            (.body(bytes: half), "> skipping due"), (.readCompleted, "flush > skipping due"),
            (.end, "clear deadline > idle"), (.readCompleted, "> idle"),
        ])
    }

    @Test("a body as large as the bound is taken, in one part or in several") func largestBody() {
        let bound = Limits.bodyBytesMax
        for sizes in [[bound], [bound - 1, 1], [1, bound - 1], [bound / 2, bound / 4, bound / 4]] {
            var driver = ConnectionDriver(after: [.head("PUT /a")] + sizes.map { .body(bytes: $0) })
            #expect(driver.apply(.end) == "answer PUT /a with \(bound) bytes > answering", "\(sizes)")
        }
        var driver = ConnectionDriver(after: [.head("PUT /a")])
        #expect(driver.apply(.body(bytes: bound + 1)) == "refuse PUT /a as too-large > skipping")
    }

    @Test("the refusal of a last request closes at once, and drops its remainder") func refusedLast() {
        let tooLargeLast: HTTPHeaders = ["content-length": "\(Limits.bodyBytesMax + 1)", "connection": "close"]
        expect([
            (.head("PUT /a", tooLargeLast), "refuse PUT /a as too-large last > closed"), (.body("abc"), "> closed"),
            (.end, "> closed"), (.readCompleted, "> closed"),
        ])
        expect([
            (.head("PUT /a", Self.closing), "> reading 0 last"),
            (.body(bytes: Limits.bodyBytesMax + 1), "refuse PUT /a as too-large last > closed"),
        ])
    }

    @Test("a body that comes broken is refused with what was read of it, after the responses before it")
    func brokenBody() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.responded, "send 200 > idle"),
            (.head("PUT /b"), "> reading 0"), (.body("abc"), "> reading 3"),
            (.failToParse, "refuse PUT /b with 3 bytes as malformed last > closed"), (.readCompleted, "> closed"),
        ])
    }

    // MARK: - Pipelining

    @Test("requests that come together are answered one after the other and flushed together") func pipelinedAtOnce() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.responded, "send 200 > idle"),
            (.head("GET /b"), "> reading 0"), (.end, "answer GET /b > answering"), (.responded, "send 200 > idle"),
            (.readCompleted, "flush > idle"),
        ])
    }

    @Test("requests that come while one is answered wait, in their order, and reads are held until the last of them")
    func pipelinedLater() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("PUT /b"), "> answering, 1 waiting"), (.body("abc"), "> answering, 2 waiting"),
            (.end, "> answering, 3 waiting"), (.head("GET /c"), "> answering, 4 waiting"),
            (.end, "> answering, 5 waiting"), (.readCompleted, "> answering, 5 waiting"),
            (.requestedRead, "> answering, 5 waiting"),
            (.responded, "send 200, answer PUT /b with 3 bytes, flush > answering, 2 waiting"),
            (.responded, "send 200, answer GET /c, flush > answering"), (.responded, "send 200, flush, read > idle"),
        ])
    }

    @Test("what was read beyond the last request is dropped") func pipelinedAfterLast() {
        expect([
            (.head("GET /a", Self.closing), "> reading 0 last"), (.end, "answer GET /a > answering last"),
            (.head("GET /b"), "> answering last, 1 waiting"), (.end, "> answering last, 2 waiting"),
            (.readCompleted, "> answering last, 2 waiting"), (.responded, "send 200 last > closed"),
            (.requestedRead, "read > closed"), (.head("GET /c"), "> closed"), (.readCompleted, "> closed"),
        ])
    }

    @Test("requests wait for a client that does not read its responses") func pipelinedUnwritable() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("GET /b"), "> answering, 1 waiting"), (.end, "> answering, 2 waiting"),
            (.readCompleted, "> answering, 2 waiting"), (.unwritable, "> answering, 2 waiting"),
            (.responded, "send 200, flush > idle, 2 waiting"), (.requestedRead, "> idle, 2 waiting"),
            (.writable, "answer GET /b > answering"), (.responded, "send 200, flush, read > idle"),
        ])
    }

    // MARK: - Half-close

    @Test("a client that sends no more is answered all that it asked, then the connection closes") func halfClosed() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("GET /b"), "> answering, 1 waiting"), (.end, "> answering, 2 waiting"),
            (.readCompleted, "> answering, 2 waiting"), (.requestedRead, "> answering, 2 waiting"),
            (.inputEnded, "> answering, 2 waiting"), (.requestedRead, "> answering, 2 waiting"),
            (.responded, "send 200, answer GET /b, flush > answering"), (.responded, "send 200, flush, close > closed"),
        ])
    }

    @Test("a client that sends no more and does not read is closed once it reads again") func halfClosedUnwritable() {
        for before in [ConnectionDriver.idle, ConnectionDriver.reading, ConnectionDriver.skipping] {
            var driver = ConnectionDriver(after: before + [.unwritable, .requestedRead, .inputEnded])
            #expect(driver.apply(.writable) == "close > closed")
        }
    }

    @Test("responses of a read that ends the input are flushed by the close") func halfClosedInRead() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.responded, "send 200 > idle"),
            (.inputEnded, "close > closed"), (.readCompleted, "> closed"),
        ])
    }

    // MARK: - The end

    @Test("a quiesced connection finishes the request that it reads, answers or skips, and takes no other")
    func quiesced() {
        let next: [Event] = [.head("GET /b"), .end]
        var reading = ConnectionDriver(after: ConnectionDriver.reading + [.quiesce, .end] + next)
        #expect(reading.state == "answering last, 2 waiting")
        #expect(reading.apply(.responded) == "send 200 last > closed")
        var answering = ConnectionDriver(after: ConnectionDriver.answering + [.quiesce] + next)
        #expect(answering.apply(.responded) == "send 200 last > closed")
        var skipping = ConnectionDriver(after: ConnectionDriver.skipping + [.quiesce])
        #expect(skipping.apply(.end) == "clear deadline, close > closed")
        #expect(skipping.apply(.head("GET /b")) == "> closed")
        var refused = ConnectionDriver(after: ConnectionDriver.reading + [.quiesce])
        #expect(refused.apply(.body(bytes: Limits.bodyBytesMax + 1)) == "refuse PUT /a as too-large last > closed")
    }

    @Test("a quiesced connection between two requests drops what it has not looked at") func quiescedUnwritable() {
        var driver = ConnectionDriver(after: [.unwritable, .head("GET /a"), .end, .readCompleted])
        #expect(driver.apply(.quiesce) == "close > closed")
    }

    @Test("a stopped connection sends the response of the task that it cancelled, and no other") func stopped() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("GET /b"), "> answering, 1 waiting"), (.end, "> answering, 2 waiting"),
            (.readCompleted, "> answering, 2 waiting"), (.stop, "cancel task > answering last, 2 waiting"),
            (.stop, "cancel task > answering last, 2 waiting"), (.responded, "send 200 last > closed"),
        ])
    }

    @Test("what is no HTTP ends the connection after the request that is being answered")
    func unparsableWhileAnswering() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.failToParse, "> answering, 1 waiting"), (.readCompleted, "> answering, 1 waiting"),
            (.responded, "send 200, refuse as malformed last > closed"),
        ])
    }

    @Test("a response to a connection that was closed meanwhile is dropped") func respondedTooLate() {
        for event in [Event.fail, .becameInactive] {
            var driver = ConnectionDriver(after: ConnectionDriver.answering + [event])
            #expect(driver.apply(.responded) == "> closed")
        }
    }

    @Test("a connection that ends forgets the parts that wait") func forgetsParts() {
        let waiting = ConnectionDriver.answering + [.head("GET /b"), .body("abc"), .end]
        for events in [[Event.fail], [.becameInactive], [.quiesce, .responded], [.stop, .responded]] {
            #expect(ConnectionDriver(after: waiting + events).machine.partsCount == 0, "\(events)")
        }
        let unread: [Event] = [.unwritable, .head("GET /b"), .body("abc"), .end]
        for event in [Event.idleTimeElapsed(afterSeconds: 75), .fail, .stop] {
            #expect(ConnectionDriver(after: unread + [event]).machine.partsCount == 0, "\(event)")
        }
    }

    // MARK: - Time

    @Test("a deadline is set for a body that has not come with its head, once") func deadlineSet() {
        expect([
            (.head("PUT /a"), "> reading 0"), (.readCompleted, "set deadline > reading 0 due"),
            (.body("abc"), "> reading 3 due"), (.readCompleted, "> reading 3 due"),
            (.end, "clear deadline, answer PUT /a with 3 bytes > answering"), (.responded, "send 200 > idle"),
            (.head("PUT /b"), "> reading 0"), (.readCompleted, "flush, set deadline > reading 0 due"),
        ])
    }

    @Test("a refused body is still due by the deadline that it had") func deadlineOfRefused() {
        expect([
            (.head("PUT /a"), "> reading 0"), (.readCompleted, "set deadline > reading 0 due"),
            (.body(bytes: Limits.bodyBytesMax + 1), "refuse PUT /a as too-large > skipping due"),
            (.readCompleted, "flush > skipping due"), (.deadlinePassed, "close > closed"),
        ])
    }

    @Test("a body whose head waited is due from when its turn comes") func deadlineOfWaiting() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("PUT /b"), "> answering, 1 waiting"), (.readCompleted, "> answering, 1 waiting"),
            (.requestedRead, "> answering, 1 waiting"),
            (.responded, "send 200, flush, read, set deadline > reading 0 due"), (.body("abc"), "> reading 3 due"),
            (.readCompleted, "> reading 3 due"),
        ])
    }

    @Test("a body that waits for a client to read is still due") func deadlineWhileUnwritable() {
        expect([
            (.head("PUT /a"), "> reading 0"), (.unwritable, "> reading 0"),
            (.readCompleted, "set deadline > reading 0 due"), (.end, "> reading 0 due, 1 waiting"),
            (.writable, "clear deadline, answer PUT /a > answering"),
        ])
    }

    @Test("a client is idle since it last sent, read or was answered") func activity() {
        let cases: [([Event], Event)] = [
            (ConnectionDriver.idle, .head("GET /a")), (ConnectionDriver.reading, .body("abc")),
            (ConnectionDriver.skipping, .body("abc")), (ConnectionDriver.idle, .writable),
            (ConnectionDriver.idle, .unwritable), (ConnectionDriver.closed, .writable),
            (ConnectionDriver.answering, .responded),
        ]
        for (before, event) in cases {
            var driver = ConnectionDriver(after: before)
            driver.wait(seconds: 70)
            _ = driver.perform(event)
            let checked = driver.perform(.idleTimeElapsed(afterSeconds: 5)).map(\.text)
            #expect(checked == ["check idle in 70 s"], "\(event)")
            #expect(driver.perform(.idleTimeElapsed(afterSeconds: 69)).map(\.text) == ["check idle in 1 s"], "\(event)")
            #expect(driver.perform(.idleTimeElapsed(afterSeconds: 1)).map(\.text) == ["abort"], "\(event)")
        }
    }

    @Test("nothing that the server does by itself, and nothing sent after the end, counts as activity")
    func noActivity() {
        let cases: [([Event], Event)] = [
            (ConnectionDriver.idle, .readCompleted), (ConnectionDriver.idle, .requestedRead),
            (ConnectionDriver.idle, .responded), (ConnectionDriver.reading, .quiesce),
            (ConnectionDriver.closed, .head("GET /a")), (ConnectionDriver.closed, .responded),
        ]
        for (before, event) in cases {
            var driver = ConnectionDriver(after: before)
            driver.wait(seconds: 70)
            _ = driver.perform(event)
            #expect(driver.perform(.idleTimeElapsed(afterSeconds: 5)).map(\.text) == ["abort"], "\(event)")
        }
    }
}
