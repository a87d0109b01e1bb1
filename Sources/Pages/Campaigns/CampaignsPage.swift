package import Domain

/// The page of all campaigns: open, coming, and over.
package struct CampaignsPage: Sendable, Equatable {
    private let campaigns: [ShownCampaign]
    /// The position of the first one shown, from 1.
    private let from: Int64
    /// The number of all campaigns.
    private let size: Int

    /// - Parameter campaigns: At most ``rowsMax``, in the order of ``sorted(_:at:)``.
    package init(_ campaigns: [ShownCampaign], from: Int64, of size: Int) {
        (self.campaigns, self.from, self.size) = (campaigns, from, size)
    }

    package static let rowsMax = 20

    /// Sorts campaigns: open ones by their end, then coming ones by their start, then those that are over, the latest
    /// first.
    package static func sorted(_ campaigns: [Campaign], at now: Instant) -> [Campaign] {
        func place(_ campaign: Campaign) -> (Int, Int64) {
            switch campaign.state(at: now) {
            case .open: (0, campaign.span.upperBound.microsecondsSince1970)
            case .coming: (1, campaign.span.lowerBound.microsecondsSince1970)
            case .over: (2, 0 &- campaign.span.upperBound.microsecondsSince1970)
            }
        }
        let placed = campaigns.map { (place($0), $0) }
        return placed.sorted { one, other in
            one.0 == other.0 ? one.1.slug.description < other.1.slug.description : one.0 < other.0
        }.map(\.1)
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        var head = PageHead(
            title: language.text("campaigns.head"), description: language.text("campaigns.description"),
            path: PagePath.campaigns, query: query(from: from), section: .campaigns)
        head.isIndexed = from == 1
        let rows = Int64(Self.rowsMax)
        let (last, all) = (from + Int64(campaigns.count) - 1, Int64(size))
        var range = values(from, last, language)
        range["size"] = language.numbers.text(all)
        return context.page(
            "campaigns", head,
            [
                "has-rows": .flag(!campaigns.isEmpty), "has-pages": .flag(from > 1 || last < all),
                "groups": .list(([.open, .coming, .over] as [Campaign.State]).compactMap { group($0, context) }),
                "range": .text(language.text("page.range", range)),
                "previous": from > 1 ? link(max(1, from - rows), from - 1, context) : false,
                "next": last < all ? link(last + 1, min(last + rows, all), context) : false,
            ])
    }

    /// The campaigns of a state; nil if this page has none.
    private func group(_ state: Campaign.State, _ context: PageContext) -> Scope? {
        let shown = campaigns.filter { $0.state == state }
        if shown.isEmpty { return nil }
        return [
            "heading": .text(context.language.text("campaigns.\(state.rawValue)")),
            "campaign-list": .list(shown.map { $0.line(context) }),
        ]
    }

    private func link(_ first: Int64, _ last: Int64, _ context: PageContext) -> Fill {
        .scope([
            "href": .markup(context.href(PagePath.campaigns, query(from: first))),
            "label": .text(context.language.text("page.link", values(first, last, context.language))),
        ])
    }

    private func values(_ first: Int64, _ last: Int64, _ language: Language) -> [String: String] {
        ["first": language.numbers.text(first), "last": language.numbers.text(last)]
    }

    private func query(from: Int64) -> [(name: String, value: String)] { from > 1 ? [("from", "\(from)")] : [] }
}
