public import Contract
public import Foundation

/// A row of `TopScores.xml`: somebody who donated, with the picture.
public struct ContributorRow: FeedRow, Hashable {
    public let name: String
    /// A PNG; nil when there is none, or when it is no PNG.
    public let picture: Data?
    /// Sums may be wider than 64 bits.
    public let points: Int128

    public init?(fields: [String: String]) {
        guard let points = fields["points"].flatMap({ Int128($0) }) else { return nil }
        (name, self.points) = (fields["name"] ?? "", points)
        let image = fields["image"].flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
        picture = image.flatMap { Picture.isPNG($0) ? $0 : nil }
    }
}

/// A row of `high_scores.xml`: one post.
public struct HighScoreRow: FeedRow, Hashable {
    public let name: String
    public let score: Int64
    public let createdAt: Timestamp?

    public init?(fields: [String: String]) {
        guard let score = fields["total_score"].flatMap({ Int64($0) }) else { return nil }
        (name, self.score) = (fields["player_name"] ?? "", score)
        createdAt = fields["created_at"].flatMap { Timestamp($0) }
    }
}

extension RankedRow: FeedRow {
    /// A row of a board's `top.xml`.
    public init?(fields: [String: String]) {
        guard let rank = fields["rank"].flatMap({ Int($0) }), let points = fields["points"].flatMap({ Int128($0) }),
            let reachedAt = fields["reached_at"].flatMap({ Timestamp($0) })
        else { return nil }
        self.init(
            rank: rank, tied: fields["tied"] == "true", player: fields["player"].flatMap { Int64($0) },
            name: fields["name"] ?? "", points: points, reachedAt: reachedAt, avatar: fields["avatar"],
            flag: fields["flag"],
            detail: fields["detail"].flatMap { try? JSONDecoder().decode(Detail.self, from: Data($0.utf8)) })
    }
}

extension Causeboard {
    /// The best of a board as rows that come while the answer arrives, best first.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - window: As for ``top(of:window:limit:after:country:)``.
    ///   - limit: 1 to 100 rows.
    public func topRows(of board: String, window: String = "all", limit: Int = 100) throws(CauseboardError) -> FeedRows<
        RankedRow
    > {
        try Slug.check(board, "board")
        let path = Addresses.boardTop.path(game, board, format: "xml")
        return FeedRows(session.connection, Call(path, query: [("window", window), ("limit", String(limit))]))
    }

    /// Who donated most, with their pictures, as rows that come while the answer arrives.
    /// - Parameter limit: 1 to 50 rows.
    public func topScoresRows(limit: Int = 50) -> FeedRows<ContributorRow> {
        FeedRows(session.connection, Call(Addresses.topScores.path(format: "xml"), query: [("limit", String(limit))]))
    }

    /// The best posts of the classic protocol, as rows that come while the answer arrives.
    public func highScoreRows() -> FeedRows<HighScoreRow> {
        FeedRows(session.connection, Call("GET", Addresses.highScores.path(format: "xml")))
    }
}
