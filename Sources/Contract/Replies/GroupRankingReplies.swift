/// A page of a ranking of teams or countries, best first.
public struct GroupRanking<Row: Sendable>: Sendable {
    public let board: String
    public let window: String?
    /// Whether nothing will change any more.
    public let final: Bool?
    public let ties: Ranking.Ties?
    /// How many are ranked in all.
    public let of: Int?
    public let rows: [Row]
    /// Cursors of the rows after and before these; nil at the ends.
    public let next: String?
    public let prev: String?
}

extension GroupRanking: Hashable, Equatable where Row: Hashable {}
extension GroupRanking: Encodable where Row: Encodable {}
extension GroupRanking: Decodable where Row: Decodable {}

/// A page of a ranking of teams by the points of their members.
public typealias TeamRanking = GroupRanking<RankedTeam>

/// A page of a ranking of countries, or of the regions of one, by the points of their players.
public typealias CountryRanking = GroupRanking<RankedCountry>

/// One row of a ranking of teams.
public struct RankedTeam: Sendable, Hashable, Codable {
    public let rank: Int
    /// Whether others have the same points.
    public let tied: Bool
    /// The team's id.
    public let team: Int64
    public let name: String
    public let points: Int128
    /// How many members have points in the window. Of these, the board may count only the best.
    public let members: Int
    /// When the newest of the counted points were reached.
    public let reachedAt: Timestamp

    public enum CodingKeys: String, MessageKey {
        case rank, tied, team, name, points, members
        case reachedAt = "reached_at"
    }
}

/// One row of a ranking of countries or regions.
public struct RankedCountry: Sendable, Hashable, Codable {
    public let rank: Int
    /// Whether others have the same points.
    public let tied: Bool
    /// The code of the country or region: `DE` or `DE-BE`.
    public let country: String
    public let points: Int64
    /// How many players with this flag have points in the window. Of these, the board counts only the best.
    public let members: Int
    /// When the newest of the counted points were reached.
    public let reachedAt: Timestamp

    public enum CodingKeys: String, MessageKey {
        case rank, tied, country, points, members
        case reachedAt = "reached_at"
    }
}
