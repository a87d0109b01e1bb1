package import Domain

/// The first page: how much was donated, who leads, who donated just now, and how far each charity is.
package struct HomePage: Sendable, Equatable {
    private let boards: [LeaderTable]
    private let charities: [Charity]
    private let contributors: Int64
    private let anonymous: Int64
    private let newest: [PublicDonation]
    private let hasPlay: Bool
    private let campaigns: [ShownCampaign]

    /// - Parameters:
    ///   - boards: The boards whose leaders are shown.
    ///   - charities: All charities, best first.
    ///   - contributors: How many donated anything by name.
    ///   - anonymous: How many donations are anonymous.
    ///   - newest: The newest donations first.
    ///   - hasPlay: Whether this server has the game that pages show.
    ///   - campaigns: Open campaigns, at most ``campaignsMax``.
    package init(
        boards: [LeaderTable], charities: [Charity], contributors: Int64, anonymous: Int64, newest: [PublicDonation],
        hasPlay: Bool = false, campaigns: [ShownCampaign] = []
    ) {
        self.boards = boards
        self.charities = charities
        self.contributors = contributors
        self.anonymous = anonymous
        self.newest = newest
        self.hasPlay = hasPlay
        self.campaigns = campaigns
    }

    package static let boardsMax = 8
    package static let charitiesMax = 12
    package static let donationsMax = 8
    package static let campaignsMax = 2

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let total = charities.reduce(Int128(0)) { $0 + $1.points }
        let head = PageHead(
            title: language.text("home.head"), description: language.text("home.description"), path: PagePath.home,
            section: .boards)
        // Those with a goal ahead come first; what is reached or has none follows.
        let shown = charities.filter(\.isOnItsWay) + charities.filter { !$0.isOnItsWay }
        return context.page(
            "home", head,
            [
                "has-play": .flag(hasPlay), "plates": Plates(language.numbers.text(total)).fill,
                "total": .text(language.text("points", count: total)),
                "donated": .text(
                    language.text("home.donated-by", ["donors": language.donors(contributors, anonymous: anonymous)])),
                "donated-to": .text(language.text("home.donated-to", count: Int128(charities.count))),
                "has-open": .flag(!campaigns.isEmpty), "campaign-list": .list(campaigns.map { $0.line(context) }),
                "boards": .list(boards.map { $0.scope(context) }), "donations": DonationLines(context).fill(newest),
                "has-charities": .flag(!charities.isEmpty),
                "charity-list": .list(
                    shown.prefix(Self.charitiesMax).map { charity in
                        let progress = GoalProgress(charity, language)
                        return [
                            "href": .markup(context.href(PagePath.charity(charity.slug))), "name": .text(charity.name),
                            "points": .text(language.numbers.text(charity.points)), "bar": progress.bar,
                            "is-big": false, "progress": .text(progress.text),
                        ]
                    }),
            ])
    }
}

extension Charity { fileprivate var isOnItsWay: Bool { !isFinal && (progressTenths ?? .max) < 1_000 } }
