import enum Contract.ProblemName
import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct RequestBoundsTests {
    private let responder: Responder

    init() throws { responder = try Exchange.responderWithoutDatabase() }

    private func request(_ target: String, _ headers: [(String, String)] = []) -> Request {
        Request(method: .get, target: target, headers: RequestHeaders(HTTPHeaders(headers)), body: ByteBuffer())
    }

    private func problem(_ target: String, _ headers: [(String, String)] = []) -> Problem.Name? {
        request(target, headers).headProblem?.name
    }

    @Test("a target of 8 KiB is taken, a longer one is a 414") func target() async {
        let longest = "/" + String(repeating: "a", count: Limits.targetBytesMax - 1)
        #expect(problem(longest) == nil)
        #expect(problem(longest + "a") == .targetTooLong)
        #expect(problem("/TopScores?window=" + String(repeating: "%CC%81", count: 11_000)) == .targetTooLong)
        #expect(await responder.respond(to: request(longest + "a")).status.code == 414)
    }

    @Test("a target beyond ASCII is a 400", arguments: ["/v1/games/é", "/TopScores?charity=\u{301}\u{323}"])
    func beyondASCII(target: String) async {
        #expect(problem(target) == .malformed)
        #expect(await responder.respond(to: request(target)).status.code == 400)
    }

    @Test(
        "each header that is read has a bound, its repetitions together",
        arguments: [
            "Accept", "accept-encoding", "Accept-Language", "Access-Control-Request-Headers", "AUTHORIZATION",
            "Causeboard-Signature", "Connection", "Content-Encoding", "Content-Type", "Expect", "If-Match",
            "If-None-Match", "Last-Event-ID", "Origin", "Proxy-Connection", "Sec-Fetch-Site",
        ]) func headers(name: String) async
    {
        // The count has a separator for each value.
        let longest = String(repeating: "a", count: Limits.headerBytesMax - 2)
        #expect(problem("/", [(name, longest)]) == nil)
        #expect(problem("/", [(name, longest + "a")]) == .headerTooLong)
        let repeated = Array(repeating: (name, "a"), count: Limits.headerBytesMax / 3 + 1)
        #expect(problem("/", repeated) == .headerTooLong)
        #expect(await responder.respond(to: request("/", repeated)).status.code == 431)
        #expect(request("/", [(name, longest + "a")]).headProblem?.field?.lowercased() == name.lowercased())
    }

    @Test("a header of ASCII alone that has other bytes is a 400, and any other one is read by its bytes")
    func headersBeyondASCII() async {
        for name in [
            "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers", "authorization",
            "Causeboard-Signature", "Connection", "Content-Encoding", "Expect", "Last-Event-ID", "Origin",
            "Proxy-Connection", "Sec-Fetch-Site",
        ] {
            #expect(problem("/", [("Accept", "a"), (name, "a\u{301}\u{323}")]) == .malformed, "\(name)")
            #expect(problem("/", [(name, "a\u{7F}")]) == nil, "\(name)")
        }
        let response = await responder.respond(to: request("/", [("Origin", "\u{301}")]))
        #expect(response.status.code == 400)
        for name in ["Accept", "Content-Type", "If-Match", "If-None-Match", "Cookie", "X-Unknown"] {
            #expect(problem("/", [(name, "a\u{301}\u{323}")]) == nil, "\(name)")
        }
    }

    @Test("a header that the server does not read may be as long as the head") func unreadHeader() async {
        let headers = [("Cookie", String(repeating: "a", count: 70_000)), ("Accept", "text/html")]
        #expect(problem("/", headers) == nil)
        #expect(await responder.respond(to: request("/privacy", headers)).status.code == 200)
    }

    @Test("the refusal is in the format of the route's clients") func format() async {
        let tail = String(repeating: "a", count: Limits.targetBytesMax)
        let classic = await responder.respond(to: request("/customers?" + tail, [("Accept", tail)]))
        #expect(classic.headers[.contentType] == "application/xml; charset=utf-8")
        let v1 = await responder.respond(to: request("/v1/games?" + tail, [("Accept", tail)]))
        #expect(v1.headers[.contentType] == "application/problem+json")
        #expect(v1.headers[.accessControlAllowOrigin] == "*")
    }

    @Test("more than 32 parameters are a 400, also unknown ones and where the address reads none") func parameters()
        async throws
    {
        func target(_ count: Int, of path: String = "/TopScores") -> String {
            path + "?" + (0..<count).map { "p\($0)=\($0)" }.joined(separator: "&")
        }
        #expect(try QueryParameters(target(Limits.parametersMax)).all.count == Limits.parametersMax)
        #expect(throws: Problem.tooManyParameters) { try QueryParameters(target(Limits.parametersMax + 1)) }
        for path in ["/TopScores", "/v1/games", "/v1/charities/x", "/v1/players/1", "/privacy", "/nowhere"] {
            let tooMany = target(Limits.parametersMax + 1, of: path)
            #expect(await responder.respond(to: request(tooMany)).status.code == 400, "\(path)")
            #expect(problem(target(Limits.parametersMax, of: path)) == nil, "\(path)")
        }
        let marks = String(repeating: "&", count: 40)
        #expect(problem("/a\(marks)?x=1#\(marks)") == nil, "outside the query")
    }
}

@Suite struct HostHeaderTests {
    @Test("a host is a name or an address, and may have a port") func hosts() {
        for host in [
            "", "x", "scores.example.org", "scores.example.org:8080", "127.0.0.1", "127.0.0.1:80", "[::1]",
            "[::1]:8080", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]:80", "[::127.0.0.1]", "a_b", "x:", "%C3%A9.example",
            "UPPER.Example:1",
        ] { #expect(HostHeader(host) != nil, "\(host)") }
        for host in [
            "a b", "x:port", "x:123456", "x:1:2", "a/b", "user@x", "http://x", "[::1", "::1", "[]", "[x]",
            "[127.0.0.1]", "[::1]x", "é.example", "x?", "x#", "\"x\"", "<x>", "x\\y", "a\u{0}b", "x, y",
        ] { #expect(HostHeader(host) == nil, "\(host)") }
    }

    @Test("its host is without port and brackets, and in an address of ours has no odd byte") func parts() {
        let cases: [(String, String, String?)] = [
            ("scores.example.org:8080", "scores.example.org", "scores.example.org"), ("[::1]:80", "::1", "[::1]"),
            ("192.0.2.1:80", "192.0.2.1", "192.0.2.1"),
            ("[::ffff:192.0.2.1]:80", "::ffff:192.0.2.1", "[::ffff:192.0.2.1]"), ("", "", nil), (":80", "", nil),
            ("a_b", "a_b", nil), ("%C3%A9.example", "%C3%A9.example", nil), ("a&b", "a&b", nil),
        ]
        for (header, host, inURL) in cases {
            #expect(HostHeader(header)?.host == host[...], "\(header)")
            #expect(HostHeader(header)?.ofURL == inURL, "\(header)")
        }
        #expect(HostHeader(String(repeating: "a", count: 253))?.ofURL != nil)
        #expect(HostHeader(String(repeating: "a", count: 254))?.ofURL == nil)
    }
}
