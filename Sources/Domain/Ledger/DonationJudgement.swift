/// What becomes of a donation: the answer and, when it is recorded, the charity to which it goes.
package struct DonationJudgement: Sendable {
    package let receipt: DonationReceipt
    /// Nil when nothing is recorded.
    package let charity: CharityContext?

    /// Judges a donation of a player whose wallet is locked.
    /// - Parameter isRepeated: Whether an earlier attempt at this very row may have been committed. A row that it did
    ///   commit is recorded, and no retry.
    package init(_ donation: NewDonation, of player: Player.ID, on context: DonationContext, isRepeated: Bool) {
        let outcome = Self.outcome(donation, context, isRepeated)
        let isNew = outcome == .recorded && context.recalled == nil
        receipt = DonationReceipt(
            outcome: outcome, row: Self.row(donation, of: player, context), id: context.recalled?.id ?? donation.id,
            charity: context.charity?.slug, points: context.recalled?.points ?? donation.points,
            board: context.charity?.board, ties: context.charity?.ties,
            balance: max(0, context.ownBalance - (isNew ? donation.points : 0)),
            isReversed: context.recalled?.isReversed ?? false,
            readyAt: outcome == .settling ? context.settling?.readyAt : nil)
        charity = isNew ? context.charity : nil
    }

    private static func outcome(_ donation: NewDonation, _ context: DonationContext, _ isRepeated: Bool)
        -> DonationOutcome
    {
        if context.wallet.isBanned { return .banned }
        if let row = context.recalled {
            if isRepeated, row.reachedAt == donation.reachedAt { return .recorded }
            let isEqual =
                row.charity == context.charity?.id && row.points == donation.points
                && row.isAnonymous == donation.isAnonymous
            return donation.hasNoClientID || isEqual ? .retry : .conflict
        }
        guard let charity = context.charity else { return .noCharity }
        guard charity.hours.contains(donation.reachedAt) else { return .charityClosed }
        if donation.points > context.ownBalance { return .overspent }
        // What is held may be among the points that are told, and never among those that are donated.
        let ready = min(context.wallet.balance, context.ownBalance - (context.settling?.settling ?? 0))
        return donation.points > ready ? .settling : .recorded
    }

    /// The donation's row of the donation boards: the player's own, or that of the anonymous donation alone.
    private static func row(_ donation: NewDonation, of player: Player.ID, _ context: DonationContext) -> Int64? {
        if let recalled = context.recalled { return recalled.anonymousRow ?? player.rawValue }
        return donation.isAnonymous ? context.charity?.anonymousRow : player.rawValue
    }

    /// The same donation when it is refused, because its charity may not receive so much.
    package func refused(by cap: CapReached) -> DonationReceipt {
        DonationReceipt(
            outcome: .capReached, row: receipt.row, id: receipt.id, charity: receipt.charity, points: receipt.points,
            board: receipt.board, ties: receipt.ties, balance: receipt.balance.map { $0 + receipt.points }, cap: cap)
    }
}
