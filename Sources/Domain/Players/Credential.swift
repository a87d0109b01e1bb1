/// What a v1 caller shows.
package enum Credential: Sendable, Equatable {
    /// A player's own token.
    case player(TokenHash)
    /// A game's key.
    case game(TokenHash)
}

/// A token or a key as the database knows it: its SHA-256, 32 bytes.
package struct TokenHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A device as the database knows it: the keyed hash of its game and its id, 32 bytes.
package struct DeviceHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
