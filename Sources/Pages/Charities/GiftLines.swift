import Domain

/// Writes donations one by one, as `Ada gave 50 to Sundrel Wells`.
struct GiftLines {
    let context: PageContext

    init(_ context: PageContext) {
        self.context = context
    }

    /// - Parameter namesCharity: False where the page is the charity's own.
    func fill(_ gifts: [PublicDonation], namesCharity: Bool = true) -> Fill {
        .list(
            gifts.map { gift in
                [
                    "picture": .text(RankingRows.picture(gift.player, gift.avatar)),
                    "sentence": .markup(sentence(gift, namesCharity: namesCharity)),
                    "reached": .text(reached(gift)), "when": .text(when(gift)),
                ]
            }
        )
    }

    private func sentence(_ gift: PublicDonation, namesCharity: Bool) -> Markup {
        let points =
            Markup(html: "<span class=\"gift num\">")
            + Markup(context.language.numbers.text(gift.points)) + Markup(html: "</span>")
        guard namesCharity else {
            return context.language.markup("gift.here", ["player": player(gift), "points": points])
        }
        let charity = link(context.href(PagePath.charity(gift.charity)), isolated(gift.charityName))
        return context.language.markup("gift.line", ["player": player(gift), "points": points, "charity": charity])
    }

    private func player(_ gift: PublicDonation) -> Markup {
        guard let player = gift.player else {
            return Markup(context.language.text(gift.isAnonymous ? "anonymous" : "former"))
        }
        return link(
            context.href(PagePath.player(player)),
            Markup(html: "<b>") + isolated(gift.name) + Markup(html: "</b>")
        )
    }

    private func link(_ href: Markup, _ text: Markup) -> Markup {
        Markup(html: "<a href=\"") + href + Markup(html: "\">") + text + Markup(html: "</a>")
    }

    /// The day alone for an anonymous donation.
    private func reached(_ gift: PublicDonation) -> String {
        gift.isAnonymous ? gift.shownDay.isoDate : gift.reachedAt.rfc3339(.seconds)
    }

    private func when(_ gift: PublicDonation) -> String {
        let dates = context.language.dates
        let day = dates.withoutYear(gift.shownDay)
        if gift.isAnonymous { return day }
        return day + context.language.text("list.comma") + dates.time(gift.reachedAt)
    }
}
