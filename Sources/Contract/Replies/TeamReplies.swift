/// What a player is in its team.
public enum TeamRole: String, Sendable, Hashable, Codable { case captain, member }

/// The team that a player is in.
public struct TeamMembership: Sendable, Hashable, Codable {
    public let id: Int64
    public let name: String
    public let role: TeamRole
    /// The first day in UTC, `2026-11-27`, that counts: tomorrow for who was in another team today.
    public let firstDay: String

    package init(id: Int64, name: String, role: TeamRole, firstDay: String) {
        (self.id, self.name, self.role, self.firstDay) = (id, name, role, firstDay)
    }

    public enum CodingKeys: String, MessageKey {
        case id, name, role
        case firstDay = "first_day"
    }
}

/// A player in a team.
public struct TeamMember: Sendable, Hashable, Codable {
    public let player: Int64
    public let name: String
    /// Where the picture is, as a path on the server.
    public let avatar: String?
    public let role: TeamRole

    package init(player: Int64, name: String, avatar: String?, role: TeamRole) {
        (self.player, self.name, self.avatar, self.role) = (player, name, avatar, role)
    }

    public enum CodingKeys: String, MessageKey { case player, name, avatar, role }
}

/// The caller's team, with who is in it.
public struct OwnTeam: Sendable, Hashable, Codable {
    public let id: Int64
    public let name: String
    public let role: TeamRole
    public let firstDay: String
    public let members: [TeamMember]
    /// By it others join. The captain sees it.
    public let code: String?

    package init(_ team: TeamMembership, members: [TeamMember], code: String?) {
        (id, name, role, firstDay) = (team.id, team.name, team.role, team.firstDay)
        (self.members, self.code) = (members, code)
    }

    public enum CodingKeys: String, MessageKey {
        case id, name, role
        case firstDay = "first_day"
        case members, code
    }
}

/// A team as everybody sees it.
public struct Team: Sendable, Hashable, Codable {
    public let id: Int64
    public let name: String
    /// How many players are in it.
    public let members: Int
    public let madeAt: Timestamp
    /// When the last one left.
    public let closedAt: Timestamp?
    /// Who is in it, where the game shows that to everybody.
    public let roster: [TeamMember]?

    package init(id: Int64, name: String, members: Int, madeAt: Timestamp, closedAt: Timestamp?, roster: [TeamMember]?)
    {
        (self.id, self.name, self.members) = (id, name, members)
        (self.madeAt, self.closedAt, self.roster) = (madeAt, closedAt, roster)
    }

    public enum CodingKeys: String, MessageKey {
        case id, name, members
        case madeAt = "made_at"
        case closedAt = "closed_at"
        case roster
    }
}
