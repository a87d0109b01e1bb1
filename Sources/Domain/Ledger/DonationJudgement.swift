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
            row: Self.row(donation, of: player, ground),
            id: ground.recalled?.id ?? donation.id,
            charity: ground.charity?.slug,
            points: ground.recalled?.points ?? donation.points,
            board: ground.charity?.board,
            ties: ground.charity?.ties,
            balance: max(0, ground.ownBalance - (isNew ? donation.points : 0)),
            isReversed: ground.recalled?.isReversed ?? false,
            readyAt: outcome == .settling ? ground.settling?.readyAt : nil
        )
        charity = isNew ? ground.charity : nil
    }

    private static func outcome(
        _ donation: NewDonation,
        _ ground: DonationGround,
        _ isRepeated: Bool
    ) -> DonationOutcome {
        if ground.wallet.isBanned { return .banned }
        if let row = ground.recalled {
            if isRepeated, row.reachedAt == donation.reachedAt { return .recorded }
            let isEqual =
                row.charity == ground.charity?.id && row.points == donation.points
                && row.isAnonymous == donation.isAnonymous
            return donation.hasNoClientID || isEqual ? .retry : .conflict
        }
        guard let charity = ground.charity else { return .noCharity }
        guard charity.hours.contains(donation.reachedAt) else { return .charityClosed }
        if donation.points > ground.ownBalance { return .overspent }
        // What is held may be among the points that are told, and never among those that are given.
        let ready = min(ground.wallet.balance, ground.ownBalance - (ground.settling?.settling ?? 0))
        return donation.points > ready ? .settling : .recorded
    }

    /// The donation's row of the giving boards: the player's own, or that of the anonymous donation alone.
    private static func row(_ donation: NewDonation, of player: Player.ID, _ ground: DonationGround) -> Int64? {
        if let recalled = ground.recalled { return recalled.anonymousRow ?? player.rawValue }
        return donation.isAnonymous ? ground.charity?.anonymousRow : player.rawValue
    }

    /// The same donation when it is refused, because its charity may not receive so much.
    package func refused(by cap: CapReached) -> DonationReceipt {
        DonationReceipt(
            outcome: .capReached,
            row: receipt.row,
            id: receipt.id,
            charity: receipt.charity,
            points: receipt.points,
            board: receipt.board,
            ties: receipt.ties,
            balance: receipt.balance.map { $0 + receipt.points },
            cap: cap
        )
    }
}
