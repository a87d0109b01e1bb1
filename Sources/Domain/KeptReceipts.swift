/// What was recorded of a score, asked for later: as it was recorded, and what stands on its board and in the wallet now.
package struct KeptScore: Sendable {
    package let score: PastScore
    package let receipt: ScoreReceipt

    package init(score: PastScore, receipt: ScoreReceipt) {
        self.score = score
        self.receipt = receipt
    }
}

/// The same of a gift.
package struct KeptGift: Sendable {
    package let gift: PastGift
    package let receipt: GiftReceipt

    package init(gift: PastGift, receipt: GiftReceipt) {
        self.gift = gift
        self.receipt = receipt
    }
}
