/// What the server has in one slot of the caller's saves.
public struct SaveSummary: Sendable, Hashable, Codable {
    public let slot: String
    public let etag: String
    /// 0 to 65,536; absent in the answer to a PUT.
    public let bytes: Int?
    public let savedAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case slot, etag, bytes
        case savedAt = "saved_at"
    }
}

public struct SaveList: Sendable, Hashable, Codable {
    public let saves: [SaveSummary]
}
