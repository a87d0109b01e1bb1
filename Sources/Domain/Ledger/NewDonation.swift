package import FoundationEssentials

/// A donation that is to be recorded: parsed, and judged only by the books.
package struct NewDonation: Sendable {
    package let caller: Caller
    /// The game whose protocol must be open, for a classic call.
    package let game: Slug?
    package let id: UUID
    /// Its slug, or its name as a person wrote it.
    package let charity: CharityName
    /// A name will do, and not only the slug.
    package let isByName: Bool
    /// 1 or more.
    package let points: Int64
    package let isAnonymous: Bool
    /// The client sent no id: an equal row of the last 60 s is the same donation.
    package let isIDless: Bool
    /// When it arrived, on the server's clock.
    package let reachedAt: Instant

    /// - Parameters:
    ///   - isByName: A name will do, and not only the slug.
    ///   - game: Whose protocol must be open; nil unless it is a classic call.
    ///   - id: Nil when the client sent none.
    package init(
        _ points: Int64,
        by caller: Caller,
        to charity: CharityName,
        isByName: Bool = false,
        in game: Slug? = nil,
        id: UUID?,
        isAnonymous: Bool = false,
        reachedAt: Instant
    ) {
        self.caller = caller
        self.game = game
        self.id = id ?? UUID()
        self.charity = charity
        self.isByName = isByName
        self.points = points
        self.isAnonymous = isAnonymous
        self.isIDless = id == nil
        self.reachedAt = reachedAt
    }
}

/// What became of one donation of a batch.
package enum DonationOutcome: String, Sendable {
    case recorded, retry, conflict, overspent
    /// As of a ``ScoreOutcome``.
    case later, unauthorized, forbidden
    case protocolClosed = "protocol-closed"
    case tokenNeeded = "token-needed"
    case noPlayer = "no-player"
    case noCharity = "no-charity"
    case charityClosed = "charity-closed"
}

/// What the books say of a donation after its batch.
package struct DonationReceipt: Sendable, Equatable {
    package let outcome: DonationOutcome
    /// Of the row that stands on the giving boards: the player's id, negative for what was given anonymously; nil when
    /// the caller is not known.
    package let row: Int64?
    package let id: UUID
    /// Of the charity; nil when there is none such.
    package let charity: String?
    package let points: Int64
    /// The charity's giving board.
    package let board: Board.ID?
    package let ties: Board.Ties?
    /// What the player can still give.
    package let balance: Int64?

    package init(
        outcome: DonationOutcome,
        row: Int64?,
        id: UUID,
        charity: String?,
        points: Int64,
        board: Board.ID?,
        ties: Board.Ties?,
        balance: Int64?
    ) {
        self.outcome = outcome
        self.row = row
        self.id = id
        self.charity = charity
        self.points = points
        self.board = board
        self.ties = ties
        self.balance = balance
    }
}
