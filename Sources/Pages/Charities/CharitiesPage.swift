package import Domain

/// The page of all charities by points received.
package struct CharitiesPage: Sendable, Equatable {
    private let ranking: CharityRanking

    package init(_ ranking: CharityRanking) { self.ranking = ranking }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        var head = PageHead(
            title: language.text("charities.head"), description: language.text("charities.description"),
            path: PagePath.charities, section: .charities)
        head.feed = ("/v1/charities", [])
        return context.page(
            "charities", head,
            [
                "contributors": .markup(context.href(PagePath.contributors)), "has-rows": .flag(!ranking.rows.isEmpty),
                "live": .text("/v1/charities/live"),
                "caption": .text(language.text("charities.caption", count: Int128(ranking.size))),
                "width": NumberWidth.fill(ranking.rows.map { language.numbers.text($0.points) }),
                "rows": .list(zip(ranking.rows, ranking.ranks).map { row($0, $1, context) }),
            ])
    }

    private func row(_ charity: Charity, _ rank: Rank, _ context: PageContext) -> Scope {
        let language = context.language
        let progress = GoalProgress(charity, language)
        return [
            "id": .text("c-\(charity.slug)"),
            "state": .text("\(charity.slug) \(charity.points) \(charity.contributors)"),
            "classes": rank.number <= 3 ? .text("lead") : false, "rank": .text(language.numbers.text(rank.number)),
            "medal": rank.number <= 3 ? .text("\(rank.number)") : false,
            "href": .markup(context.href(PagePath.charity(charity.slug))), "name": .text(charity.name),
            "about": .text(ifAny: charity.description), "points": .text(language.numbers.text(charity.points)),
            "bar": progress.bar, "is-big": false, "progress": .text(progress.text),
            "contributors": .text(language.numbers.text(charity.contributors)), "slug": .text(charity.slug),
        ]
    }
}
