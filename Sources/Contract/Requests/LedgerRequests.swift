/// The body of a score's PUT.
public struct ScorePost: Sendable, Hashable, Codable {
    public let points: Int64
    /// When it was played; it is kept and shown and never ranks.
    public let playedAt: Timestamp?

    public init(points: Int64, playedAt: Timestamp? = nil) { (self.points, self.playedAt) = (points, playedAt) }

    public enum CodingKeys: String, MessageKey {
        case points
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
