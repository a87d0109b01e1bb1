/// How often a plan donates.
package enum PlanInterval: String, Sendable, CaseIterable {
    /// After each day in UTC.
    case day
    /// After each Sunday in UTC.
    case week
    /// After the last day of each month in UTC.
    case month
}

/// What a plan gives one charity, compared with its other lines.
package struct PlanShare: Sendable, Hashable {
    package let charity: Slug
    /// ``Limits/planShares``.
    package let share: Int32

    package init(charity: Slug, share: Int32) {
        self.charity = charity
        self.share = share
    }
}

/// What a player wants its plan to do.
package struct PlanTerms: Sendable, Hashable {
    /// 1 to ``Limits/planLinesMax``, each charity once, in the order of their slugs.
    package let shares: [PlanShare]
    package let interval: PlanInterval
    /// Points that the plan leaves in the wallet: 0 to ``Limits/walletPointsMax``.
    package let keep: Int64
    package let isAnonymous: Bool

    /// - Parameters:
    ///   - shares: In any order.
    ///   - field: The name of the field that carried them, for the error.
    /// - Throws: Unless there is at least one line, no more than ``Limits/planLinesMax``, and each charity has one.
    package init(shares: [PlanShare], field: String, interval: PlanInterval, keep: Int64, isAnonymous: Bool)
        throws(FieldError)
    {
        guard (1...Limits.planLinesMax).contains(shares.count) else {
            throw FieldError(field, "\(field) has 1 to \(Limits.planLinesMax) lines, one for each charity.")
        }
        guard Set(shares.map(\.charity)).count == shares.count else {
            throw FieldError(field, "\(field) names a charity twice. Add up its shares in one line.")
        }
        self.init(shares: shares, interval: interval, keep: keep, isAnonymous: isAnonymous)
    }

    /// Terms that were checked before.
    package init(shares: [PlanShare], interval: PlanInterval, keep: Int64, isAnonymous: Bool) {
        self.shares = shares.sorted {
            $0.charity.description.utf8.lexicographicallyPrecedes($1.charity.description.utf8)
        }
        (self.interval, self.keep, self.isAnonymous) = (interval, keep, isAnonymous)
    }
}

/// A player's plan.
package struct Plan: Sendable, Equatable {
    package let terms: PlanTerms
    /// Names this version of the plan and no other one.
    package let etag: String
    package let since: Instant
    /// The day in UTC after whose end it donates next.
    package let nextOn: Day

    package init(terms: PlanTerms, etag: String, since: Instant, nextOn: Day) {
        (self.terms, self.etag, self.since, self.nextOn) = (terms, etag, since, nextOn)
    }
}

/// Why a line of a plan gave nothing.
package enum PlanSkip: String, Sendable, CaseIterable {
    /// The charity takes no donations.
    case charityClosed = "charity-closed"
    /// The charity may not receive so much.
    case capReached = "cap-reached"
    /// There was nothing to donate beyond what the plan keeps.
    case nothingLeft = "nothing-left"
    /// The points were spent before the plan could donate them.
    case overspent
    /// The player had used the donation's id before.
    case idReused = "id-reused"
    /// The player may not write.
    case banned
    /// The game has no plans any more.
    case off
    /// The player was merged into another one, whose own plan holds.
    case merged
}
