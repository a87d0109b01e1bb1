package import FoundationEssentials

/// A donation to be recorded: parsed, but not yet checked against the database.
package struct NewDonation: Sendable {
    package let caller: Caller
    /// The game whose classic protocol must be open; nil unless this is a classic call.
    package let game: Slug?
    package let id: UUID
    package let charity: CharityName
    /// Always 1 or more.
    package let points: Int64
    package let isAnonymous: Bool
    /// The client sent no idempotency key (its own id), so an equal row within 60 s counts as the same donation.
    package let hasNoClientID: Bool
    /// When it arrived, by the server's clock.
    package let reachedAt: Instant

    /// - Parameters:
    ///   - game: The game whose classic protocol must be open; nil unless this is a classic call.
    ///   - id: The client's id; nil when it sent none.
    package init(
        _ points: Int64, by caller: Caller, to charity: CharityName, in game: Slug? = nil, id: UUID?,
        isAnonymous: Bool = false, reachedAt: Instant
    ) {
        self.caller = caller
        self.game = game
        self.id = id ?? UUID()
        self.charity = charity
        self.points = points
        self.isAnonymous = isAnonymous
        self.hasNoClientID = id == nil
        self.reachedAt = reachedAt
    }
}

/// What became of one donation of a batch.
package enum DonationOutcome: String, Sendable {
    case recorded, retry, conflict, overspent
    /// Some of the points are too new to be donated.
    case settling = "points-settling"
    /// These four mean the same as in ``ScoreOutcome``.
    case deferred, unauthorized, forbidden, scope
    case protocolClosed = "protocol-closed"
    case tokenNeeded = "token-needed"
    case noPlayer = "no-player"
    case noCharity = "no-charity"
    case charityClosed = "charity-closed"
    /// The charity may not receive so much.
    case capReached = "cap-reached"
    /// The player may not write.
    case banned
}

/// What the database answers for one donation of a batch.
package struct DonationReceipt: Sendable, Equatable {
    package let outcome: DonationOutcome
    /// The row id on the donation boards: the player's id, or the random negative one of an anonymous donation; nil
    /// when there is none.
    package let row: Int64?
    package let id: UUID
    /// The charity's slug; nil when there is no such charity.
    package let charity: String?
    package let points: Int64
    /// The charity's donation board.
    package let board: Board.ID?
    package let ties: Board.Ties?
    /// Points that the player can still donate.
    package let balance: Int64?
    /// Whether the donation was taken back.
    package let isReversed: Bool
    /// How much the charity may still receive, when the donation was more.
    package let cap: CapReached?
    /// When so much may be donated, when some of the points are too new for it.
    package let readyAt: Instant?

    package init(
        outcome: DonationOutcome, row: Int64?, id: UUID, charity: String?, points: Int64, board: Board.ID?,
        ties: Board.Ties?, balance: Int64?, isReversed: Bool = false, cap: CapReached? = nil, readyAt: Instant? = nil
    ) {
        self.outcome = outcome
        self.row = row
        self.id = id
        self.charity = charity
        self.points = points
        self.board = board
        self.ties = ties
        self.balance = balance
        self.isReversed = isReversed
        self.cap = cap
        self.readyAt = readyAt
    }
}
