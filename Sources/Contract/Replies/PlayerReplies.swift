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

    package init(player: Player, token: String?, signKey: String?) {
        (self.player, self.token, self.signKey) = (player, token, signKey)
    }

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

        package init(charity: String, points: Int64, anonymous: Bool) {
            (self.charity, self.points, self.anonymous) = (charity, points, anonymous)
        }

        public enum CodingKeys: String, MessageKey { case charity, points, anonymous }
    }

    public let id: Int64
    public let name: String
    /// What everybody else sees while the name waits for approval.
    public let shownName: String?
    public let avatar: String?
    /// Only the player sees it.
    public let country: String?
    /// The flag that everybody sees, where the game shows flags.
    public let flag: String?
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
    /// Whether the player accepts friend requests.
    public let asks: Bool
    public let awards: AwardCount
    /// What the player's slots have.
    public let saves: [SlotContents]
    /// Nil without a plan.
    public let plan: PlanNotice?
    /// The challenges that the player has entered or not answered, newest first.
    public let challenges: [ChallengeNotice]

    package init(
        _ player: Player, shownName: String?, country: String?, flag: String?, sendUpdates: Bool, earned: Int64,
        held: Int64, left: Int64, settling: Int64, given: Int64, gifts: [Donations], devices: Int, unlisted: Bool,
        asks: Bool, awards: AwardCount, saves: [SlotContents], plan: PlanNotice?, challenges: [ChallengeNotice]
    ) {
        (id, name, avatar, self.shownName) = (player.id, player.name, player.avatar, shownName)
        self.flag = flag
        (self.country, self.sendUpdates, self.earned, self.held) = (country, sendUpdates, earned, held)
        (self.left, self.settling, self.given, self.gifts) = (left, settling, given, gifts)
        (self.devices, self.unlisted, self.asks) = (devices, unlisted, asks)
        (self.awards, self.saves) = (awards, saves)
        self.plan = plan
        self.challenges = challenges
    }

    public enum CodingKeys: String, MessageKey {
        case id, name, avatar
        case shownName = "shown_name"
        case country, flag
        case sendUpdates = "send_updates"
        case earned, held, left, settling, given, gifts, devices, unlisted, asks, awards, saves, plan, challenges
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
    /// How it joined: `code`, `recovery`, `operator` for a code made by an operator of the game, `sign-in`, or `merge`;
    /// nil for a device that registered by itself.
    public let joinedBy: String?

    package init(id: String, name: String?, joinedAt: Timestamp, seenOn: String?, this: Bool, joinedBy: String?) {
        (self.id, self.name, self.joinedAt) = (id, name, joinedAt)
        (self.seenOn, self.this, self.joinedBy) = (seenOn, this, joinedBy)
    }

    public enum CodingKeys: String, MessageKey {
        case id, name
        case joinedAt = "joined_at"
        case seenOn = "seen_on"
        case this
        case joinedBy = "joined_by"
    }
}

public struct DeviceList: Sendable, Hashable, Codable {
    public let devices: [Device]
    public let codes: [OpenCode]

    package init(devices: [Device], codes: [OpenCode]) { (self.devices, self.codes) = (devices, codes) }

    public enum CodingKeys: String, MessageKey { case devices, codes }
}

/// An unused code of the caller's. The code itself was shown once.
public struct OpenCode: Sendable, Hashable, Codable {
    /// `join`, `recovery` or `friend`.
    public let kind: String
    public let madeAt: Timestamp
    /// Nil for a recovery code, which does not expire.
    public let expiresAt: Timestamp?
    /// Who asked for it: a `device` of the caller's, or an `operator` of the game.
    public let by: String

    package init(kind: String, madeAt: Timestamp, expiresAt: Timestamp?, by: String) {
        (self.kind, self.madeAt, self.expiresAt, self.by) = (kind, madeAt, expiresAt, by)
    }

    public enum CodingKeys: String, MessageKey {
        case kind
        case madeAt = "made_at"
        case expiresAt = "expires_at"
        case by
    }
}

/// A code that brings another device to the caller; a recovery code has no end.
public struct DeviceCode: Sendable, Hashable, Codable {
    public let code: String
    public let expiresAt: Timestamp?

    package init(code: String, expiresAt: Timestamp?) { (self.code, self.expiresAt) = (code, expiresAt) }

    public enum CodingKeys: String, MessageKey {
        case code
        case expiresAt = "expires_at"
    }
}

/// The answer to POST `/v1/games/{game}/sign-ins`.
public struct SignInNonce: Sendable, Hashable, Codable {
    /// Pass it to the sign-in provider. The ID token must contain it, or its SHA-256.
    public let nonce: String
    public let expiresAt: Timestamp

    package init(nonce: String, expiresAt: Timestamp) { (self.nonce, self.expiresAt) = (nonce, expiresAt) }

    public enum CodingKeys: String, MessageKey {
        case nonce
        case expiresAt = "expires_at"
    }
}

/// An identity that is linked to the caller.
public struct LinkedIdentity: Sendable, Hashable, Codable {
    public let provider: String
    public let linkedAt: Timestamp
    /// The last day in UTC on which a device joined with it, or on which it was linked: `2026-11-21`.
    public let usedOn: String

    package init(provider: String, linkedAt: Timestamp, usedOn: String) {
        (self.provider, self.linkedAt, self.usedOn) = (provider, linkedAt, usedOn)
    }

    public enum CodingKeys: String, MessageKey {
        case provider
        case linkedAt = "linked_at"
        case usedOn = "used_on"
    }
}

public struct IdentityList: Sendable, Hashable, Codable {
    public let identities: [LinkedIdentity]

    package init(identities: [LinkedIdentity]) { self.identities = identities }

    public enum CodingKeys: String, MessageKey { case identities }
}

/// The answer to PUT `/v1/players/me/token`.
public struct RotatedToken: Sendable, Hashable, Codable {
    public let signKey: String
    /// Number of the player's codes that this revoked.
    public let codesEnded: Int

    package init(signKey: String, codesEnded: Int) { (self.signKey, self.codesEnded) = (signKey, codesEnded) }

    public enum CodingKeys: String, MessageKey {
        case signKey = "sign_key"
        case codesEnded = "codes_ended"
    }
}

/// The answer to POST `/v1/players/me/erasure`.
public struct ErasureReceipt: Sendable, Hashable, Codable {
    /// The id of the log's entry, by which an operator finds it.
    public let receipt: String

    package init(receipt: String) { self.receipt = receipt }

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
    /// What the game sent with the score.
    public let detail: Detail?
    public let reachedAt: Timestamp
    /// True for a score that counts nowhere any more.
    public let voided: Bool?
    /// `in-review` while the score is held.
    public let state: String?

    package init(
        id: String, game: String, board: String, season: Int, points: Int64, earned: Int64, playedAt: Timestamp?,
        detail: Detail?, reachedAt: Timestamp, voided: Bool?, state: String?
    ) {
        (self.id, self.game, self.board, self.season) = (id, game, board, season)
        (self.points, self.earned, self.playedAt, self.detail) = (points, earned, playedAt, detail)
        (self.reachedAt, self.voided, self.state) = (reachedAt, voided, state)
    }

    public enum CodingKeys: String, MessageKey {
        case id, game, board, season, points, earned
        case playedAt = "played_at"
        case detail
        case reachedAt = "reached_at"
        case voided, state
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

    package init(
        id: String, charity: String, points: Int64, anonymous: Bool, reachedAt: Timestamp, reversed: Bool?,
        unfunded: Int64?
    ) {
        (self.id, self.charity, self.points, self.anonymous) = (id, charity, points, anonymous)
        (self.reachedAt, self.reversed, self.unfunded) = (reachedAt, reversed, unfunded)
    }

    public enum CodingKeys: String, MessageKey {
        case id, charity, points, anonymous
        case reachedAt = "reached_at"
        case reversed, unfunded
    }
}

/// A page of the caller's history, newest first.
public struct HistoryPage<Row: Sendable>: Sendable {
    public let rows: [Row]
    /// The cursors of the older and the newer rows; nil when there are none.
    public let next: String?
    public let prev: String?

    package init(rows: [Row], next: String?, prev: String?) { (self.rows, self.next, self.prev) = (rows, next, prev) }

    public enum CodingKeys: String, MessageKey { case rows, next, prev }
}

extension HistoryPage: Hashable, Equatable where Row: Hashable {}
extension HistoryPage: Encodable where Row: Encodable {}
extension HistoryPage: Decodable where Row: Decodable {}

/// What the server has in one slot of the caller's saves.
public struct SaveSummary: Sendable, Hashable, Codable {
    public let slot: String
    public let etag: String
    /// 0 to 65,536; absent in the answer to a PUT.
    public let bytes: Int?
    public let savedAt: Timestamp

    package init(slot: String, etag: String, bytes: Int?, savedAt: Timestamp) {
        (self.slot, self.etag, self.bytes, self.savedAt) = (slot, etag, bytes, savedAt)
    }

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

    package init(slot: String, etag: String) { (self.slot, self.etag) = (slot, etag) }

    public enum CodingKeys: String, MessageKey { case slot, etag }
}

public struct SaveList: Sendable, Hashable, Codable {
    public let saves: [SaveSummary]

    package init(saves: [SaveSummary]) { self.saves = saves }

    public enum CodingKeys: String, MessageKey { case saves }
}
