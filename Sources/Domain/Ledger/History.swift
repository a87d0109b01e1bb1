package import FoundationEssentials

/// Where a row stands in a player's own history, which is ordered by arrival and then by id.
package struct HistoryKey: Sendable, Equatable {
    package let reachedAt: Instant
    package let id: UUID

    package init(reachedAt: Instant, id: UUID) {
        self.reachedAt = reachedAt
        self.id = id
    }
}

/// What was recorded of a score, asked for later: as it was recorded, and what stands on its board and in the wallet
/// now.
package struct RecordedScore: Sendable {
    package let score: PastScore
    package let receipt: ScoreReceipt

    package init(score: PastScore, receipt: ScoreReceipt) {
        self.score = score
        self.receipt = receipt
    }
}

/// The same of a donation.
package struct RecordedDonation: Sendable {
    package let donation: PastDonation
    package let receipt: DonationReceipt

    package init(donation: PastDonation, receipt: DonationReceipt) {
        self.donation = donation
        self.receipt = receipt
    }
}
