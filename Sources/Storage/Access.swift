package import Domain

/// How a caller may speak for a device that it registers or changes.
package enum Access: Sendable {
    /// By knowing its id, as the classic protocol has it, until the device has a token.
    case classic
    /// By the device's own token.
    case token(TokenHash)
    /// By a token that the server makes for it: only a new device gets one.
    case newToken(TokenHash)
    /// As the game, whose own id of a player the device is.
    case key(TokenHash)

    var name: String {
        switch self {
        case .classic: "classic"
        case .token: "token"
        case .newToken: "new-token"
        case .key: "key"
        }
    }

    var hash: TokenHash? {
        switch self {
        case .classic: nil
        case .token(let hash), .newToken(let hash), .key(let hash): hash
        }
    }

    /// The device's own.
    var token: TokenHash? {
        switch self {
        case .token(let hash), .newToken(let hash): hash
        case .classic, .key: nil
        }
    }
}
