/// The other end of the connection that a request came over: the client itself, or a proxy before it.
package struct Peer: Sendable {
    /// Nil for a Unix domain socket, and in tests that have no connection.
    package let address: IPAddress?
    /// Whether the connection uses TLS.
    package let isEncrypted: Bool

    package init(address: IPAddress?, isEncrypted: Bool) {
        self.address = address
        self.isEncrypted = isEncrypted
    }

    package static let unknown = Peer(address: nil, isEncrypted: false)
}
