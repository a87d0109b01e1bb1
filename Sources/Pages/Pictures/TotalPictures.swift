package import Domain
package import Drawings

/// The pictures of the total of a charity or a campaign: thermometer and badge for other sites, and the card that
/// unfurls in chats.
package struct TotalPictures: Sendable, Equatable {
    private let name: String
    private let total: DonatedTotal
    /// The path of its page.
    private let path: String

    package init(_ charity: Charity) {
        (name, total, path) = (charity.name, DonatedTotal(charity), PagePath.charity(charity.slug))
    }

    /// - Returns: Nil for a campaign over a score board, which has no total.
    package init?(_ shown: ShownCampaign) {
        guard let total = shown.total else { return nil }
        (name, self.total, path) = (shown.campaign.name, total, shown.path)
    }

    package func thermometer(in context: PageContext, _ style: EmbedStyle) -> Thermometer {
        Thermometer(sign(context, style))
    }

    package func badge(in context: PageContext, _ style: EmbedStyle) -> Badge {
        Badge(sign(context, style), label: context.language.text("badge.label"))
    }

    package func card(in context: PageContext) -> CharityCard {
        let language = context.language
        return CharityCard(
            name: name, total: language.numbers.text(total.points), caption: caption(language),
            goal: total.goal.map { goal in
                .init(points: total.points, goal: Int128(goal), text: GoalProgress(total, language).text)
            }, address: context.shownAddress(path))
    }

    private func sign(_ context: PageContext, _ style: EmbedStyle) -> CharitySign {
        let language = context.language
        let numbers = language.numbers
        var sign = CharitySign(
            name: name, total: numbers.short(total.points, charactersMax: 13), caption: caption(language),
            goal: total.goal.flatMap { goal in
                total.progressTenths.map { tenths in
                    .init(
                        points: total.points, goal: Int128(goal), percent: numbers.percent(tenths: tenths),
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
        language.text("home.donated", count: Int128(total.contributors))
    }
}
