package import HTTPServer

/// Which addresses the server may connect to: public ones, and private networks that an operator allows.
///
/// Otherwise, whoever controls a host name that the server looks up could make it send requests to its own machine or
/// network, or to a cloud's metadata service (SSRF).
package struct AddressPermit: Sendable {
    private let allowed: [IPNetwork]
    private let isLoopbackAllowed: Bool

    /// - Parameter networks: Private networks to which connections are allowed. They never permit loopback, link-local
    ///   or multicast addresses.
    package init(allowing networks: [IPNetwork] = []) { self.init(allowing: networks, loopback: false) }

    /// - Parameter loopback: Whether to allow loopback addresses, for tests.
    init(allowing networks: [IPNetwork], loopback: Bool) { (allowed, isLoopbackAllowed) = (networks, loopback) }

    func allows(_ address: IPAddress) -> Bool {
        if address.isLoopback { return isLoopbackAllowed }
        if Self.never.contains(where: { $0.contains(address) }) { return false }
        return Self.isPublic(address) || allowed.contains { $0.contains(address) }
    }

    /// Whether the address is globally reachable, by IANA's registries of special-purpose addresses (RFC 6890).
    static func isPublic(_ address: IPAddress) -> Bool {
        switch address.family {
        case .v4: !special.contains { $0.contains(address) }
        // Only this part of IPv6 is assigned. The prefixes of NAT64 (RFC 6052), which contain IPv4 addresses, are
        // outside.
        case .v6: assigned.contains { $0.contains(address) } && !special.contains { $0.contains(address) }
        }
    }

    private static let assigned = networks("2000::/3")

    /// Special-purpose networks that are not globally reachable, or that forward to other addresses.
    private static let special = networks(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

    /// Networks that no setting allows: unspecified, link-local, multicast and broadcast addresses.
    private static let never = networks(
        "0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255", "::", "fe80::/10", "ff00::/8")

    private static func networks(_ texts: String...) -> [IPNetwork] {
        texts.map { text in
            guard let network = IPNetwork(text) else { preconditionFailure("\(text) is a network") }
            return network
        }
    }
}
