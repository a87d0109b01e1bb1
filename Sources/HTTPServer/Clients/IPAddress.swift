import Glibc
package import NIOCore

/// An IPv4 or IPv6 address. An IPv4 address in the form that IPv6 maps it to (`::ffff:192.0.2.1`) is that IPv4 address,
/// so a client is the same one through a socket of either kind.
package struct IPAddress: Hashable, Sendable {
    package let family: Family
    /// The address in network byte order: the first half of an IPv6 address, 0 for IPv4.
    package let high: UInt64
    /// The second half of an IPv6 address; the 32 bits of an IPv4 address.
    package let low: UInt64

    package enum Family: Sendable {
        case v4
        case v6

        var bitsCount: Int { self == .v4 ? 32 : 128 }
    }

    private init(family: Family, high: UInt64, low: UInt64) {
        self.family = family
        self.high = high
        self.low = low
    }

    /// Whether it is the machine itself: `127.0.0.0/8` and `::1`.
    package var isLoopback: Bool { family == .v4 ? low >> 24 == 127 : high == 0 && low == 1 }

    /// - Returns: Nil when the text is no address. A zone (`fe80::1%eth0`) and brackets are refused.
    package init?(_ text: some StringProtocol) {
        // The longest text of an address is an IPv6 address that ends in an IPv4 one, of 45 bytes.
        guard text.utf8.count <= 45 else { return nil }
        let text = String(text)
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(family: .v4, high: 0, low: UInt64(UInt32(bigEndian: v4.s_addr)))
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self.init(v6)
    }

    /// - Returns: Nil for a Unix domain socket.
    package init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    private init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        if high == 0, low >> 32 == 0xFFFF {
            self.init(family: .v4, high: 0, low: low & 0xFFFF_FFFF)
        } else {
            self.init(family: .v6, high: high, low: low)
        }
    }

    /// The address with all bits after the first `count` cleared.
    /// - Parameter count: 0 up to the bits of the family.
    func prefix(_ count: Int) -> IPAddress {
        func mask(_ count: Int) -> UInt64 { count <= 0 ? 0 : .max << UInt64(64 - min(count, 64)) }
        switch family {
        case .v4: return IPAddress(family: .v4, high: 0, low: low & (mask(count) >> 32))
        case .v6: return IPAddress(family: .v6, high: high & mask(count), low: low & mask(count - 64))
        }
    }

    /// The address by which a client is known: an IPv4 address as it is, and the first 64 bits of an IPv6 address,
    /// because a customer is given at least a /64 (RFC 6177).
    package var counted: IPAddress { family == .v4 ? self : prefix(64) }
}

/// Addresses that one customer may own and that are therefore counted together.
///
/// Each IPv4 address is its own block. An IPv6 address is in three blocks: providers often assign a /56 to a home and a
/// /48 to a rented server (RFC 6177). If only /64s were counted, one customer would have up to 65,536 times each limit.
package struct AddressBlock: Hashable, Sendable {
    package let base: IPAddress
    package let bitsCount: UInt8

    /// The blocks of IPv6, smallest first, each with its multiple of the limits of one address.
    private static let levels: [(bitsCount: UInt8, factor: Int)] = [(64, 1), (56, 8), (48, 32)]

    /// The block's limit, as a multiple of one address's limit.
    package var factor: Int { base.family == .v4 ? 1 : Self.levels.first { $0.bitsCount == bitsCount }?.factor ?? 1 }

    /// The number of blocks that contain an address.
    package static func count(of address: IPAddress) -> Int { address.family == .v4 ? 1 : levels.count }

    /// - Parameter level: 0 for the smallest block, up to ``count(of:)`` - 1.
    package init(_ address: IPAddress, level: Int = 0) {
        switch address.family {
        case .v4: (base, bitsCount) = (address, 32)
        case .v6:
            bitsCount = Self.levels[level].bitsCount
            base = address.prefix(Int(bitsCount))
        }
    }
}

extension IPAddress {
    /// The largest block that contains the address: an IPv4 address itself, and the /48 of an IPv6 address.
    package var largestBlock: IPAddress { AddressBlock(self, level: AddressBlock.count(of: self) - 1).base }

    /// The address in network byte order: 4 bytes, or 16.
    package var bytes: [UInt8] {
        let all = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        return family == .v4 ? all.suffix(4) : all
    }

    /// The client that takes turns with others where requests queue. It is an IPv4 address itself. The /64s of a /56
    /// together take at most 2 turns, and those of a /48 at most 4: one customer may own it. That is less than their
    /// share of limits in ``AddressBlock``, because everybody else waits for each turn.
    package var taker: IPAddress {
        guard family == .v6 else { return self }
        let (home, network) = (high >> 8 & 0xFF, high & 0xFF)
        return IPAddress(family: .v6, high: prefix(48).high | (home % 2) << 8 | network % 2, low: 0)
    }

    /// The blocks that contain the address, smallest first.
    package var blocks: some Sequence<AddressBlock> {
        (0..<AddressBlock.count(of: self)).lazy.map { AddressBlock(self, level: $0) }
    }
}

/// A range of addresses in CIDR notation, such as `10.0.0.0/8`.
package struct IPNetwork: Hashable, Sendable {
    private let base: IPAddress
    private let bitsCount: Int

    /// - Returns: Nil when the text is neither an address nor a network, or when bits after the prefix are set.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let base = IPAddress(parts[0]) else { return nil }
        var bitsCount = base.family.bitsCount
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int(parts[1]), count <= bitsCount
            else { return nil }
            bitsCount = count
        }
        guard base.prefix(bitsCount) == base else { return nil }
        self.base = base
        self.bitsCount = bitsCount
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.family == base.family && address.prefix(bitsCount) == base
    }
}
