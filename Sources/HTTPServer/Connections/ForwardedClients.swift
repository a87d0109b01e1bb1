import Domain

/// The clients whose requests come over one connection of a trusted proxy.
struct ForwardedClients: Sendable {
    private let connections: OpenConnections
    private let proxies: TrustedProxies
    private let peer: Peer

    init(_ connections: OpenConnections, _ proxies: TrustedProxies, behind address: IPAddress) {
        self.connections = connections
        self.proxies = proxies
        peer = Peer(address: address, isEncrypted: false)
    }

    /// Counts a request as a connection of the client that its head names.
    /// - Returns: Nil if the client is at its limit.
    func enter(_ headers: RequestHeaders) -> ForwardedPlace? {
        guard let client = proxies.client(headers, from: peer).address else { return nil }
        // A proxy that names no client has no limit: everybody might be behind it.
        if proxies.contains(client) { return ForwardedPlace(nil, connections.input, of: connections) }
        return connections.enter(client).map { ForwardedPlace(client, $0, of: connections) }
    }
}

/// The count of a request behind a proxy among the connections of its client.
struct ForwardedPlace: Sendable {
    private let client: IPAddress?
    private let connections: OpenConnections
    /// The memory budget for what the client sends.
    let input: MemoryBudget

    fileprivate init(_ client: IPAddress?, _ input: MemoryBudget, of connections: OpenConnections) {
        self.client = client
        self.input = input
        self.connections = connections
    }

    /// Returns the count. Call it once.
    func leave() { if let client { connections.leave(client) } }
}
