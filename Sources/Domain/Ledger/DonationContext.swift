package import FoundationEssentials

/// What is there before a donation is judged, read after the player's wallet was locked.
package struct DonationContext: Sendable {
    package let wallet: WalletContext
    /// Nil when there is no such charity.
    package let charity: CharityContext?
    /// The row of the ledger that the donation may repeat.
    package let recalled: RecalledDonation?
    /// Nil when all points may be donated.
    package let settling: SettlingContext?

    package init(
        wallet: WalletContext, charity: CharityContext?, recalled: RecalledDonation?, settling: SettlingContext? = nil
    ) {
        self.wallet = wallet
        self.charity = charity
        self.recalled = recalled
        self.settling = settling
    }

    /// The points that the player is told it can donate; below zero when points were voided after they were donated.
    var ownBalance: Int64 { settling?.left ?? wallet.balance }
}

/// A charity as a donation finds it.
package struct CharityContext: Sendable {
    package let id: Int32
    package let slug: String
    package let hours: OpeningHours
    /// The charity's donation board, and how it ranks equal points.
    package let board: Board.ID
    package let ties: Board.Ties
    /// The day in the board's zone on which the donation arrived.
    package let day: Day
    /// When that day began.
    package let dayBeganAt: Instant
    /// A random row of the donation boards, for a donation that is anonymous.
    package let anonymousRow: Int64
    package let caps: CharityCaps
    /// The board of all contributors, whose days are UTC's; nil while there is none.
    package let overall: Board.ID?
    /// Whether the player has donated to the charity by name before.
    package let hasDonated: Bool

    package init(
        id: Int32, slug: String, hours: OpeningHours, board: Board.ID, ties: Board.Ties, day: Day, dayBeganAt: Instant,
        anonymousRow: Int64, caps: CharityCaps, overall: Board.ID?, hasDonated: Bool
    ) {
        self.id = id
        self.slug = slug
        self.hours = hours
        self.board = board
        self.ties = ties
        self.day = day
        self.dayBeganAt = dayBeganAt
        self.anonymousRow = anonymousRow
        self.caps = caps
        self.overall = overall
        self.hasDonated = hasDonated
    }
}

package struct RecalledDonation: Sendable {
    package let id: UUID
    package let charity: Int32
    package let points: Int64
    /// Whether it was sent as an anonymous one.
    package let isAnonymous: Bool
    /// Its row of the donation boards when it is anonymous by now.
    package let anonymousRow: Int64?
    package let reachedAt: Instant
    package let isReversed: Bool

    package init(
        id: UUID, charity: Int32, points: Int64, isAnonymous: Bool, anonymousRow: Int64?, reachedAt: Instant,
        isReversed: Bool = false
    ) {
        self.id = id
        self.charity = charity
        self.points = points
        self.isAnonymous = isAnonymous
        self.anonymousRow = anonymousRow
        self.reachedAt = reachedAt
        self.isReversed = isReversed
    }
}

/// What a player whose newest points cannot be donated yet is told.
package struct SettlingContext: Sendable, Equatable {
    /// The points that can be donated, those that are too new for it included.
    package let left: Int64
    /// The points among these that are too new.
    package let settling: Int64
    /// When as much may be donated as the player wants to; nil when it is more than is left.
    package let readyAt: Instant?

    package init(left: Int64, settling: Int64, readyAt: Instant?) {
        self.left = left
        self.settling = settling
        self.readyAt = readyAt
    }
}
