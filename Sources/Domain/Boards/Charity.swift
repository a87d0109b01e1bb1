/// A charity's row of the charity board.
package struct Charity: Sendable, Equatable {
    package let id: Int32
    package let slug: String
    package let name: String
    /// All that was given to it; wider than 64 bits.
    package let points: Int128
    package let contributors: Int64
    /// When the last point arrived; nil before the first.
    package let reachedAt: Instant?
    /// What it hopes to receive.
    package let goal: Int64?
    package let url: String?
    package let description: String?
    package let opensAt: Instant?
    package let closesAt: Instant?
    /// No more donations come.
    package let isFinal: Bool

    package init(
        id: Int32,
        slug: String,
        name: String,
        points: Int128,
        contributors: Int64,
        reachedAt: Instant?,
        goal: Int64?,
        url: String?,
        description: String?,
        opensAt: Instant?,
        closesAt: Instant?,
        isFinal: Bool
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.points = points
        self.contributors = contributors
        self.reachedAt = reachedAt
        self.goal = goal
        self.url = url
        self.description = description
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.isFinal = isFinal
    }

    /// Where the charity stands in the one total order; who has nothing yet stands below all who have the same by an
    /// instant after every other.
    package var sortKey: SortKey {
        SortKey(orderKey: 0 &- points, reachedAt: reachedAt ?? Instant(microsecondsSince1970: .max), row: Int64(id))
    }

    /// How much of the goal is reached, in tenths of a percent, cut off; above 1,000 when it is passed, nil without a
    /// goal.
    package var progressTenths: Int64? {
        goal.map { goal in
            let (thousandfold, over) = points.multipliedReportingOverflow(by: 1_000)
            // What overflows here is past 64 bits whatever the goal, since a goal has 63.
            if over { return points < 0 ? .min : .max }
            return Int64(clamping: thousandfold / Int128(max(goal, 1)))
        }
    }
}

/// A charity as somebody names it: by slug, or by name in any case and spacing.
package struct CharityName: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Equal, byte for byte, for all spellings that name the same charity: NFC, without case, one space between words.
    package var folded: String {
        // Mapping case can undo NFC and reorder marks: so NFD before it (Unicode, D145) and NFC after it.
        text.nfd.caseFolded.nfc.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
