public import Contract
public import Foundation

/// A post or a donation that is kept until the server has answered it.
public struct PendingWrite: Sendable, Hashable, Codable, Identifiable {
    public enum Kind: Sendable, Hashable, Codable {
        case score(board: String)
        case donation(charity: String)
    }

    /// The id on the server too: the same however often it is sent.
    public let id: UUID
    public let kind: Kind
    public let points: Int64
    /// When it was queued, by the device's clock; for showing.
    public let queuedAt: Date
    /// The path as it is sent, percent-escaped.
    let path: String
    /// The body as it is sent, in JSON.
    let body: String

    var isScore: Bool { if case .score = kind { true } else { false } }

    static func score(_ points: Int64, game: String, board: String, playedAt: Timestamp, detail: Detail? = nil)
        throws(CauseboardError) -> PendingWrite
    {
        if let detail {
            let count = try JSONText.encode(detail).count
            guard count <= Limits.detailBytesMax else {
                throw .giveUp(.field, "The detail has \(count) bytes of JSON. Send at most \(Limits.detailBytesMax).")
            }
        }
        return try PendingWrite(
            .score(board: board), points, body: ScorePost(points: points, playedAt: playedAt, detail: detail)
        ) { Addresses.score.path(game, board, $0) }
    }

    static func donation(_ points: Int64, charity: String, anonymous: Bool) throws(CauseboardError) -> PendingWrite {
        try PendingWrite(
            .donation(charity: charity), points, body: Donation(points: points, anonymous: anonymous ? true : nil)
        ) { Addresses.donation.path(charity, $0) }
    }

    private init(_ kind: Kind, _ points: Int64, body: some Encodable, path: (String) -> String) throws(CauseboardError)
    {
        id = UUID()
        self.kind = kind
        self.points = points
        queuedAt = Date()
        self.path = path(id.uuidString.lowercased())
        self.body = String(decoding: try JSONText.encode(body), as: UTF8.self)
    }

    var call: Call { Call("PUT", path, body: Data(body.utf8)) }
}

/// What became of a post or a donation.
public enum Settlement: Sendable, Hashable {
    case score(ScoreReceipt)
    case donation(DonationReceipt)
    case refused(RequestRefusal)
}

/// A post or a donation that the server refused; it is kept until the game dismisses it.
public struct RefusedWrite: Sendable, Hashable, Codable, Identifiable {
    public let write: PendingWrite
    public let refusal: RequestRefusal

    public var id: UUID { write.id }
}
