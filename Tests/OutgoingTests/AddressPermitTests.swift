import HTTPServer
import Testing

@testable import Outgoing

/// Which addresses the server may connect to.
@Suite struct AddressPermitTests {
    @Test(
        "addresses of the Internet are public",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "192.169.0.0", "223.255.255.255", "2001:200::1", "2606:4700::1111", "2a00:1450::1",
        ]) func isPublic(text: String) throws
    { #expect(AddressPermit().allows(try #require(IPAddress(text)))) }

    /// Each has the number of the address in its last part, or is that of a network.
    private static let others = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1",
        "fd12::1", "fe80::1", "fec0::1", "ff02::1",
    ]

    @Test("all others are not, whatever they are mapped to", arguments: others) func notPublic(text: String) throws {
        #expect(!AddressPermit().allows(try #require(IPAddress(text))))
    }

    @Test("a setting opens private networks, and neither the machine itself nor its link") func allowed() throws {
        let all = try ["0.0.0.0/0", "::/0"].map { try #require(IPNetwork($0)) }
        let permit = AddressPermit(allowing: all)
        for text in ["10.0.0.1", "192.168.1.1", "fd12::1", "64:ff9b::a00:1"] {
            #expect(permit.allows(try #require(IPAddress(text))), "\(text)")
        }
        for text in [
            "127.0.0.1", "::1", "0.0.0.0", "::", "169.254.169.254", "fe80::1", "224.0.0.1", "ff02::1",
            "255.255.255.255", "::ffff:127.0.0.1",
        ] { #expect(!permit.allows(try #require(IPAddress(text))), "\(text)") }
        let one = AddressPermit(allowing: try [#require(IPNetwork("10.1.0.0/16"))])
        #expect(one.allows(try #require(IPAddress("10.1.2.3"))))
        #expect(!one.allows(try #require(IPAddress("10.2.0.0"))))
    }
}
