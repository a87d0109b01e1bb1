import Domain
import HTTPTypes
import NIOCore
import Testing

@testable import HTTPServer

@Suite("IP addresses") struct IPAddressTests {
    @Test("an IPv4 address is the same one in its IPv6 form") func mapped() {
        #expect(IPAddress("192.0.2.1") != nil)
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        #expect(IPAddress("::1") != IPAddress("0.0.0.1"))
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "fe80::1%eth0", "[::1]", "::1 ", "::g", "1.2.3.4:80",
            String(repeating: "1", count: 100_000),
        ]) func refused(_ text: String)
    {
        #expect(IPAddress(text) == nil)
        #expect(IPNetwork(text) == nil)
    }

    @Test("a client is counted by its IPv4 address or by the /64 of its IPv6 address") func counted() {
        #expect(IPAddress("2001:db8:1:2:3::9")?.counted == IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("2001:db8:1:3::")?.counted != IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("192.0.2.1")?.counted == IPAddress("192.0.2.1"))
    }

    @Test(
        "a network contains the addresses with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
            ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::/0", "::1", true), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1/32", "::ffff:127.0.0.1", true), ("::1/128", "::1", true), ("127.0.0.1", "127.0.0.2", false),
        ]) func contains(_ network: String, _ address: String, _ expected: Bool) throws
    { #expect(try #require(IPNetwork(network)).contains(#require(IPAddress(address))) == expected) }

    @Test(
        "a network whose prefix is no number in range, or that names a host, is refused",
        arguments: [
            "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "/8", "10.0.0.1/8",
            "10.0.0.0/8888", "2001:db8::1/64",
        ]) func refusedNetwork(_ text: String)
    { #expect(IPNetwork(text) == nil) }
}
