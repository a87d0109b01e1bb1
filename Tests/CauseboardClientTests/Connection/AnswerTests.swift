import Contract
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import CauseboardClient

@Suite struct AnswerTests {
    private static let noon = "Sat, 21 Nov 2026 12:00:00 GMT"

    private static func answer(_ headers: [String: String], _ body: String = "") throws -> Answer {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let response = HTTPURLResponse(url: url, statusCode: 503, httpVersion: "HTTP/1.1", headerFields: headers)
        return Answer(try #require(response), body: Data(body.utf8))
    }

    @Test(
        "the time to wait is seconds, or a date beside the server's own, and a day at most",
        arguments: [
            ("60", noon, Duration.seconds(60)), ("0", noon, .zero), ("-5", noon, .zero),
            ("86400", noon, .seconds(86_400)), ("86401", noon, .seconds(86_400)),
            ("9223372036854775807", noon, .seconds(86_400)), ("Sat, 21 Nov 2026 12:01:30 GMT", noon, .seconds(90)),
            ("Sat, 21 Nov 2026 11:00:00 GMT", noon, .zero), ("Fri, 21 Nov 2036 12:00:00 GMT", noon, .seconds(86_400)),
        ]) func retryAfter(text: String, date: String, expected: Duration) throws
    { #expect(try Self.answer(["Retry-After": text, "Date": date]).retryAfter == expected) }

    @Test("a date without the server's own, and what is neither, is no time to wait") func noRetryAfter() throws {
        #expect(try Self.answer(["Retry-After": "Sat, 21 Nov 2026 12:01:30 GMT"]).retryAfter == nil)
        for text in ["soon", "", "1.5"] {
            #expect(try Self.answer(["Retry-After": text, "Date": Self.noon]).retryAfter == nil)
        }
    }

    @Test("a problem is one of the contract, by its type and its media type") func problems() throws {
        func problem(_ type: String, as mediaType: String = "application/problem+json") throws -> ProblemReply? {
            let body = #"{"type":"\#(type)","title":"","status":503,"detail":"No."}"#
            return try Self.answer(["Content-Type": mediaType], body).problem
        }
        #expect(try problem("/problems/overloaded")?.name == .overloaded)
        #expect(try problem("about:blank") == nil)
        #expect(try problem("https://proxy.example/problems/overloaded") == nil)
        #expect(try problem("/problems/overloaded", as: "application/json") == nil)
    }
}

@Suite struct ServerClockTests {
    private let noon = Timestamp(microsecondsSince1970: 1_795_262_400_000_000)

    @Test("the server's clock is what an answer has shown, half a second on, and goes on with the time that passes")
    func goesOn() async throws {
        let passing = SkippingClock()
        let clock = ServerClock(passing.clock)
        clock.adjust(to: noon)
        #expect(clock.now.microsecondsSince1970 == noon.microsecondsSince1970 + 500_000)
        try await passing.clock.sleep(.seconds(90))
        #expect(clock.now.microsecondsSince1970 == noon.microsecondsSince1970 + 90_500_000)
        clock.adjust(to: noon)
        #expect(clock.now.microsecondsSince1970 == noon.microsecondsSince1970 + 500_000, "the latest answer counts")
    }

    @Test("a registration that was put off waits as long as the server says, and a minute at least") func putOff() {
        let clock = ServerClock(SkippingClock().clock)
        clock.adjust(to: noon)
        func wait(_ asked: Duration?) -> Int64 {
            (clock.time(after: asked).microsecondsSince1970 - clock.now.microsecondsSince1970) / 1_000_000
        }
        #expect(wait(.seconds(3_600)) == 3_600)
        #expect(wait(nil) == 60 && wait(.zero) == 60 && wait(.seconds(59)) == 60 && wait(.seconds(61)) == 61)
    }
}
