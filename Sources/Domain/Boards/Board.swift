/// A leaderboard. Players of a game, donors and charities are all ranked by boards, so one ordering rule and one set of
/// feeds serve them all.
package struct Board: Sendable, Equatable {
    /// Identifies one season of one board.
    package struct ID: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    package enum Kind: String, Sendable {
        /// Ranks the players of one game by their scores.
        case score
        /// Ranks players by the points they donated, to one charity or to all.
        case donation
        /// Ranks charities by points received.
        case charity
    }

    /// Which of a player's posts counts.
    package enum Policy: String, Sendable, CaseIterable { case best, latest, sum }

    /// How equal points are ranked: `first` counts positions (1, 2, 3), `shared` repeats the rank and skips (1, 2, 2,
    /// 4).
    package enum Ties: String, Sendable, CaseIterable { case first, shared }

    /// What a player's own post needs, so that the board takes it. A game's key may post to every board.
    package enum Trust: String, Sendable, CaseIterable {
        /// The player's token is enough, and so is a call of the classic protocol.
        case open
        /// The player's token has to sign the post.
        case signed
        /// No player posts; the game does, with its key.
        case server
    }

    /// Who sees the detail that came with a score, beside its player.
    package enum Details: String, Sendable, CaseIterable {
        case `private`
        /// Everybody, in the rows of rankings. A row of a board that sums has no single score, so it has no detail.
        case `public`
    }

    /// When the next season begins by itself: with the first moment of a day of the board's zone.
    package enum SeasonInterval: String, Sendable, CaseIterable {
        case none
        case day
        /// On Mondays.
        case week
        /// On the first day of each month.
        case month
    }

    package let id: ID
    package let kind: Kind
    package let slug: String
    package let name: String
    package let policy: Policy
    package let lowestFirst: Bool
    package let ties: Ties
    /// The IANA name of the time zone in which the board's days begin.
    package let zone: String
    package let opensAt: Instant?
    package let closesAt: Instant?
    /// When a reset ended the season; nil while it is played.
    package let endedAt: Instant?
    /// The points that the board accepts.
    package let bounds: ClosedRange<Int64>
    /// How pages show its points.
    package let display: PointsDisplay
    package let details: Details
    /// How it ranks teams.
    package let teams: TeamScoring
    /// Whether everybody sees which players are in a team.
    package let showsRosters: Bool
    package let countries: CountryScoring
    /// Whether rows have the flags that players show.
    package let showsFlags: Bool
    /// The day in the board's zone when the board was read.
    package let today: Day

    package init(
        id: ID, kind: Kind, slug: String, name: String, policy: Policy, lowestFirst: Bool, ties: Ties, zone: String,
        opensAt: Instant?, closesAt: Instant?, endedAt: Instant?, bounds: ClosedRange<Int64>,
        display: PointsDisplay = .number, details: Details = .private, teams: TeamScoring = .off,
        showsRosters: Bool = false, countries: CountryScoring = .off, showsFlags: Bool = false, today: Day
    ) {
        self.id = id
        self.kind = kind
        self.slug = slug
        self.name = name
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.ties = ties
        self.zone = zone
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.endedAt = endedAt
        self.bounds = bounds
        self.display = display
        self.details = details
        self.teams = teams
        self.showsRosters = showsRosters
        self.countries = countries
        self.showsFlags = showsFlags
        self.today = today
    }

    /// Points as a sort key: smaller is better.
    /// - Parameter points: Within the board's bounds, which exclude `Int64.min`, so negation cannot overflow.
    package func orderKey(of points: Int64) -> Int64 { lowestFirst ? points : 0 &- points }
}

/// How pages show the points of a board. Feeds and the API always show the integer.
package struct PointsDisplay: Sendable, Equatable {
    package enum Form: String, Sendable, CaseIterable {
        case number
        /// The points are whole seconds: 83 is shown as 1:23.
        case seconds
        /// The points are milliseconds: 53157 is shown as 0:53.157.
        case milliseconds
    }

    package let form: Form
    /// The word behind the number, such as `m`; nil where nothing is said or the word is "points".
    package let unit: String?

    package init(_ form: Form, unit: String? = nil) {
        self.form = form
        self.unit = unit
    }

    package static let number = PointsDisplay(.number)
}

/// The word behind a number of points, which an administrator chooses.
package struct PointsUnit: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Nil unless the text is a ``DisplayName`` of at most ``charactersMax`` characters.
    package init?(_ text: String) {
        guard let name = DisplayName(text), name.description.unicodeScalars.count <= Self.charactersMax else {
            return nil
        }
        description = name.description
    }

    /// A unit that the database holds. It was checked when it was set, perhaps by an earlier edition of Unicode.
    package init(stored text: String) { description = text }

    package static let charactersMax = 16
    /// The rule in words, for an error message.
    package static let rule = "1 to \(charactersMax) characters on one line, with letters, digits or symbols"
}
