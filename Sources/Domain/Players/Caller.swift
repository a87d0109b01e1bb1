/// Who sends a score or a donation. The books find the player, and judge whether the caller may speak for it, where
/// they judge the row itself.
package enum Caller: Sendable, Hashable {
    /// A player's own device.
    /// - Parameter claims: The player that the body names, who must be the same one.
    case token(TokenHash, claims: Player.ID?)
    /// The game itself, for one of its players.
    case key(TokenHash, Subject)
    /// Whoever knows the device's id: so the classic protocol has it.
    case device(DeviceHash)
    /// Known already, and checked.
    case player(Player.ID)

    /// How a game names a player.
    package enum Subject: Sendable, Hashable {
        case player(Player.ID)
        /// By the game's own id.
        case external(DeviceHash)
    }

    package var token: TokenHash? {
        if case .token(let hash, _) = self { hash } else { nil }
    }

    package var key: TokenHash? {
        if case .key(let hash, _) = self { hash } else { nil }
    }

    package var device: DeviceHash? {
        switch self {
        case .device(let hash), .key(_, .external(let hash)): hash
        default: nil
        }
    }

    /// Who the caller says that the player is.
    package var player: Player.ID? {
        switch self {
        case .token(_, let claimed): claimed
        case .key(_, .player(let id)), .player(let id): id
        case .key(_, .external), .device: nil
        }
    }
}
