package import FoundationEssentials

/// What an act did, as it is answered, also to a repeat.
package struct ActReceipt: Sendable, Equatable {
    package let id: UUID
    /// See ``Deed/name``.
    package let deed: String
    /// The player that the act is about, also of an undo; nil of acts on boards.
    package let player: Player.ID?
    package let subject: String
    package let at: Instant
    /// Who did it: a key's id, `cli` or `server`.
    package let actor: String
    package let before: WalletSums
    package let after: WalletSums
    /// What was given by name before and after it.
    package let namedBefore: GivenByName
    package let namedAfter: GivenByName
    /// The donations that the act made unfunded, or funded again: then their points are negative.
    package let funding: [FundingChange]

    package init(
        id: UUID,
        deed: String,
        player: Player.ID?,
        subject: String,
        at: Instant,
        actor: String,
        before: WalletSums,
        after: WalletSums,
        named: (before: GivenByName, after: GivenByName),
        funding: [FundingChange]
    ) {
        self.id = id
        self.deed = deed
        self.player = player
        self.subject = subject
        self.at = at
        self.actor = actor
        self.before = before
        self.after = after
        (namedBefore, namedAfter) = named
        self.funding = funding
    }

    /// What an operator may see of it. Who gave anonymously is personal, so without that scope the sums leave such
    /// donations out. The donations whose funding it changed are left out altogether: how many points of those by name
    /// are unfunded depends on what was given anonymously.
    package func seen(withAnonymous: Bool) -> ActReceipt {
        if withAnonymous { return self }
        return ActReceipt(
            id: id,
            deed: deed,
            player: player,
            subject: subject,
            at: at,
            actor: actor,
            before: before.without(anonymousBeside: namedBefore),
            after: after.without(anonymousBeside: namedAfter),
            named: (namedBefore, namedAfter),
            funding: []
        )
    }
}

/// A donation that is funded by more or fewer points than before.
package struct FundingChange: Sendable, Equatable {
    package let donation: UUID
    package let charity: Slug
    /// Points that are unfunded more than before; negative when they are fewer.
    package let unfunded: Int64

    package init(donation: UUID, charity: Slug, unfunded: Int64) {
        self.donation = donation
        self.charity = charity
        self.unfunded = unfunded
    }
}

/// What became of an act.
package enum ActOutcome: Sendable, Equatable {
    case done(ActReceipt)
    /// The same act was done before under this id.
    case repeated(ActReceipt)
    /// Another act was done under this id.
    case idReused
    case noPlayer, noScore, noDonation, noAct, noPicture, noItem, noBoard
    /// The name that confirms is not the player's.
    case notConfirmed
    /// What it is about is not in a state for it, by reason of the act that is named, if one is.
    case conflict(UUID?)
    /// The corrected points are beyond the bounds of the board.
    case outOfBounds(ClosedRange<Int64>)
    /// The player would have earned more than a wallet holds.
    case walletFull
    /// A sum on a board would be beyond 64 bits.
    case boardFull
}
