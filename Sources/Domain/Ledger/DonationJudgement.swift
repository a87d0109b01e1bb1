package import FoundationEssentials

/// What is there before a donation is judged, read after the player's wallet was locked.
package struct DonationGround: Sendable {
    package let wallet: WalletGround
    /// Nil when there is no such charity.
    package let charity: CharityGround?
    /// The row of the ledger that the donation may repeat.
    package let recalled: RecalledDonation?

    package init(wallet: WalletGround, charity: CharityGround?, recalled: RecalledDonation?) {
        self.wallet = wallet
        self.charity = charity
        self.recalled = recalled
    }
}

/// A charity as a donation finds it.
package struct CharityGround: Sendable {
    package let id: Int32
    package let slug: String
    package let opensAt: Instant?
    package let closesAt: Instant?
    /// The charity's giving board, and how it ranks equal points.
    package let board: Board.ID
    package let ties: Board.Ties
    /// The day in the board's zone on which the donation arrived.
    package let day: Day
    /// The board of all contributors, whose days are UTC's; nil while there is none.
    package let overall: Board.ID?
    /// Whether the player has given to the charity before.
    package let hasGiven: Bool

    package init(
        id: Int32,
        slug: String,
        opensAt: Instant?,
        closesAt: Instant?,
        board: Board.ID,
        ties: Board.Ties,
        day: Day,
        overall: Board.ID?,
        hasGiven: Bool
    ) {
        self.id = id
        self.slug = slug
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.board = board
        self.ties = ties
        self.day = day
        self.overall = overall
        self.hasGiven = hasGiven
    }

    func isOpen(at instant: Instant) -> Bool {
        opensAt.map { instant >= $0 } ?? true && closesAt.map { instant < $0 } ?? true
    }
}

package struct RecalledDonation: Sendable {
    package let id: UUID
    package let charity: Int32
    package let points: Int64
    package let isAnonymous: Bool
    package let reachedAt: Instant

    package init(id: UUID, charity: Int32, points: Int64, isAnonymous: Bool, reachedAt: Instant) {
        self.id = id
        self.charity = charity
        self.points = points
        self.isAnonymous = isAnonymous
        self.reachedAt = reachedAt
    }
}

/// What becomes of a donation: the answer and, when it is recorded, the charity to which it goes.
package struct DonationJudgement: Sendable {
    package let receipt: DonationReceipt
    /// Nil when nothing is recorded.
    package let charity: CharityGround?

    /// Judges a donation of a player whose wallet is locked.
    /// - Parameter isRepeated: Whether an earlier attempt at this very row may have been committed. A row that it did
    ///   commit is recorded, and no retry.
    package init(_ donation: NewDonation, of player: Player.ID, on ground: DonationGround, isRepeated: Bool) {
        let outcome = Self.outcome(donation, ground, isRepeated)
        let isNew = outcome == .recorded && ground.recalled == nil
        receipt = DonationReceipt(
            outcome: outcome,
            row: donation.row(of: player),
            id: ground.recalled?.id ?? donation.id,
            charity: ground.charity?.slug,
            points: ground.recalled?.points ?? donation.points,
            board: ground.charity?.board,
            ties: ground.charity?.ties,
            balance: max(0, ground.wallet.balance - (isNew ? donation.points : 0))
        )
        charity = isNew ? ground.charity : nil
    }

    private static func outcome(
        _ donation: NewDonation,
        _ ground: DonationGround,
        _ isRepeated: Bool
    ) -> DonationOutcome {
        if let row = ground.recalled {
            if isRepeated, row.reachedAt == donation.reachedAt { return .recorded }
            let isEqual =
                row.charity == ground.charity?.id && row.points == donation.points
                && row.isAnonymous == donation.isAnonymous
            return donation.hasNoClientID || isEqual ? .retry : .conflict
        }
        guard let charity = ground.charity else { return .noCharity }
        guard charity.isOpen(at: donation.reachedAt) else { return .charityClosed }
        return donation.points > ground.wallet.balance ? .overspent : .recorded
    }
}

extension NewDonation {
    /// The row of the giving boards to which the donation goes: the player's id, negated when it is anonymous.
    package func row(of player: Player.ID) -> Int64 { isAnonymous ? 0 - player.rawValue : player.rawValue }
}
