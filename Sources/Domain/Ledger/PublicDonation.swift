/// A donation as anybody may see it.
package struct PublicDonation: Sendable, Equatable {
    /// Nil for an anonymous donation, whose time is cut to the day, and for that of a player who was erased.
    package let player: Player.ID?
    package let name: String
    package let avatar: AvatarHash?
    /// The charity's slug.
    package let charity: String
    package let charityName: String
    package let points: Int64
    package let reachedAt: Instant
    /// The day in the charity's zone, which is all that is told of an anonymous donation's time; nil with a name.
    package let day: Day?
    /// What identifies the donation, which nobody may see: of an anonymous one its random row id.
    package let entry: String

    /// - Parameters:
    ///   - player: Nil for an anonymous donation; then `name` and `avatar` are not used.
    ///   - name: Empty for a player who was erased.
    ///   - reachedAt: For an anonymous donation the beginning of its day.
    package init(
        player: Player.ID?, name: String, avatar: AvatarHash?, charity: String, charityName: String, points: Int64,
        reachedAt: Instant, day: Day? = nil, entry: String
    ) {
        self.entry = entry
        self.player = name.isEmpty ? nil : player
        self.name = player == nil ? Standing.anonymousName : name.isEmpty ? Standing.formerName : name
        self.avatar = player == nil ? nil : avatar
        self.charity = charity
        self.charityName = charityName
        self.points = points
        self.reachedAt = reachedAt
        self.day = day
    }
}

extension PublicDonation {
    package var isAnonymous: Bool { player == nil && name == Standing.anonymousName }

    /// The day to show: in UTC, or that of an anonymous donation in the charity's zone.
    package var shownDay: Day { day ?? reachedAt.dayInUTC }
}

/// How a charity's total came together.
package struct CharityGrowth: Sendable, Equatable {
    /// What one day brought.
    package struct DayTotal: Sendable, Equatable {
        package let day: Day
        package let points: Int128

        package init(day: Day, points: Int128) {
            self.day = day
            self.points = points
        }
    }

    /// What the players of one game donated by name.
    package struct GameShare: Sendable, Equatable {
        package let game: String
        package let gameName: String
        package let points: Int128

        package init(game: String, gameName: String, points: Int128) {
            self.game = game
            self.gameName = gameName
            self.points = points
        }
    }

    /// The days that brought anything, the earliest first, in the zone of the charity's board.
    package let days: [DayTotal]
    /// The largest share first.
    package let games: [GameShare]
    /// Nil before the first.
    package let largest: PublicDonation?

    package init(days: [DayTotal], games: [GameShare], largest: PublicDonation?) {
        self.days = days
        self.games = games
        self.largest = largest
    }
}
