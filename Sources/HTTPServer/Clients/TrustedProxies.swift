import Domain

/// Who sent a request, as far as the server may believe it.
package struct Client: Equatable, Sendable {
    /// Nil when the connection has no address.
    package let address: IPAddress?
    /// Whether the client's own connection uses TLS.
    package let isSecure: Bool
}

/// The proxies in front of the server, whose word about their clients is believed. Anybody else's is not read.
package struct TrustedProxies: Sendable {
    /// The one header in which the proxies say who their client is. Reading two would let a client forge the other.
    package enum Header: String, CaseIterable, Sendable {
        case xForwardedFor = "x-forwarded-for"
        case forwarded
    }

    private let networks: [IPNetwork]
    private let header: Header

    package init(_ networks: [IPNetwork] = [], header: Header = .xForwardedFor) {
        self.networks = networks
        self.header = header
    }

    package var isEmpty: Bool { networks.isEmpty }

    package func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Whether the other end of the connection is a trusted proxy.
    package func areBehind(_ peer: Peer) -> Bool {
        guard !networks.isEmpty, let address = peer.address else { return false }
        return contains(address)
    }

    /// The client of a request: the other end of the connection, or behind trusted proxies the last one of the header
    /// that is no trusted proxy itself. When a proxy's word cannot be read, the proxy is the client.
    package func client(of request: Request) -> Client { client(request.headers, from: request.peer) }

    /// The client of a request with these headers.
    func client(_ headers: RequestHeaders, from peer: Peer) -> Client {
        guard areBehind(peer) else { return Client(address: peer.address, isSecure: peer.isEncrypted) }
        var client = peer.address
        var scheme: String?
        var hops = ForwardedHops(headers, header)
        for _ in 0..<Limits.proxyHopsMax {
            guard let hop = hops.next(), let address = hop.address else { break }
            (client, scheme) = (address, hop.scheme)
            if !contains(address) { break }
        }
        if header == .xForwardedFor { scheme = ForwardedHops.lastScheme(of: headers) }
        return Client(address: client, isSecure: scheme.map { $0.lowercased() == "https" } ?? peer.isEncrypted)
    }
}
