import Domain

/// The clients of the requests that come over one connection of a trusted proxy.
struct ForwardedClients: Sendable {
    private let connections: OpenConnections
    private let proxies: TrustedProxies
    private let peer: Peer

    init(_ connections: OpenConnections, _ proxies: TrustedProxies, behind address: IPAddress) {
        self.connections = connections
        self.proxies = proxies
        peer = Peer(address: address, isEncrypted: false)
    }

    /// Takes a place for the client that a request's head names, among the connections of its address.
    /// - Returns: Nil when the client has no place left.
    func enter(_ headers: RequestHeaders) -> ForwardedPlace? {
        guard let client = proxies.client(headers, from: peer).address else { return nil }
        // The proxy itself, when it names nobody, has no bound: everybody might be behind it.
        if proxies.contains(client) { return ForwardedPlace(nil, connections.input, of: connections) }
        return connections.enter(client).map { ForwardedPlace(client, $0, of: connections) }
    }
}

/// The place of a request among the connections of its client, who is behind a proxy.
struct ForwardedPlace: Sendable {
    private let client: IPAddress?
    private let connections: OpenConnections
    /// The room for what the client sends.
    let input: InputBudget

    fileprivate init(_ client: IPAddress?, _ input: InputBudget, of connections: OpenConnections) {
        self.client = client
        self.input = input
        self.connections = connections
    }

    /// Gives the place back. Call it once.
    func leave() {
        if let client { connections.leave(client) }
    }
}
