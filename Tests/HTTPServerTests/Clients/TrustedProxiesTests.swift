import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import TestDice
import Testing

@testable import HTTPServer

@Suite("trusted proxies") struct TrustedProxiesTests {
    private static let networks = ["10.0.0.0/8", "192.0.2.1", "2001:db8:1::/48"].compactMap { IPNetwork($0) }

    private static func client(
        _ header: TrustedProxies.Header, _ lines: [(String, String)], from peer: String = "10.0.0.1",
        isEncrypted: Bool = false
    ) throws -> Client {
        let proxies = TrustedProxies(networks, header: header)
        return proxies.client(
            of: Request(
                method: .get, target: "/", headers: RequestHeaders(HTTPHeaders(lines)), body: ByteBuffer(),
                peer: Peer(address: IPAddress(peer), isEncrypted: isEncrypted)))
    }

    @Test(
        "X-Forwarded-For names the last hop that is no trusted proxy",
        arguments: [
            ("203.0.113.9", "203.0.113.9"), ("203.0.113.9:4711", "203.0.113.9"), ("  203.0.113.9\t", "203.0.113.9"),
            ("[2001:db8::9]", "2001:db8::9"), ("[2001:db8::9]:443", "2001:db8::9"), ("2001:db8::9", "2001:db8::9"),
            ("::ffff:203.0.113.9", "203.0.113.9"), ("6.6.6.6, 203.0.113.9", "203.0.113.9"),
            ("6.6.6.6,203.0.113.9, 10.1.2.3,192.0.2.1", "203.0.113.9"), ("10.2.2.2, 10.3.3.3", "10.2.2.2"),
            ("<script>, 203.0.113.9", "203.0.113.9"), ("\", 203.0.113.9", "203.0.113.9"),
            // The nearest trusted hop is counted where its word cannot be read.
            ("", "10.0.0.1"), (",", "10.0.0.1"), ("203.0.113.9,", "10.0.0.1"), ("unknown", "10.0.0.1"),
            ("6.6.6.6, unknown", "10.0.0.1"), ("6.6.6.6, unknown, 10.9.9.9", "10.9.9.9"), ("1.2.3", "10.0.0.1"),
            ("203.0.113.9:", "10.0.0.1"), ("203.0.113.9:80:80", "10.0.0.1"), ("[203.0.113.9]", "10.0.0.1"),
            ("[2001:db8::9", "10.0.0.1"), ("[2001:db8::9]443", "10.0.0.1"), ("fe80::1%eth0", "10.0.0.1"),
            ("6.6.6.6 7.7.7.7", "10.0.0.1"), ("\"203.0.113.9\"", "10.0.0.1"), ("for=203.0.113.9", "10.0.0.1"),
            (String(repeating: "1", count: 300), "10.0.0.1"),
            ("6.6.6.6," + String(repeating: " ", count: 300), "10.0.0.1"),
        ]) func xForwardedFor(_ value: String, _ expected: String) throws
    {
        let client = try Self.client(.xForwardedFor, [("X-Forwarded-For", value), ("Forwarded", "for=7.7.7.7")])
        #expect(client.address == IPAddress(expected))
    }

    @Test(
        "Forwarded names the last hop that is no trusted proxy",
        arguments: [
            ("for=203.0.113.9", "203.0.113.9"), ("For=203.0.113.9;proto=http", "203.0.113.9"),
            ("for=\"203.0.113.9:4711\"", "203.0.113.9"), ("for=\"[2001:db8::9]:4711\"", "2001:db8::9"),
            ("for=\"[2001:db8::9]\"", "2001:db8::9"), ("for=\"[2001:db8::9]:_port\"", "2001:db8::9"),
            ("by=_x; for=203.0.113.9 ;host=\"a,b;c\"", "203.0.113.9"),
            ("for=6.6.6.6, for=203.0.113.9, for=10.1.2.3", "203.0.113.9"), ("for=\"203\\.0.113.9\"", "203.0.113.9"),
            // What a client sent before cannot swallow what its proxy appended.
            ("for=\", for=203.0.113.9", "203.0.113.9"), ("for=\"\\, for=203.0.113.9", "203.0.113.9"),
            ("for=6.6.6.6;host=\", for=203.0.113.9", "203.0.113.9"),
            ("for=203.0.113.9;host=\"a\\\", for=6.6.6.6;x=\\\"\"", "203.0.113.9"), ("for=unknown", "10.0.0.1"),
            ("for=_hidden", "10.0.0.1"), ("for=6.6.6.6, for=unknown", "10.0.0.1"), ("proto=https", "10.0.0.1"),
            ("for=6.6.6.6;for=7.7.7.7", "10.0.0.1"), ("for=", "10.0.0.1"), ("", "10.0.0.1"),
            ("for=\"6.6.6.6", "10.0.0.1"), ("for=6.6.6.6\"", "10.0.0.1"), ("for=\"6.6\".6.6", "10.0.0.1"),
            ("=", "10.0.0.1"), ("for=\"6.6.6.6\\\"", "10.0.0.1"), ("203.0.113.9", "10.0.0.1"),
            ("for=6.6.6.6;", "10.0.0.1"), ("for=6.6.6.6;x=" + String(repeating: "a", count: 300), "10.0.0.1"),
        ]) func forwarded(_ value: String, _ expected: String) throws
    {
        let client = try Self.client(.forwarded, [("Forwarded", value), ("X-Forwarded-For", "7.7.7.7")])
        #expect(client.address == IPAddress(expected), "\(value)")
    }

    @Test("several lines of a header are one list, and a chain of too many trusted proxies ends") func lines() throws {
        let two = [
            ("x-forwarded-for", "6.6.6.6, 203.0.113.9"), ("Via", "x"), ("X-FORWARDED-FOR", "10.1.1.1, 10.2.2.2"),
        ]
        #expect(try Self.client(.xForwardedFor, two).address == IPAddress("203.0.113.9"))
        let hops = (1...40).map { "10.0.1.\($0)" }.joined(separator: ",")
        #expect(
            try Self.client(.xForwardedFor, [("X-Forwarded-For", "6.6.6.6,\(hops)")]).address
                == IPAddress("10.0.1.\(41 - Limits.proxyHopsMax)"))
    }

    @Test("who is no trusted proxy is the client, whatever it says") func untrusted() throws {
        let lines = [
            ("X-Forwarded-For", "6.6.6.6"), ("Forwarded", "for=6.6.6.6;proto=https"), ("X-Forwarded-Proto", "https"),
        ]
        for header in TrustedProxies.Header.allCases {
            let client = try Self.client(header, lines, from: "203.0.113.1")
            #expect(client == Client(address: IPAddress("203.0.113.1"), isSecure: false))
            #expect(try Self.client(header, lines, from: "203.0.113.1", isEncrypted: true).isSecure)
        }
        let nobody = Request(method: .get, target: "/", headers: RequestHeaders(HTTPHeaders(lines)), body: ByteBuffer())
        #expect(TrustedProxies(Self.networks).client(of: nobody) == Client(address: nil, isSecure: false))
        #expect(!TrustedProxies(Self.networks).areBehind(.unknown))
    }

    @Test("a trusted proxy says whether its client came by TLS") func secure() throws {
        func isSecure(_ header: TrustedProxies.Header, _ lines: [(String, String)], isEncrypted: Bool = false) throws
            -> Bool
        { try Self.client(header, lines, isEncrypted: isEncrypted).isSecure }
        let address = ("X-Forwarded-For", "203.0.113.9")
        #expect(try isSecure(.xForwardedFor, [address, ("X-Forwarded-Proto", "HTTPS")]))
        #expect(try isSecure(.xForwardedFor, [address, ("X-Forwarded-Proto", "http, https")]))
        #expect(try !isSecure(.xForwardedFor, [address, ("X-Forwarded-Proto", "https, http")], isEncrypted: true))
        #expect(try !isSecure(.xForwardedFor, [address, ("Forwarded", "for=203.0.113.9;proto=https")]))
        #expect(try isSecure(.xForwardedFor, [address], isEncrypted: true))
        #expect(try isSecure(.forwarded, [("Forwarded", "for=6.6.6.6, for=203.0.113.9;proto=https, for=10.1.1.1")]))
        #expect(try !isSecure(.forwarded, [("Forwarded", "for=203.0.113.9;proto=http, for=10.1.1.1;proto=https")]))
        #expect(try !isSecure(.forwarded, [("Forwarded", "for=203.0.113.9"), ("X-Forwarded-Proto", "https")]))
    }

    @Test(
        "whatever an untrusted client sends before its proxy's own entry changes nothing", arguments: Dice.seeds(1...20)
    ) func hostile(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let pieces = [
            "for=", "\"", "\\", ",", ";", "=", " ", "\t", "10.0.0.1", "6.6.6.6", "[::1]", "]", "[", ":", "proto=https",
            "ü", "\u{301}", "😀", "unknown", "%00", "host=\"a\"",
        ]
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0...30, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }
                .joined()
            let (x, forwarded) = ("X-Forwarded-For", "Forwarded")
            let expected = IPAddress("203.0.113.9")
            for lines in [
                [(x, "\(noise), 203.0.113.9")], [(x, noise), (x, "203.0.113.9")],
                [(x, "\(noise),203.0.113.9, 10.7.7.7")],
            ] { #expect(try Self.client(.xForwardedFor, lines).address == expected, "\(lines)") }
            for lines in [
                [(forwarded, "\(noise), for=203.0.113.9")],
                [(forwarded, noise), (forwarded, "for=203.0.113.9;host=x")],
                [(forwarded, "\(noise), for=\"203.0.113.9:1\", for=10.7.7.7")],
            ] { #expect(try Self.client(.forwarded, lines).address == expected, "\(lines)") }
            // The same as the proxy's own word must be read without a trap.
            _ = try Self.client(.forwarded, [(forwarded, noise)])
            _ = try Self.client(.xForwardedFor, [(x, noise)])
        }
    }
}
