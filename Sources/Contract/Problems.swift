/// The stable names of problems; `type` is `/problems/<name>`.
public enum ProblemName: String, Sendable, CaseIterable, Codable {
    case malformed
    case badWindow = "bad-window"
    case badCursor = "bad-cursor"
    case unauthorized
    case badSignature = "bad-signature"
    case clockSkew = "clock-skew"
    /// An ID token that is not accepted.
    case identityRefused = "identity-refused"
    case forbidden
    case banned
    case serverOnly = "server-only"
    case httpsOnly = "https-only"
    case scope
    /// The device joined its player too recently for this.
    case deviceTooNew = "device-too-new"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case idReused = "id-reused"
    case actConflict = "act-conflict"
    case hasHistory = "has-history"
    /// Another device has the label in the path.
    case labelTaken = "label-taken"
    case lastDevice = "last-device"
    case identityTaken = "identity-taken"
    /// The player is in another team.
    case inTeam = "in-team"
    /// The days of the challenge are over.
    case challengeOver = "challenge-over"
    case stale
    case precondition
    case gone
    case tooSlow = "too-slow"
    case tooLarge = "too-large"
    case targetTooLong = "target-too-long"
    case headerTooLong = "header-too-long"
    case mediaType = "media-type"
    case field
    case nameRefused = "name-refused"
    case outOfBounds = "out-of-bounds"
    case boardClosed = "board-closed"
    case charityClosed = "charity-closed"
    case overspent
    case coolingOffOver = "cooling-off-over"
    case capReached = "cap-reached"
    /// Some of the points are too new to be donated.
    case pointsSettling = "points-settling"
    case codeRefused = "code-refused"
    /// The player has reached its limit of friends or of blocked players.
    case friendsFull = "friends-full"
    /// The team has as many members as it may have, or the game as many teams.
    case teamFull = "team-full"
    /// The caller may not invite one of the players.
    case notFriends = "not-friends"
    /// The player has as many challenges as it may have.
    case challengesFull = "challenges-full"
    case mergeLimit = "merge-limit"
    /// The player has shown its flag for less than 30 days.
    case flagFixed = "flag-fixed"
    case slotsFull = "slots-full"
    /// A second slot, or a larger save, needs a posted score that counts.
    case postFirst = "post-first"
    case confirm
    case rateLimited = "rate-limited"
    /// The disk is nearly full; the rest is reserved for scores and donations.
    case full
    case overloaded
    case databaseAway = "database-away"
    /// A sign-in provider's keys cannot be fetched.
    case issuerAway = "issuer-away"
    case bug
    case notImplemented = "not-implemented"

    private static let typePrefix = "/problems/"

    /// The problem's `type`.
    public var type: String { Self.typePrefix + rawValue }

    /// The name at the end of a problem's `type`; nil for one that is not known here.
    public init?(type: String) {
        guard type.hasPrefix(Self.typePrefix) else { return nil }
        self.init(rawValue: String(type.dropFirst(Self.typePrefix.count)))
    }
}

/// Why a request was refused, as `application/problem+json` (RFC 9457) says it.
public struct ProblemReply: Sendable, Hashable, Codable {
    public let type: String
    /// The reason phrase of the status.
    public let title: String?
    public let status: Int
    /// A sentence that says what to change.
    public let detail: String
    /// The request's field that the sentence is about.
    public let field: String?
    /// The limit that the caller exceeded, with 429.
    public let limit: String?
    /// The scope that a key lacks, with 403 `scope`.
    public let scope: String?
    /// The receipt of the erasure, with 410 `gone` of a player who has left.
    public let receipt: String?
    /// The moderation action that stands in the way, with 409 `act-conflict`.
    public let act: String?
    /// How much a charity may still receive, with 422 `cap-reached`.
    public let room: Int64?
    /// From when on a charity takes more, with 422 `cap-reached`, or another flag may be shown, with `flag-fixed`.
    public let againAt: Timestamp?
    /// The ETag of what is there now, with 412 `stale`.
    public let current: String?
    /// The id of the request, which an operator finds it by.
    public let request: String?

    public enum CodingKeys: String, MessageKey {
        case type, title, status, detail, field, limit, scope, receipt, act, room
        case againAt = "again_at"
        case current, request
    }

    public init(
        type: String, title: String? = nil, status: Int, detail: String, field: String? = nil, limit: String? = nil,
        scope: String? = nil, receipt: String? = nil, act: String? = nil, room: Int64? = nil, againAt: Timestamp? = nil,
        current: String? = nil, request: String? = nil
    ) {
        (self.type, self.title, self.status, self.detail, self.field) = (type, title, status, detail, field)
        (self.limit, self.scope, self.receipt, self.act) = (limit, scope, receipt, act)
        (self.room, self.againAt, self.current, self.request) = (room, againAt, current, request)
    }

    /// Nil for a problem that is not known here.
    public var name: ProblemName? { ProblemName(type: type) }
}
