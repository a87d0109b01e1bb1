import NIOCore
import NIOHTTP1
import Testing

@testable import HTTPServer

/// What a head decides of its connection: offers of other protocols, the host, and the time that it takes.
@Suite struct ConnectionHeadTests {
    private typealias Event = ConnectionDriver.Event

    private static let offer: HTTPHeaders = ["connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c"]
    private static let unclear: HTTPHeaders = ["connection": "upgrade;q=1", "upgrade": "h2c"]

    private func expect(_ steps: [(Event, String)], _ location: SourceLocation = #_sourceLocation) {
        var driver = ConnectionDriver()
        for (number, (event, expected)) in steps.enumerated() {
            #expect(driver.apply(event) == expected, "step \(number + 1): \(event)", sourceLocation: location)
        }
    }

    @Test("a protocol that is offered is ignored, and the parser goes on anew behind the request") func offered() {
        expect([
            (.head("GET /a", Self.offer), "> reading 0"), (.end, "start parser anew, answer GET /a > answering"),
            (.readCompleted, "> answering"), (.requestedRead, "> answering"),
            (.responded, "send 200, flush, read > idle"), (.head("GET /b"), "> reading 0"),
            (.end, "answer GET /b > answering"),
        ])
        expect([
            (.head("PUT /a", Self.offer), "> reading 0"), (.body("abc"), "> reading 3"),
            (.end, "start parser anew, answer PUT /a with 3 bytes > answering"),
        ])
    }

    @Test("the parser goes on anew also behind a request that is refused, or waits") func offeredLate() {
        let tooLarge = ConnectionDriver.tooLarge.map { $0 } + Self.offer.map { $0 }
        expect([
            (.head("PUT /a", HTTPHeaders(tooLarge)), "refuse PUT /a as too-large > skipping"),
            (.body("abc"), "> skipping"), (.end, "start parser anew > idle"),
        ])
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("GET /b", Self.offer), "> answering, 1 waiting"), (.end, "start parser anew > answering, 2 waiting"),
            (.readCompleted, "> answering, 2 waiting"), (.responded, "send 200, answer GET /b, flush > answering"),
        ])
    }

    @Test("a request behind which nothing can be read with certainty is the last one") func unclear() {
        expect([
            (.head("GET /a", Self.unclear), "> reading 0 last"), (.end, "drop input, answer GET /a > answering last"),
            (.readCompleted, "> answering last"), (.responded, "send 200 last > closed"),
        ])
    }

    @Test("CONNECT is refused and the last request") func tunnel() {
        expect([
            (.head("CONNECT x:443"), "refuse CONNECT x:443 as method-not-allowed last > closed"), (.end, "> closed"),
        ])
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("CONNECT x:443"), "> answering, 1 waiting"), (.end, "drop input > answering, 2 waiting"),
            (.readCompleted, "> answering, 2 waiting"),
            (.responded, "send 200, refuse CONNECT x:443 as method-not-allowed last > closed"),
        ])
    }

    @Test("a request without its host, with two or with none that is valid is refused and the last one") func hosts() {
        for hosts in [[], ["x", "x"], ["a b"]] {
            var driver = ConnectionDriver()
            let told = driver.apply(.head("GET /a", hosts: hosts))
            #expect(told == "refuse GET /a as malformed last > closed", "\(hosts)")
        }
        var old = ConnectionDriver(after: [.head("GET /a HTTP/1.0", hosts: [])])
        #expect(old.apply(.end) == "answer GET /a > answering last")
    }

    @Test("a body with an ambiguous end is refused, and nothing after it is read") func codings() {
        let cases = [
            ("PUT /a HTTP/1.0", "chunked", "malformed"), ("PUT /a", "gzip, chunked", "not-implemented"),
            ("PUT /a", "gzip", "malformed"),
        ]
        for (line, coding, problem) in cases {
            let headers: HTTPHeaders = ["connection": "keep-alive", "transfer-encoding": coding]
            expect([
                (.head(line, headers), "refuse PUT /a as \(problem) last > closed"), (.body("abc"), "> closed"),
                (.end, "> closed"), (.head("GET /b"), "> closed"),
            ])
        }
    }

    @Test("a client of HTTP/1.0 that keeps its connection is told so, also with a refusal") func old() {
        let keepAlive: HTTPHeaders = ["connection": "Keep-Alive"]
        expect([
            (.head("GET /a HTTP/1.0", keepAlive), "> reading 0"), (.end, "answer GET /a > answering keep-alive"),
            (.responded, "send 200 keep-alive > idle"),
            (
                .head("PUT /b HTTP/1.0", HTTPHeaders(ConnectionDriver.tooLarge.map { $0 } + keepAlive.map { $0 })),
                "refuse PUT /b as too-large keep-alive > skipping"
            ),
        ])
    }

    @Test("requests that came before what is no HTTP are all answered, in their order, and then it is refused")
    func garbageBehindRequests() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"),
            (.head("GET /b"), "> answering, 1 waiting"), (.end, "> answering, 2 waiting"),
            (.head("GET /c"), "> answering, 3 waiting"), (.end, "> answering, 4 waiting"),
            (.failToParse, "> answering, 5 waiting"), (.readCompleted, "> answering, 5 waiting"),
            (.responded, "send 200, answer GET /b, flush > answering, 3 waiting"),
            (.responded, "send 200, answer GET /c, flush > answering, 1 waiting"),
            (.responded, "send 200, refuse as malformed last > closed"),
        ])
    }

    @Test("responses are flushed in the midst of a read once the client is behind with reading") func flushedEarly() {
        expect([
            (.head("GET /a"), "> reading 0"), (.end, "answer GET /a > answering"), (.unwritable, "> answering"),
            (.responded, "send 200, flush > idle"), (.head("GET /b"), "> idle, 1 waiting"), (.writable, "> reading 0"),
        ])
    }

    @Test("a read is held while parts wait that were not taken yet") func heldByParts() {
        var machine = ConnectionStateMachine(at: .uptimeNanoseconds(0))
        _ = machine.received(.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")), at: .now())
        let mayRead = machine.requestedRead()
        #expect(!mayRead)
    }

    // MARK: - Time

    @Test("a new connection has 10 s for its first head, whether it sends nothing or too slowly") func firstHead() {
        var silent = ConnectionDriver()
        #expect(silent.apply(.idleTimeElapsed(afterSeconds: 9)) == "check idle in 1 s > idle")
        #expect(silent.apply(.idleTimeElapsed(afterSeconds: 1)) == "abort > closed")
        var slow = ConnectionDriver()
        slow.wait(seconds: 6)
        #expect(slow.apply(.readCompleted) == "set head deadline > beginning")
        slow.wait(seconds: 3)
        #expect(slow.apply(.readCompleted) == "> beginning")
        #expect(slow.apply(.idleTimeElapsed(afterSeconds: 1)) == "refuse as too-slow last > closed")
        var quick = ConnectionDriver()
        quick.wait(seconds: 9)
        #expect(quick.apply(.head("GET /a")) == "> reading 0")
        #expect(quick.apply(.idleTimeElapsed(afterSeconds: 1)) == "check idle in 74 s > reading 0")
    }

    @Test("a further head has 10 s from its first byte") func furtherHead() {
        var driver = ConnectionDriver(after: ConnectionDriver.idle)
        driver.wait(seconds: 60)
        #expect(driver.apply(.readCompleted) == "set head deadline > beginning")
        #expect(driver.apply(.readCompleted) == "> beginning")
        #expect(driver.apply(.deadlinePassed) == "refuse as too-slow last > closed")
    }

    @Test("a read of empty lines begins no head, and one that ends a head completes its read") func blankReads() {
        var idle = ConnectionDriver(after: ConnectionDriver.idle)
        for _ in 0..<3 { #expect(idle.apply(.blankRead) == "> idle") }
        #expect(idle.apply(.idleTimeElapsed(afterSeconds: 75)) == "abort > closed")
        var slow = ConnectionDriver(after: ConnectionDriver.idle + [.blankRead])
        #expect(slow.apply(.readCompleted) == "set head deadline > beginning")
        #expect(slow.apply(.blankRead) == "> beginning")
        #expect(slow.apply(.deadlinePassed) == "refuse as too-slow last > closed")
        var ended = ConnectionDriver(after: ConnectionDriver.beginning + [.head("PUT /a")])
        #expect(ended.apply(.blankRead) == "set deadline > reading 0 due")
    }

    @Test("a head that has come in time is not late because the client does not read") func headWaits() {
        let late: [Event] = [.unwritable, .readCompleted, .head("GET /a"), .end]
        var driver = ConnectionDriver(after: ConnectionDriver.idle + late)
        #expect(driver.apply(.deadlinePassed) == "> idle, 2 waiting")
        #expect(driver.apply(.writable) == "answer GET /a > answering")
    }

    @Test("a client that never reads its response is cut off, however much it sends") func unread() {
        var driver = ConnectionDriver(after: ConnectionDriver.answering + [.unwritable, .responded])
        for _ in 0..<1_000 { #expect(driver.apply(.requestedRead) == "> idle") }
        #expect(driver.apply(.idleTimeElapsed(afterSeconds: 75)) == "abort > closed")
    }

    // MARK: - Idleness

    @Test("a connection is idle while no request is being answered and its client reads, or has not read for a while")
    func idleness() {
        let cases: [([Event], Bool)] = [
            (ConnectionDriver.new, true), (ConnectionDriver.idle, true), (ConnectionDriver.beginning, true),
            (ConnectionDriver.reading, true), (ConnectionDriver.answering, false), (ConnectionDriver.skipping, true),
            (ConnectionDriver.closed, true), (ConnectionDriver.idle + [.unwritable, .head("GET /a")], false),
            (ConnectionDriver.answering + [.unwritable, .responded], false),
            (ConnectionDriver.answering + [.unwritable, .responded, .writable], true),
            (ConnectionDriver.answering + [.responded, .unwritable, .stalled], true),
            (ConnectionDriver.answering + [.unwritable, .stalled, .writable], false),
            (ConnectionDriver.answering + [.stalled], false),
            (ConnectionDriver.answering + [.respondedWithDocument, .unwritable], false),
            (ConnectionDriver.answering + [.respondedWithDocument, .unwritable, .stalled], true),
        ]
        for (events, isIdle) in cases { #expect(ConnectionDriver(after: events).machine.isIdle == isIdle, "\(events)") }
    }
}
