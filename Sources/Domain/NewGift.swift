package import FoundationEssentials

/// A gift that is to be recorded: parsed, and judged only against the books.
package struct NewGift: Sendable {
    package let player: Player.ID
    package let id: UUID
    /// Its slug, or its name as a person wrote it.
    package let charity: CharityName
    /// 1 or more.
    package let points: Int64
    package let isAnonymous: Bool
    /// The client sent no id: an equal row of the last 60 s is the same gift.
    package let isIDless: Bool
    /// When it arrived, on the server's clock.
    package let reachedAt: Instant

    package init(player: Player.ID, id: UUID, charity: CharityName, points: Int64, isAnonymous: Bool, isIDless: Bool, reachedAt: Instant) {
        self.player = player
        self.id = id
        self.charity = charity
        self.points = points
        self.isAnonymous = isAnonymous
        self.isIDless = isIDless
        self.reachedAt = reachedAt
    }
}

/// What became of one gift of a batch.
package enum GiftOutcome: String, Sendable {
    case recorded, retry, conflict, overspent
    case noPlayer = "no-player"
    case noCharity = "no-charity"
    case charityClosed = "charity-closed"
}

/// What the books say of a gift after its batch.
package struct GiftReceipt: Sendable, Equatable {
    package let outcome: GiftOutcome
    package let id: UUID
    /// Of the charity; nil when there is none such.
    package let charity: String?
    package let points: Int64
    /// The charity's giving board.
    package let board: Board.ID?
    /// What the player can still give.
    package let left: Int64?

    package init(outcome: GiftOutcome, id: UUID, charity: String?, points: Int64, board: Board.ID?, left: Int64?) {
        self.outcome = outcome
        self.id = id
        self.charity = charity
        self.points = points
        self.board = board
        self.left = left
    }
}
