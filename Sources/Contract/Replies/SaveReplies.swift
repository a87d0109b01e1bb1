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
