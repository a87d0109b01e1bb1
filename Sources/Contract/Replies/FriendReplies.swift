/// A friend code. Another player who sends it becomes a friend of the caller.
public struct FriendCode: Sendable, Hashable, Codable {
    public let code: String
    public let expiresAt: Timestamp

    package init(code: String, expiresAt: Timestamp) { (self.code, self.expiresAt) = (code, expiresAt) }

    public enum CodingKeys: String, MessageKey {
        case code
        case expiresAt = "expires_at"
    }
}

/// The answer to POST `/v1/players/me/friends`: the caller's new friend.
public struct FriendMade: Sendable, Hashable, Codable {
    public let player: Int64
    public let name: String

    package init(player: Int64, name: String) { (self.player, self.name) = (player, name) }

    public enum CodingKeys: String, MessageKey { case player, name }
}

/// The answer to PUT `/v1/players/me/friends/{player}`.
public struct FriendState: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable { case friends, asking }

    public let state: State

    package init(state: State) { self.state = state }

    public enum CodingKeys: String, MessageKey { case state }
}

/// A friend of the caller, or the other player of a friend request.
public struct Friend: Sendable, Hashable, Codable {
    public let player: Int64
    public let name: String
    /// Where the picture is, as a path on the server.
    public let avatar: String?
    /// The day in UTC on which it began, such as `2026-11-21`.
    public let since: String

    package init(player: Int64, name: String, avatar: String?, since: String) {
        (self.player, self.name, self.avatar, self.since) = (player, name, avatar, since)
    }

    public enum CodingKeys: String, MessageKey { case player, name, avatar, since }
}

/// A player whom the caller has blocked.
public struct BlockedPlayer: Sendable, Hashable, Codable {
    public let player: Int64
    public let name: String
    public let at: Timestamp

    package init(player: Int64, name: String, at: Timestamp) { (self.player, self.name, self.at) = (player, name, at) }

    public enum CodingKeys: String, MessageKey { case player, name, at }
}

/// The answer to GET `/v1/players/me/friends`, each list with the newest first.
public struct FriendList: Sendable, Hashable, Codable {
    public let friends: [Friend]
    /// Friend requests received.
    public let asked: [Friend]
    /// Friend requests sent.
    public let asking: [Friend]
    public let blocked: [BlockedPlayer]

    package init(friends: [Friend], asked: [Friend], asking: [Friend], blocked: [BlockedPlayer]) {
        (self.friends, self.asked, self.asking, self.blocked) = (friends, asked, asking, blocked)
    }

    public enum CodingKeys: String, MessageKey { case friends, asked, asking, blocked }
}
