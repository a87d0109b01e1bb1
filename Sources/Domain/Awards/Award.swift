/// An award of a game: what a player has to do for it, and how it is shown.
package struct Award: Sendable, Equatable {
    package struct ID: RawRepresentable, Sendable, Hashable, Comparable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        package static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
    }

    package let name: DisplayName
    /// What a player has to do, in words.
    package let text: AwardText?
    package let rule: AwardRule
    /// Whether only players who have it see its text.
    package let isSecret: Bool

    package init(name: DisplayName, text: AwardText?, rule: AwardRule, isSecret: Bool) {
        (self.name, self.text, self.rule, self.isSecret) = (name, text, rule, isSecret)
    }
}

/// What a player has to do for an award, in words: 1 to ``Limits/awardTextBytesMax`` bytes without controls.
package struct AwardText: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    /// - Throws: ``FieldError`` for an empty text, one that is too long, and one with controls.
    package init(_ text: String) throws(FieldError) {
        guard (1...Limits.awardTextBytesMax).contains(text.utf8.count) else { throw Self.refusal }
        let text = text.nfc
        guard (1...Limits.awardTextBytesMax).contains(text.utf8.count),
            text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Self.refusal }
        description = text
    }

    /// A text that the database holds. It was checked when it was set.
    package init(stored text: String) { description = text }

    private static let refusal = FieldError(
        "text",
        "text is 1 to \(Limits.awardTextBytesMax) bytes without controls. Say what a player has to do, or leave it out."
    )
}

/// An award that a player has, as everybody sees it.
package struct GivenAward: Sendable, Equatable {
    package let award: Slug
    package let name: String
    /// The first moment at which its rule held.
    package let givenAt: Instant
    /// The number of the season, or the slug of the campaign, of an award for a rank.
    package let occasion: String?
    /// The name of that campaign.
    package let campaign: String?

    package init(award: Slug, name: String, givenAt: Instant, occasion: String?, campaign: String? = nil) {
        (self.award, self.name, self.givenAt) = (award, name, givenAt)
        (self.occasion, self.campaign) = (occasion, campaign)
    }
}

/// An award of a player's game, as the player sees it.
package struct OwnAward: Sendable, Equatable {
    package let slug: Slug
    package let award: Award
    /// When the player got it last, and for which season or campaign; nil while it does not have it.
    package let givenAt: Instant?
    package let occasion: String?
    /// How often the player has it: more than once for ranks in several seasons.
    package let timesCount: Int64
    /// How far the player is, in the units of `need`; nil where no number says it.
    package let have: Int64?
    package var need: Int64? { award.rule.fields.atLeast }

    package init(slug: Slug, award: Award, givenAt: Instant?, occasion: String?, timesCount: Int64, have: Int64?) {
        (self.slug, self.award, self.givenAt, self.occasion) = (slug, award, givenAt, occasion)
        (self.timesCount, self.have) = (timesCount, have)
    }
}

/// How far a player is on the way to the awards of its game.
package struct AwardProgress: Sendable {
    /// The points of a board that an award is for; nil where the player has none.
    package var points: [AwardRule.Fields: Int64] = [:]
    /// The days with a score that counts, ascending, and today: on a board, or on any board for nil.
    package var days: [Slug?: (days: [Day], today: Day)] = [:]
    /// Funded points of donations by name, and to how many charities.
    package var given: Int64 = 0
    package var charities: Int64 = 0

    package init() {}

    /// How far a player is; nil where no number says it.
    package func have(_ rule: AwardRule) -> Int64? {
        switch rule {
        case .points: points[rule.fields.place]
        case .days(let board, _):
            days[board].map { found in Int64(found.days.count { Self.days(from: $0, to: found.today) <= 365 }) }
        case .streak(let board, _): days[board].map { Self.streak($0.days, today: $0.today) }
        case .given: given
        case .charities: charities
        case .rank, .contestRank, .granted: nil
        }
    }

    private static func days(from earlier: Day, to later: Day) -> Int64 {
        Int64(later.daysSince1970) - Int64(earlier.daysSince1970)
    }

    /// How many days in a row have a score, up to today or yesterday.
    private static func streak(_ days: [Day], today: Day) -> Int64 {
        guard let last = days.last, Self.days(from: last, to: today) <= 1 else { return 0 }
        var length: Int64 = 1
        for (earlier, later) in zip(days.dropLast(), days.dropFirst()).reversed() {
            guard Self.days(from: earlier, to: later) == 1 else { break }
            length += 1
        }
        return length
    }
}

extension AwardRule.Fields {
    /// The same without the number that is asked for.
    package var place: AwardRule.Fields {
        var place = self
        place.atLeast = nil
        return place
    }
}
