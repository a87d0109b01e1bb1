package import Domain

/// How a caller may speak for a device that it registers or changes.
package enum Access: Sendable {
    /// By knowing its id, as the classic protocol has it, until the device has a token.
    case classic
    /// By the device's own token.
    case token(TokenHash)
    /// As the game, whose own id of a player the device is.
    case key(TokenHash)

    var name: String {
        switch self {
        case .classic: "classic"
        case .token: "token"
        case .key: "key"
        }
    }

    var hash: TokenHash? {
        switch self {
        case .classic: nil
        case .token(let hash), .key(let hash): hash
        }
    }

    /// The device's own.
    var token: TokenHash? {
        if case .token(let hash) = self { hash } else { nil }
    }
}
