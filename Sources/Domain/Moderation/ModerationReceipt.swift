package import FoundationEssentials

/// What an action did, as it is answered, also to a repeat.
package struct ModerationReceipt: Sendable, Equatable {
    package let id: UUID
    /// See ``ModerationKind/name``.
    package let kind: String
    /// The player that the action is about, also of an undo; nil of actions on boards.
    package let player: Player.ID?
    package let subject: String
    package let at: Instant
    /// Who did it: a key's id, `cli` or `server`.
    package let actor: String
    package let before: WalletSums
    package let after: WalletSums
    /// What was donated by name before and after it.
    package let namedBefore: DonatedByName
    package let namedAfter: DonatedByName
    /// The donations that the action made unfunded, or funded again: then their points are negative.
    package let funding: [FundingChange]

    package init(
        id: UUID, kind: String, player: Player.ID?, subject: String, at: Instant, actor: String, before: WalletSums,
        after: WalletSums, named: (before: DonatedByName, after: DonatedByName), funding: [FundingChange]
    ) {
        self.id = id
        self.kind = kind
        self.player = player
        self.subject = subject
        self.at = at
        self.actor = actor
        self.before = before
        self.after = after
        (namedBefore, namedAfter) = named
        self.funding = funding
    }

    /// What an operator may see of it. Who donated anonymously is personal, so without that scope the sums leave such
    /// donations out. The donations whose funding it changed are left out altogether: how many points of those by name
    /// are unfunded depends on what was donated anonymously.
    package func seen(withAnonymous: Bool) -> ModerationReceipt {
        if withAnonymous { return self }
        return ModerationReceipt(
            id: id, kind: kind, player: player, subject: subject, at: at, actor: actor,
            before: before.without(anonymousBeside: namedBefore), after: after.without(anonymousBeside: namedAfter),
            named: (namedBefore, namedAfter), funding: [])
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

/// What became of an action.
package enum ModerationOutcome: Sendable, Equatable {
    case done(ModerationReceipt)
    /// The same action was done before under this id.
    case repeated(ModerationReceipt)
    /// Another action was done under this id.
    case idReused
    case noPlayer, noScore, noDonation, noAction, noPicture, noItem, noBoard, noTeam, noAward
    /// The award follows from what players do.
    case notGranted
    /// The board has closed, and so would the next season.
    case boardClosed
    /// `confirm` is not the player's name.
    case notConfirmed
    /// The state of the subject does not allow it, because of the named action if there is one.
    case conflict(UUID?)
    /// The corrected points are beyond the bounds of the board.
    case outOfBounds(ClosedRange<Int64>)
    /// The player would have earned more than a wallet holds.
    case walletFull
    /// A sum on a board would be beyond 64 bits.
    case boardFull
}

extension ModerationOutcome {
    /// Why nothing was done, and what to do instead; nil when it was done.
    package var refusal: String? {
        switch self {
        case .done, .repeated: nil
        case .idReused: "Another action was done under this id. Use a new one."
        case .noPlayer: "There is no such player."
        case .noScore: "The player has no such score. Name it by its id."
        case .noDonation: "The player has no such donation. Name it by its id."
        case .noAction: "There is no such action. Name it by its id."
        case .noPicture: "The player has no picture."
        case .noItem: "Nothing waits under this item: it was decided, or has changed since. Read the queue again."
        case .noTeam: "There is no such team. Name it by its id."
        case .noAward: "The player's game has no such award. Name it by its slug."
        case .notGranted:
            "This award follows from what players do. Only awards with the rule granted can be granted and withdrawn."
        case .noBoard: "There is no such game or board. Name them by their slugs."
        case .notConfirmed:
            "confirm is not the player's name. Send the name exactly as it is: nothing can bring the player back."
        case .boardClosed: "The board has closed, and so would the next season. Remove closes first."
        case .conflict(.some): "Another action stands in the way. Undo that one first, if you may."
        case .conflict(nil): "It is so already, or cannot be done in this state. Look at the player's actions."
        case .outOfBounds(let bounds):
            "The points are outside the board's bounds. Send \(bounds.lowerBound) to \(bounds.upperBound)."
        case .walletFull:
            "The player would have earned more than a wallet holds, which is \(Limits.walletPointsMax) points. Let a "
                + "score earn less, or do not merge the players."
        case .boardFull:
            "The player's sum on a board would be beyond \(Int64.max) points. Void some scores first, or do not merge "
                + "the players."
        }
    }
}
