/// A game that players register from.
package struct Game: Sendable, Equatable {
    package struct ID: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// How far the classic protocol is open. It has no authentication: a client that knows a device id acts for that
    /// device.
    package enum Classic: String, Sendable, CaseIterable {
        /// All classic routes are open.
        case open
        /// Only `POST /high_scores` is open, which carries a classic token.
        case token
        /// No classic route is open.
        case off
    }

    package let id: ID
    package let slug: Slug
    package let classic: Classic
    /// The salt of the classic MD5 token; nil means that no token is valid.
    package let salt: String?

    package init(id: ID, slug: Slug, classic: Classic, salt: String?) {
        self.id = id
        self.slug = slug
        self.classic = classic
        self.salt = salt
    }
}

/// A game with the boards that are played now, as pages list them.
package struct ListedGame: Sendable, Equatable {
    package struct Board: Sendable, Equatable {
        package let slug: Slug
        package let name: String

        package init(slug: Slug, name: String) {
            self.slug = slug
            self.name = name
        }
    }

    package let slug: Slug
    package let name: String
    /// How its players may become friends.
    package let friends: FriendRules
    /// How teams of its players come about.
    package let teams: TeamRules
    /// Whether its players may show flags.
    package let flags: Bool
    /// Whether its players may have plans for donations.
    package let plans: Bool
    /// Which of its players may challenge each other, and the points that each may stake.
    package let challenges: ChallengeRules
    package let stakeMax: Int32
    package let boards: [Board]

    package init(
        slug: Slug, name: String, friends: FriendRules, teams: TeamRules, flags: Bool, plans: Bool,
        challenges: ChallengeRules, stakeMax: Int32, boards: [Board]
    ) {
        (self.slug, self.name, self.boards) = (slug, name, boards)
        (self.friends, self.teams, self.flags, self.plans) = (friends, teams, flags, plans)
        (self.challenges, self.stakeMax) = (challenges, stakeMax)
    }
}
