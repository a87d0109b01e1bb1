import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

/// From where a browser may sign in.
@Suite struct ConsoleSessionTests {
    private static func send(
        _ method: HTTPRequest.Method, _ headers: HTTPHeaders, from address: String, body: String = ""
    ) async throws -> (status: Int, text: String) {
        let responder = try Exchange.responderWithoutDatabase(isAdminPublic: true)
        let response = await responder.respond(
            to: Request(
                method: method, target: "/admin/sign-in", headers: RequestHeaders(headers),
                body: ByteBuffer(string: body), peer: Peer(address: IPAddress(address), isEncrypted: false)))
        return (response.status.code, String(buffer: response.body))
    }

    @Test(
        "without encryption a browser is on the machine itself only where both ends of its connection are",
        arguments: [
            ("localhost:8080", "127.0.0.1", true), ("LOCALHOST", "::1", true), ("127.0.0.1:8080", "127.0.0.1", true),
            ("localhost:8080", "203.0.113.1", false), ("127.0.0.1", "203.0.113.1", false),
            ("[::1]", "2001:db8::1", false), ("scores.example.org", "127.0.0.1", false),
        ]) func loopback(host: String, peer: String, isSafe: Bool) async throws
    {
        let page = try await Self.send(.get, ["Host": host, "Accept": "text/html"], from: peer)
        #expect(page.status == 200)
        #expect(page.text.contains("came without encryption") != isSafe, "\(host) \(peer)")
    }

    @Test(
        "who signs in comes from this site's page, as the browser says in either header",
        arguments: [
            ([:], true), (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "none"], true),
            (["Sec-Fetch-Site": "cross-site"], false), (["Sec-Fetch-Site": "same-site"], false),
            (["Origin": "https://evil.example"], false), (["Origin": "null"], false), (["Origin": "http://"], false),
            (["Origin": "https://Scores.example.org"], true), (["Origin": "http://scores.example.org:8080"], false),
            // A proxy may have sent another Host than the browser.
            (["Sec-Fetch-Site": "same-origin", "Origin": "https://public.example.org"], true),
        ] as [(HTTPHeaders, Bool)]) func sites(headers: HTTPHeaders, isOwn: Bool) async throws
    {
        var headers = headers
        headers.add(name: "Host", value: "scores.example.org")
        headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        let answer = try await Self.send(.post, headers, from: "203.0.113.1", body: "key=none")
        #expect(answer.status == (isOwn ? 401 : 403), "\(headers): \(answer.text)")
    }

    @Test(
        "after a sign-in a browser is led to a page of the console and nowhere else",
        arguments: [
            ("/admin", true), ("/admin/log", true), ("/admin/log?before=7&x=%2F%2Fevil", true),
            ("/admin/games/maze/boards/lap", true), ("/admin/queue?kind=report", true), ("", false), ("/", false),
            ("//evil.example", false), ("//evil.example/admin", false), ("/\\evil.example", false),
            ("/%2fevil.example", false), ("/%5cevil.example", false), ("/admin//evil.example", false),
            ("/admin/..//evil.example", false), ("/admin/../players", false), ("/admin/%2e%2e/players", false),
            ("/admin/./log", false), ("/admin/log/", false), ("/adminx", false), ("/admin/none", false),
            ("/admin/sign-out", false), ("/admin#@evil.example", false), ("/admin\t", false),
            ("/admin/log\r\nX: y", false), ("/admin/l\u{f6}g", false), (" /admin", false),
            ("https://evil.example/admin", false), ("javascript:alert(1)", false), ("/v1/admin/queue", false),
            ("/admin/" + String(repeating: "x", count: 9_000), false),
        ]) func target(path: String, isOwn: Bool)
    { #expect(ConsoleSessions.ownPath(path) == (isOwn ? path : "/admin")) }
}
