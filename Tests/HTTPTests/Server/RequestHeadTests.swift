import NIOHTTP1
import Testing

@testable import HTTP

@Suite struct RequestHeadTests {
    @Test("a host is a name or an address, and may have a port")
    func hosts() {
        for host in [
            "", "x", "scores.example.org", "scores.example.org:8080", "127.0.0.1", "127.0.0.1:80", "[::1]",
            "[::1]:8080", "a_b", "x:", "%C3%A9.example", "UPPER.Example:1",
        ] {
            #expect(RequestHead.isHost(host), "\(host)")
        }
        for host in [
            "a b", "x:port", "x:123456", "x:1:2", "a/b", "user@x", "http://x", "[::1", "::1", "[]", "[x]",
            "[127.0.0.1]", "[::1]x", "é.example", "x?", "x#", "\"x\"", "<x>", "x\\y", "a\u{0}b", "x, y",
        ] {
            #expect(!RequestHead.isHost(host), "\(host)")
        }
    }

    @Test("a request of HTTP/1.1 names its host once; HTTP/1.0 may leave it out, and not name two")
    func hostsCount() {
        let cases: [(HTTPVersion, [String], Bool)] = [
            (.http1_1, ["x"], true), (.http1_1, [], false), (.http1_1, ["x", "x"], false), (.http1_1, ["a b"], false),
            (.http1_1, [""], true), (.http1_0, [], true), (.http1_0, ["x"], true), (.http1_0, ["x", "y"], false),
            (.http1_0, ["a b"], false),
        ]
        for (version, hosts, isValid) in cases {
            let headers = HTTPHeaders(hosts.map { ("Host", $0) })
            let head = RequestHead(HTTPRequestHead(version: version, method: .GET, uri: "/", headers: headers))
            #expect(head.hasValidHost == isValid, "\(version) \(hosts)")
        }
    }
}
