/// The other end of the connection that a request came over: the client itself, or a proxy before it.
package struct Peer: Sendable {
    /// Nil for a Unix domain socket, and in tests that have no connection.
    package let address: IPAddress?
    /// Whether the connection uses TLS.
    package let isEncrypted: Bool
    /// The listener that accepted the connection.
    package let listener: ListenerRole
    /// Whether responses tell the browser to use TLS from now on.
    package let staysEncrypted: Bool

    package init(address: IPAddress?, isEncrypted: Bool, listener: ListenerRole = .open, staysEncrypted: Bool = false) {
        self.address = address
        self.isEncrypted = isEncrypted
        self.listener = listener
        self.staysEncrypted = staysEncrypted
    }

    package static let unknown = Peer(address: nil, isEncrypted: false)
}

/// Whom a listener is for. The route table says which routes it serves; see ``Audience``.
package enum ListenerRole: Sendable {
    /// Clients: games, players and readers.
    case open
    /// Whoever operates the server.
    case admin
}
