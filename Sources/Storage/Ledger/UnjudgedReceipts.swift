import Domain

// What is answered to rows of a batch that are not judged in it.

extension NewScore {
    /// The answer to a score that is not judged: it is refused, or else put off.
    func unjudged(_ refusal: ScoreOutcome?) -> ScoreReceipt {
        ScoreReceipt(
            outcome: refusal ?? .deferred,
            player: nil,
            id: id,
            board: nil,
            ties: nil,
            points: points,
            earned: 0,
            best: nil,
            improved: false,
            balance: nil
        )
    }
}

extension NewDonation {
    /// The answer to a donation that is not judged: it is refused, or else put off.
    func unjudged(_ refusal: DonationOutcome?) -> DonationReceipt {
        DonationReceipt(
            outcome: refusal ?? .deferred,
            row: nil,
            id: id,
            charity: nil,
            points: points,
            board: nil,
            ties: nil,
            balance: nil
        )
    }
}
