package import Domain
package import Drawings

/// The pictures of a charity's total: thermometer and badge for other sites, and the card that unfurls in chats.
package struct CharityPictures: Sendable, Equatable {
    private let charity: Charity

    package init(_ charity: Charity) { self.charity = charity }

    package func thermometer(in context: PageContext, _ style: EmbedStyle) -> Thermometer {
        Thermometer(sign(context, style))
    }

    package func badge(in context: PageContext, _ style: EmbedStyle) -> Badge {
        Badge(sign(context, style), label: context.language.text("badge.label"))
    }

    package func card(in context: PageContext) -> CharityCard {
        let language = context.language
        let progress = CharityProgress(charity, language)
        return CharityCard(
            name: charity.name, total: language.numbers.text(charity.points), caption: caption(language),
            goal: charity.goal.map { goal in .init(points: charity.points, goal: Int128(goal), text: progress.text) },
            address: context.shownAddress(PagePath.charity(charity.slug)))
    }

    private func sign(_ context: PageContext, _ style: EmbedStyle) -> CharitySign {
        let language = context.language
        let numbers = language.numbers
        var sign = CharitySign(
            name: charity.name, total: numbers.short(charity.points, charactersMax: 13), caption: caption(language),
            goal: charity.goal.flatMap { goal in
                charity.progressTenths.map { tenths in
                    .init(
                        points: charity.points, goal: Int128(goal), percent: numbers.percent(tenths: tenths),
                        none: numbers.text(0), half: numbers.short(Int128(goal / 2), charactersMax: 9),
                        all: numbers.short(Int128(goal), charactersMax: 9))
                }
            })
        sign.colors = SignColors(ink: style.ink, paper: style.paper, accent: style.accent)
        sign.size = style.size
        return sign
    }

    /// `points given by 29 players`
    private func caption(_ language: Language) -> String {
        language.text("home.donated", count: Int128(charity.contributors))
    }
}
