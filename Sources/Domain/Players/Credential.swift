/// The bearer token that a v1 request carries, as the database knows it.
package enum Credential: Sendable, Equatable {
    /// A player's own token (`cbd_`).
    case player(TokenHash)
    /// A game's key (`cbk_`).
    case game(TokenHash)
    /// An operator's key (`cba_`).
    case admin(TokenHash)
}

/// The SHA-256 of a token or key, 32 bytes: all that the database holds of it.
package struct TokenHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A device as the database knows it: a keyed hash of the game and the device's id, 32 bytes.
package struct DeviceHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A code that brings a device to a player, as the database knows it: a keyed hash of the game and the code, 32 bytes.
package struct CodeHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}
