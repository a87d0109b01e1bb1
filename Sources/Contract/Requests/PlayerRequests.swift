/// The body of a device's PUT, by which a player registers, changes, or joins another device's player. What is nil is
/// not sent and stays as it is.
public struct DeviceRegistration: Sendable, Hashable, Codable {
    /// 1 to 32 characters; a new player needs one.
    public var name: String?
    /// A PNG or JPEG in base64; an empty text takes the picture away.
    public var image: String?
    public var email: String?
    public var sendUpdates: Bool?
    /// Two letters of ISO 3166.
    public var country: String?
    public var deviceName: String?
    /// A code of the player to whom the device comes.
    public var code: String?
    /// The player's identity at a sign-in provider. If a player has linked it, the device joins that player. Otherwise
    /// the identity is linked to the device's player.
    public var identity: IdentityProof?
    /// Whether to merge the device's own player, if it has scores, donations or saves, into the player that it joins.
    public var merge: Bool?

    public init(name: String? = nil) { self.name = name }

    public enum CodingKeys: String, MessageKey {
        case name, image, email, country, code, identity, merge
        case sendUpdates = "send_updates"
        case deviceName = "device_name"
    }
}

/// An ID token of a sign-in provider.
public struct IdentityProof: Sendable, Hashable, Codable {
    /// The provider's name in the game's settings. Absent where the path names it.
    public let provider: String?
    /// The nonce that `POST /v1/games/{game}/sign-ins` returned and the provider got.
    public let nonce: String
    /// The ID token.
    public let token: String

    public init(provider: String? = nil, nonce: String, token: String) {
        (self.provider, self.nonce, self.token) = (provider, nonce, token)
    }

    public enum CodingKeys: String, MessageKey { case provider, nonce, token }
}

/// The body of PATCH `/v1/players/me`. What is nil is not sent and stays as it is; an empty text clears `image`,
/// `email`, `country` and `flag`.
public struct ProfileChange: Sendable, Hashable, Codable {
    public var name: String?
    public var image: String?
    public var email: String?
    public var sendUpdates: Bool?
    public var country: String?
    public var unlisted: Bool?
    /// Whether the player accepts friend requests.
    public var asks: Bool?
    /// The flag that everybody sees: `DE` or, of a region, `DE-BE`. Another one only after 30 days.
    public var flag: String?

    public init() {}

    public enum CodingKeys: String, MessageKey {
        case name, image, email, country, unlisted, asks, flag
        case sendUpdates = "send_updates"
    }
}

/// The body of POST `/v1/players/me/friends`.
public struct FriendCodeUse: Sendable, Hashable, Codable {
    /// 8 letters and digits, as the player typed them.
    public let code: String

    public init(code: String) { self.code = code }

    public enum CodingKeys: String, MessageKey { case code }
}

/// The body of PUT `/v1/players/me/token`.
public struct TokenRotation: Sendable, Hashable, Codable {
    /// `cbd_` and 43 characters of base64url.
    public let token: String

    public init(token: String) { self.token = token }

    public enum CodingKeys: String, MessageKey { case token }
}

/// The body of POST `/v1/players/me/erasure`.
public struct ErasureRequest: Sendable, Hashable, Codable {
    /// The player's own name, exactly.
    public let confirm: String

    public init(confirm: String) { self.confirm = confirm }

    public enum CodingKeys: String, MessageKey { case confirm }
}

/// The body of POST `/v1/players/{player}/report`.
public struct PlayerReport: Sendable, Hashable, Codable {
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable { case name, picture, cheating, other }

    public let why: Reason
    /// In the reporter's own words: at most 500 characters.
    public let text: String?

    public init(why: Reason, text: String? = nil) { (self.why, self.text) = (why, text) }

    public enum CodingKeys: String, MessageKey { case why, text }
}
