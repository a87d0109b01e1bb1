/// The sender of a score or donation. The ledger statements look up the player, and decide whether the caller may act
/// for it, together with the row itself.
package enum Caller: Sendable, Hashable {
    /// A player's own device, authenticated by its bearer token.
    /// - Parameter claims: The player that the request body names, who must be the same one.
    case token(TokenHash, claims: Player.ID?)
    /// A game, authenticated by its key, on behalf of one of its players.
    case key(TokenHash, Subject)
    /// A client that knows the device's id: the classic protocol has no other authentication.
    case device(DeviceHash)
    /// A player who has been identified and checked already.
    case player(Player.ID)

    /// A player as a game's request names it.
    package enum Subject: Sendable, Hashable {
        case player(Player.ID)
        /// The game's own id of the player.
        case external(DeviceHash)
    }

    /// The caller without what a token's request merely claims. Whoever shares turns among callers uses this one, or a
    /// token would have a turn for each player that it can name.
    package var withoutClaims: Caller { if case .token(let hash, _) = self { .token(hash, claims: nil) } else { self } }

    package var token: TokenHash? { if case .token(let hash, _) = self { hash } else { nil } }

    package var key: TokenHash? { if case .key(let hash, _) = self { hash } else { nil } }

    package var device: DeviceHash? {
        switch self {
        case .device(let hash), .key(_, .external(let hash)): hash
        default: nil
        }
    }

    /// The player that the caller names; nil when it names none or uses an external id.
    package var player: Player.ID? {
        switch self {
        case .token(_, let claimed): claimed
        case .key(_, .player(let id)), .player(let id): id
        case .key(_, .external), .device: nil
        }
    }
}

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
