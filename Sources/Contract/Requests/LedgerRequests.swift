/// The body of a score's PUT.
public struct ScorePost: Sendable, Hashable, Codable {
    public let points: Int64
    /// When it was played; it is kept and shown and never ranks.
    public let playedAt: Timestamp?
    /// What the game sends along: at most 1,024 bytes of JSON.
    public let detail: Detail?

    public init(points: Int64, playedAt: Timestamp? = nil, detail: Detail? = nil) {
        (self.points, self.playedAt, self.detail) = (points, playedAt, detail)
    }

    public enum CodingKeys: String, MessageKey {
        case points, detail
        case playedAt = "played_at"
    }
}

/// The body of a donation's PUT.
public struct Donation: Sendable, Hashable, Codable {
    /// At least 1.
    public let points: Int64
    /// Whether rankings leave the name out.
    public let anonymous: Bool?

    public init(points: Int64, anonymous: Bool? = nil) { (self.points, self.anonymous) = (points, anonymous) }

    public enum CodingKeys: String, MessageKey { case points, anonymous }
}
