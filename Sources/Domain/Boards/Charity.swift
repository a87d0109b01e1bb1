/// A charity as a row of the charity board.
package struct Charity: Sendable, Equatable {
    package let id: Int32
    package let slug: String
    package let name: String
    /// Sum of all donations to it; wider than 64 bits.
    package let points: Int128
    /// Who donated to it by name.
    package let contributors: Int64
    /// When the last donation by name arrived; nil before the first.
    package let reachedAt: Instant?
    /// Points that it hopes to receive.
    package let goal: Int64?
    package let url: String?
    package let description: String?
    package let opensAt: Instant?
    package let closesAt: Instant?
    /// Whether it accepts no more donations.
    package let isFinal: Bool
    /// Minutes in which a player may take a donation back.
    package let coolingOffMinutes: Int32
    package let caps: CharityCaps

    package init(
        id: Int32, slug: String, name: String, points: Int128, contributors: Int64, reachedAt: Instant?, goal: Int64?,
        url: String?, description: String?, opensAt: Instant?, closesAt: Instant?, isFinal: Bool,
        coolingOffMinutes: Int32 = 0, caps: CharityCaps = CharityCaps(day: nil, all: nil)
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
        self.coolingOffMinutes = coolingOffMinutes
        self.caps = caps
    }

    /// The charity's place in the one total order. A charity without donations takes the latest possible instant, so it
    /// stands below all others with the same points.
    package var sortKey: SortKey {
        SortKey(orderKey: 0 &- points, reachedAt: reachedAt ?? Instant(microsecondsSince1970: .max), row: Int64(id))
    }

    /// Progress towards the goal in tenths of a percent, truncated; above 1,000 once the goal is passed. It is nil
    /// without a goal, and where it would have more than 128 bits.
    package var progressTenths: Int128? { Self.tenths(of: points, goal: goal) }

    /// Progress of these points towards a goal, by the same rule.
    package static func tenths(of points: Int128, goal: Int64?) -> Int128? {
        guard let goal else { return nil }
        let (times, rest) = points.quotientAndRemainder(dividingBy: Int128(max(goal, 1)))
        let (whole, isOver) = times.multipliedReportingOverflow(by: 1_000)
        // The rest is less than a goal of 64 bits, so a thousand of it fit.
        let (sum, isPast) = whole.addingReportingOverflow(rest * 1_000 / Int128(max(goal, 1)))
        return isOver || isPast ? nil : sum
    }
}

/// A charity as a caller names it: by slug, or by name in any case and spacing.
///
/// Folding takes time that grows with the square of a hostile text's length, so a long text makes no value, and the
/// text is folded here, by the request that brought it, and never by the batch that it goes with.
package struct CharityName: Sendable, Hashable {
    /// The slug, or the name as a person wrote it.
    package let text: String
    /// The name in the one form of names and without case: all spellings of one charity fold to the same
    /// bytes. It is nil when the charity may be named by its slug only.
    package let folded: String?

    /// Names a charity by its slug only.
    package init(_ slug: Slug) {
        text = slug.description
        folded = nil
    }

    /// Names a charity by its slug or its name.
    /// - Parameter field: The name of the field that carried the text, for the error.
    /// - Throws: When the text has more than ``Limits/displayNameBytesMax`` bytes.
    package init(_ text: String, field: String) throws(FieldError) {
        guard text.utf8.count <= Limits.displayNameBytesMax else {
            throw FieldError(
                field,
                "\(field) is longer than \(Limits.displayNameBytesMax) bytes. Name the charity by its slug or its name."
            )
        }
        self.text = text
        self.folded = Self.folded(text)
    }

    /// The form in which a charity's own name is stored, to be found by any spelling.
    package static func folded(_ name: DisplayName) -> String { folded(name.description) }

    private static func folded(_ text: String) -> String {
        // Case mapping can undo NFC and reorder marks, so NFD comes before it (Unicode, D145) and NFC after it. Line
        // ends are spaces here, because a form of many lines may have the name.
        let folded = text.nfd.caseFolded
        var spaced = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars { spaced.append(scalar.properties.isWhitespace ? " " : scalar) }
        return String(spaced).nameForm
    }
}
