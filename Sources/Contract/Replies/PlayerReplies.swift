/// A player as everybody sees it.
public struct Player: Sendable, Hashable, Codable {
    public let id: Int64
    public let name: String
    /// Where the picture is, as a path on the server.
    public let avatar: String?

    public init(id: Int64, name: String, avatar: String?) { (self.id, self.name, self.avatar) = (id, name, avatar) }

    public enum CodingKeys: String, MessageKey { case id, name, avatar }
}

/// The answer to a device's PUT.
public struct Registered: Sendable, Hashable, Codable {
    public let player: Player
    /// The token that the server made for a device that brought none.
    public let token: String?
    /// The key by which the token's holder signs.
    public let signKey: String?

    public enum CodingKeys: String, MessageKey {
        case player, token
        case signKey = "sign_key"
    }
}

/// The caller, with what it earned and donated.
public struct Profile: Sendable, Hashable, Codable {
    public struct Donations: Sendable, Hashable, Codable {
        public let charity: String
        public let points: Int64
        public let anonymous: Bool

        public enum CodingKeys: String, MessageKey { case charity, points, anonymous }
    }

    public let id: Int64
    public let name: String
    /// What everybody else sees while the name waits for approval.
    public let shownName: String?
    public let avatar: String?
    public let country: String?
    public let sendUpdates: Bool
    public let earned: Int64
    public let held: Int64
    /// What the player can donate.
    public let left: Int64
    /// As much of it as is too new to be donated.
    public let settling: Int64
    public let given: Int64
    public let gifts: [Donations]
    public let devices: Int
    public let unlisted: Bool
    /// What the player's slots have.
    public let saves: [SlotContents]

    public enum CodingKeys: String, MessageKey {
        case id, name, avatar, country, earned, held, left, settling, given, gifts, devices, unlisted, saves
        case shownName = "shown_name"
        case sendUpdates = "send_updates"
    }
}

/// A device that speaks for the caller.
public struct Device: Sendable, Hashable, Codable {
    /// It is not what the device calls itself.
    public let id: String
    public let name: String?
    /// When it came to the player.
    public let joinedAt: Timestamp
    /// The day in UTC, `2026-11-21`, on which it last registered or got a token.
    public let seenOn: String?
    /// Whether it is the one that asks.
    public let this: Bool
    /// How it joined: `code`, `recovery`, `operator` for a code made by an operator of the game, or `merge`; nil for a
    /// device that registered by itself.
    public let joinedBy: String?

    public enum CodingKeys: String, MessageKey {
        case id, name, this
        case joinedAt = "joined_at"
        case joinedBy = "joined_by"
        case seenOn = "seen_on"
    }
}

public struct DeviceList: Sendable, Hashable, Codable {
    public let devices: [Device]
    public let codes: [OpenCode]

    public enum CodingKeys: String, MessageKey { case devices, codes }
}

/// An unused code of the caller's. The code itself was shown once.
public struct OpenCode: Sendable, Hashable, Codable {
    /// `join` or `recovery`.
    public let kind: String
    public let madeAt: Timestamp
    /// Nil for a recovery code, which does not expire.
    public let expiresAt: Timestamp?
    /// Who asked for it: a `device` of the caller's, or an `operator` of the game.
    public let by: String

    public enum CodingKeys: String, MessageKey {
        case kind, by
        case madeAt = "made_at"
        case expiresAt = "expires_at"
    }
}

/// A code that brings another device to the caller; a recovery code has no end.
public struct DeviceCode: Sendable, Hashable, Codable {
    public let code: String
    public let expiresAt: Timestamp?

    public enum CodingKeys: String, MessageKey {
        case code
        case expiresAt = "expires_at"
    }
}

/// The answer to PUT `/v1/players/me/token`.
public struct RotatedToken: Sendable, Hashable, Codable {
    public let signKey: String
    /// Number of the player's codes that this revoked.
    public let codesEnded: Int

    public enum CodingKeys: String, MessageKey {
        case signKey = "sign_key"
        case codesEnded = "codes_ended"
    }
}

/// The answer to POST `/v1/players/me/erasure`.
public struct ErasureReceipt: Sendable, Hashable, Codable {
    /// The id of the log's entry, by which an operator finds it.
    public let receipt: String

    public enum CodingKeys: String, MessageKey { case receipt }
}

/// The answer to POST `/v1/players/{player}/report`: an object without members.
public struct ReportTaken: Sendable, Hashable, Codable {}

/// One of the caller's own scores.
public struct PastScore: Sendable, Hashable, Codable {
    public let id: String
    public let game: String
    public let board: String
    public let season: Int
    public let points: Int64
    public let earned: Int64
    public let playedAt: Timestamp?
    public let reachedAt: Timestamp
    /// True for a score that counts nowhere any more.
    public let voided: Bool?

    public enum CodingKeys: String, MessageKey {
        case id, game, board, season, points, earned, voided
        case playedAt = "played_at"
        case reachedAt = "reached_at"
    }
}

/// One of the caller's own donations.
public struct PastDonation: Sendable, Hashable, Codable {
    public let id: String
    public let charity: String
    public let points: Int64
    public let anonymous: Bool
    public let reachedAt: Timestamp
    /// True for one that was taken back.
    public let reversed: Bool?
    /// Points of it that were voided after they were donated.
    public let unfunded: Int64?

    public enum CodingKeys: String, MessageKey {
        case id, charity, points, anonymous, reversed, unfunded
        case reachedAt = "reached_at"
    }
}

/// A page of the caller's history, newest first.
public struct HistoryPage<Row: Codable & Sendable & Hashable>: Sendable, Hashable, Codable {
    public let rows: [Row]
    /// The cursor of the older rows; nil when there are none.
    public let next: String?

    public enum CodingKeys: String, MessageKey { case rows, next }
}

/// What the server has in one slot of the caller's saves.
public struct SaveSummary: Sendable, Hashable, Codable {
    public let slot: String
    public let etag: String
    /// 0 to 65,536; absent in the answer to a PUT.
    public let bytes: Int?
    public let savedAt: Timestamp

    public enum CodingKeys: String, MessageKey {
        case slot, etag, bytes
        case savedAt = "saved_at"
    }
}

/// Which version of a save a slot has.
public struct SlotContents: Sendable, Hashable, Codable {
    public let slot: String
    /// The ETag with its quotes.
    public let etag: String

    public enum CodingKeys: String, MessageKey { case slot, etag }
}

public struct SaveList: Sendable, Hashable, Codable {
    public let saves: [SaveSummary]

    public enum CodingKeys: String, MessageKey { case saves }
}
