package import FoundationEssentials

/// The sort key of a row in a player's own history: by arrival, then by id.
package struct HistoryKey: Sendable, Equatable {
    package let reachedAt: Instant
    package let id: UUID

    package init(reachedAt: Instant, id: UUID) {
        self.reachedAt = reachedAt
        self.id = id
    }
}

/// A recorded score that is read again later: the score as it was recorded, with the player's current best on its board
/// and current balance.
package struct RecordedScore: Sendable {
    package let score: PastScore
    package let receipt: ScoreReceipt

    package init(score: PastScore, receipt: ScoreReceipt) {
        self.score = score
        self.receipt = receipt
    }
}

/// A recorded donation that is read again later: the donation as it was recorded, with the current balance.
package struct RecordedDonation: Sendable {
    package let donation: PastDonation
    package let receipt: DonationReceipt

    package init(donation: PastDonation, receipt: DonationReceipt) {
        self.donation = donation
        self.receipt = receipt
    }
}

/// What counts of a score or a donation that is in a ledger.
package enum LedgerState: String, Sendable {
    case counted
    /// A score that is kept out of every ranking until somebody decides about it.
    case held
    /// A score that counts nowhere.
    case voided
    /// A donation that was taken back.
    case reversed
}
