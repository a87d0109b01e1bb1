/// A team of players of one game, as everybody sees it.
package struct Team: Sendable, Equatable {
    /// A random number, up to ``Limits/newPlayerIDMax``.
    package struct ID: RawRepresentable, Sendable, Hashable, Comparable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }
        /// Nil unless the text is ASCII digits of a number in the range of ids.
        package init?(digits text: Substring) {
            guard let value = Int64(digits: text), (1...Limits.playerIDMax).contains(value) else { return nil }
            self.rawValue = value
        }
        package static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }

        package static func random() -> ID { ID(rawValue: .random(in: 1...Limits.newPlayerIDMax)) }
    }

    package let id: ID
    package let name: String
    /// How many players are in it.
    package let membersCount: Int64
    package let madeAt: Instant
    /// When the last member left; nil while somebody may be in it.
    package let closedAt: Instant?
    /// Whether everybody sees who is in it.
    package let showsRoster: Bool

    package init(id: ID, name: String, membersCount: Int64, madeAt: Instant, closedAt: Instant?, showsRoster: Bool) {
        (self.id, self.name, self.membersCount) = (id, name, membersCount)
        (self.madeAt, self.closedAt, self.showsRoster) = (madeAt, closedAt, showsRoster)
    }
}

/// The team that a player is in, as the player sees it.
package struct OwnTeam: Sendable, Equatable {
    package let id: Team.ID
    /// For the captain, what the team is to be called while that waits for approval.
    package let name: String
    package let isCaptain: Bool
    /// The first day, in UTC, on which it is in the team; tomorrow if it was in another one today.
    package let firstDay: Day
    /// When the captain's code was made; nil for others, and where there is none.
    package let codeMadeAt: Instant?

    package init(id: Team.ID, name: String, isCaptain: Bool, firstDay: Day, codeMadeAt: Instant?) {
        (self.id, self.name, self.isCaptain) = (id, name, isCaptain)
        (self.firstDay, self.codeMadeAt) = (firstDay, codeMadeAt)
    }
}

/// A player who is in a team.
package struct TeamMember: Sendable, Equatable {
    package let player: PublicProfile
    package let isCaptain: Bool

    package init(player: PublicProfile, isCaptain: Bool) { (self.player, self.isCaptain) = (player, isCaptain) }
}

/// Days on which a player was in a team, in UTC.
package struct Membership: Sendable, Equatable {
    package let team: Team.ID
    package let name: String
    package let firstDay: Day
    /// Nil while the player is in it.
    package let lastDay: Day?
    package let isCaptain: Bool

    package init(team: Team.ID, name: String, firstDay: Day, lastDay: Day?, isCaptain: Bool) {
        (self.team, self.name, self.firstDay) = (team, name, firstDay)
        (self.lastDay, self.isCaptain) = (lastDay, isCaptain)
    }
}

/// What the captain changes of a team.
package struct TeamChange: Sendable {
    package var name: PlayerName?
    /// A member who becomes the captain.
    package var captain: Player.ID?
    /// A member who has to leave.
    package var removed: Player.ID?
    /// Whether there is a new code.
    package var makesCode = false

    package init() {}
}
