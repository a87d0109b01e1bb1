import Testing

@testable import HTTP

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
