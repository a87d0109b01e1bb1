package import Domain

/// The page of one charity.
package struct CharityPage: Sendable, Equatable {
    private let charity: Charity
    private let rank: Rank
    /// The number of all charities.
    private let size: Int
    private let top: Ranking
    /// How many of those who donated did so anonymously: each such donation has a row of its own.
    private let anonymous: Int64
    private let growth: CharityGrowth
    private let newest: [PublicDonation]
    /// Open campaigns that count its donations.
    package var campaigns: [ShownCampaign] = []

    /// - Parameters:
    ///   - top: The best rows of those who donated to it.
    ///   - anonymous: How many rows of all are anonymous donations.
    ///   - newest: The newest donations first.
    package init(
        _ charity: Charity, rank: Rank, of size: Int, top: Ranking, anonymous: Int64, growth: CharityGrowth,
        newest: [PublicDonation]
    ) {
        self.charity = charity
        self.rank = rank
        self.size = size
        self.top = top
        self.anonymous = anonymous
        self.growth = growth
        self.newest = newest
    }

    /// Rows of those who donated most.
    package static let rowsMax = 10
    package static let donationsMax = 7

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let total = language.text("points", count: charity.points)
        var head = PageHead(
            title: language.text("charity.head", ["name": charity.name, "total": total]),
            description: language.text(
                "charity.description",
                ["total": total, "players": language.donors(charity.contributors, anonymous: anonymous)]),
            path: PagePath.charity(charity.slug), section: .charities)
        head.card = PagePath.card(ofCharity: charity.slug)
        head.feed = (PagePath.feed(ranked), [])
        var scope = TotalPlates(charity).scope(context)
        scope.merge(heading(context)) { $1 }
        scope.merge(body(context)) { $1 }
        return context.page("charity", head, scope)
    }

    private var ranked: Ranked { .contributorsOfCharity(charity.slug) }

    private func heading(_ context: PageContext) -> Scope {
        let numbers = context.language.numbers
        return [
            "name": .text(charity.name),
            "place": .text(
                context.language.text("charity.place", ["rank": numbers.text(rank.number), "size": numbers.text(size)])),
            "about": .text(ifAny: charity.description), "site": .scope(ifAny: charity.url.flatMap(Self.site)),
            "facts": .list(facts(context)), "has-open": .flag(!campaigns.isEmpty),
            "campaign-list": .list(campaigns.map { $0.line(context) }),
        ]
    }

    private func body(_ context: PageContext) -> Scope {
        let language = context.language
        let rows = RankingRows(context, of: top.board)
        let chart = DonationChart(growth.days, goal: charity.goal, today: top.board.today, language)
        let named = growth.games.reduce(Int128(0)) { $0 + $1.points }
        var scope = rows.scope(top.rows, top.ranks, leader: nil)
        scope.merge([
            "chart": chart?.fill(charity.name) ?? false, "has-rows": .flag(!top.rows.isEmpty),
            "caption": .text(language.text("charity.top-caption", ["name": charity.name])),
            "all-href": .markup(context.href(PagePath.charity(charity.slug) + "/contributors")),
            "all": .text(language.donors(charity.contributors, anonymous: anonymous)),
            "has-shares": .flag(!growth.games.isEmpty),
            "shares": .list(
                growth.games.map { share in
                    let tenths = Bar.shareTenths(share.points, of: named)
                    return [
                        "game": .text(share.gameName), "href": .markup(context.href(PagePath.game(share.game))),
                        "share": .text(language.numbers.percent(tenths: tenths)),
                        "bar": Bar(progressTenths: tenths).fill, "is-big": false,
                        "points": .text(language.text("points", count: share.points)),
                    ]
                }), "has-donations": .flag(!newest.isEmpty),
            "donations": DonationLines(context).fill(newest, namesCharity: false),
            "embeds": .list(EmbedCode(context).charity(charity.slug, charity.name)),
        ]) { $1 }
        return scope
    }

    private func facts(_ context: PageContext) -> [Scope] {
        let (language, numbers) = (context.language, context.language.numbers)
        var facts: [Scope] = []
        func add(_ key: String, _ value: String, _ note: Fill = false) {
            facts.append(Scope(fact: key, label: language.text("fact." + key), value: value, note: note))
        }
        if let tenths = charity.progressTenths { add("progress", numbers.percent(tenths: tenths)) }
        add(
            "contributors", numbers.text(charity.contributors),
            anonymous > 0 ? .text(language.text("fact.anonymous", count: Int128(anonymous))) : false)
        if let largest = growth.largest {
            let name =
                largest.player == nil
                ? Markup(language.text(largest.isAnonymous ? "anonymous" : "former")) : isolated(largest.name)
            let day = Markup(language.text("list.comma") + language.dates.short(largest.shownDay))
            add("largest", numbers.text(largest.points), .markup(name + day))
        }
        if let newest = newest.first {
            add("newest", numbers.text(newest.points), .text(language.dates.short(newest.shownDay)))
        }
        return facts
    }

    /// The charity's own site, if a browser may follow the address.
    private static func site(_ url: String) -> Scope? {
        let start = url.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start == "https://" else { return nil }
        let label = url.drop { $0 != "/" }.dropFirst(2)
        return ["href": .text(url), "label": .text(String(label.hasSuffix("/") ? label.dropLast() : label))]
    }
}
