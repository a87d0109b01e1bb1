/// Names a client, for gates where clients take turns.
package protocol GateKey: Hashable, Sendable {
    /// Whether many people share this key. It then takes turns as one client but may use all free capacity of a gate.
    var isCrowd: Bool { get }
}

extension GateKey { package var isCrowd: Bool { false } }

/// The client that a task serves, as gates tell clients apart: an address or a network, as an opaque value.
package struct ClientKey: GateKey {
    private let high: UInt64
    private let low: UInt64
    package let isCrowd: Bool

    package init(high: UInt64, low: UInt64, isCrowd: Bool = false) {
        (self.high, self.low, self.isCrowd) = (high, low, isCrowd)
    }

    /// The server itself, and clients without an address.
    package static let server = ClientKey(high: .max, low: .max, isCrowd: true)

    /// The client that this task serves.
    @TaskLocal package static var current = ClientKey.server
}
