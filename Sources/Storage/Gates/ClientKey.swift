import Domain

/// Names whoever a gate takes turns between.
package protocol GateKey: Hashable, Sendable {
    /// Whether many share this key, so that they take turns with others but may use all free room of a gate.
    var isCrowd: Bool { get }
}

extension GateKey {
    package var isCrowd: Bool { false }
}

/// The client whom a task serves, as far as gates tell clients apart: an address or a network, without its meaning.
package struct ClientKey: GateKey {
    private let high: UInt64
    private let low: UInt64
    package let isCrowd: Bool

    package init(high: UInt64, low: UInt64, isCrowd: Bool = false) {
        (self.high, self.low, self.isCrowd) = (high, low, isCrowd)
    }

    /// The server's own work, and whoever has no address.
    package static let server = ClientKey(high: .max, low: .max, isCrowd: true)

    /// The client whom this task serves.
    @TaskLocal package static var current = ClientKey.server
}

extension TokenHash: GateKey {}
extension Player.ID: GateKey {}
