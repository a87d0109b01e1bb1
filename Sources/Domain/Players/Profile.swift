package import FoundationEssentials

/// The part of a player's profile that is public.
package struct PublicProfile: Sendable, Equatable {
    package let id: Player.ID
    package let name: String
    package let avatar: AvatarHash?
    package let flag: CountryFlag?

    package init(id: Player.ID, name: String, avatar: AvatarHash?, flag: CountryFlag? = nil) {
        self.id = id
        self.name = name
        self.avatar = avatar
        self.flag = flag
    }
}

/// A player's profile as the player itself sees it.
package struct OwnProfile: Sendable {
    /// Its flag is the one that the player chose, also where the game shows none.
    package let shown: PublicProfile
    package let country: String?
    package let wantsUpdates: Bool
    /// Whether the profile, the page and the card are not there for others. Rows of rankings stay.
    package let isUnlisted: Bool
    package let earned: Int64
    package let held: Int64
    package let balance: Int64
    /// The points of these that are too new to be donated.
    package let settling: Int64
    package let donated: Int64
    /// The devices with a token that speak for the player.
    package let devicesCount: Int64
    /// What everybody else sees while the name waits for approval; nil while they see the same name.
    package let shownName: String?
    /// Whether it accepts friend requests.
    package let takesAsks: Bool
    /// The day in UTC after whose end its plan donates next; nil without a plan.
    package let planNextOn: Day?
    /// Those that it has entered or not answered, newest first.
    package var challenges: [ChallengeNotice] = []

    package init(
        shown: PublicProfile, country: String?, wantsUpdates: Bool, isUnlisted: Bool, earned: Int64, held: Int64,
        balance: Int64, settling: Int64, donated: Int64, devicesCount: Int64, shownName: String?, takesAsks: Bool,
        planNextOn: Day? = nil
    ) {
        self.shown = shown
        self.country = country
        self.wantsUpdates = wantsUpdates
        self.isUnlisted = isUnlisted
        self.earned = earned
        self.held = held
        self.balance = balance
        self.settling = settling
        self.donated = donated
        self.devicesCount = devicesCount
        self.shownName = shownName
        self.takesAsks = takesAsks
        self.planNextOn = planNextOn
    }
}

/// A player's standing on one of the game's boards, over all time of the current season.
package struct Best: Sendable {
    package let game: String
    package let board: String
    package let points: Int64
    package let reachedAt: Instant

    package init(game: String, board: String, points: Int64, reachedAt: Instant) {
        self.game = game
        self.board = board
        self.points = points
        self.reachedAt = reachedAt
    }
}

/// Sum of the points that a player donated to one charity, separately for named and anonymous donations.
package struct DonationTotal: Sendable {
    package let charity: String
    package let points: Int64
    package let isAnonymous: Bool

    package init(charity: String, points: Int64, isAnonymous: Bool) {
        self.charity = charity
        self.points = points
        self.isAnonymous = isAnonymous
    }
}

/// A score as its player's history shows it.
package struct PastScore: Sendable {
    package let id: UUID
    package let game: String
    package let board: String
    package let season: Int32
    package let points: Int64
    package let earned: Int64
    package let playedAt: Instant?
    /// JSON as it was recorded; nil when none was sent.
    package let detail: String?
    package let reachedAt: Instant
    package let state: LedgerState

    package init(
        id: UUID, game: String, board: String, season: Int32, points: Int64, earned: Int64, playedAt: Instant?,
        detail: String?, reachedAt: Instant, state: LedgerState
    ) {
        self.id = id
        self.game = game
        self.board = board
        self.season = season
        self.points = points
        self.earned = earned
        self.playedAt = playedAt
        self.detail = detail
        self.reachedAt = reachedAt
        self.state = state
    }
}

/// A donation as its player's history shows it.
package struct PastDonation: Sendable {
    package let id: UUID
    package let charity: String
    package let points: Int64
    package let isAnonymous: Bool
    package let reachedAt: Instant
    /// Points that were voided after they were donated, so that the donation is that much smaller for now.
    package let unfunded: Int64
    /// Whether the donation was taken back.
    package let isReversed: Bool

    package init(
        id: UUID, charity: String, points: Int64, isAnonymous: Bool, reachedAt: Instant, unfunded: Int64,
        isReversed: Bool
    ) {
        self.id = id
        self.charity = charity
        self.points = points
        self.isAnonymous = isAnonymous
        self.reachedAt = reachedAt
        self.unfunded = unfunded
        self.isReversed = isReversed
    }
}
