import Domain

/// Writes donations one by one, as `Ada gave 50 to Sundrel Wells`.
struct DonationLines {
    let context: PageContext

    init(_ context: PageContext) { self.context = context }

    /// - Parameter namesCharity: False where the page is the charity's own.
    func fill(_ donations: [PublicDonation], namesCharity: Bool = true) -> Fill {
        .list(
            donations.map { donation in
                [
                    "picture": .text(RankingRows.picture(donation.player, donation.avatar)),
                    "sentence": .markup(sentence(donation, namesCharity: namesCharity)),
                    "reached": .text(reached(donation)), "when": .text(when(donation)),
                ]
            })
    }

    private func sentence(_ donation: PublicDonation, namesCharity: Bool) -> Markup {
        let points =
            Markup(html: "<span class=\"donation num\">") + Markup(context.language.numbers.text(donation.points))
            + Markup(html: "</span>")
        guard namesCharity else {
            return context.language.markup("donation.here", ["player": player(donation), "points": points])
        }
        let charity = link(context.href(PagePath.charity(donation.charity)), isolated(donation.charityName))
        return context.language.markup(
            "donation.line", ["player": player(donation), "points": points, "charity": charity])
    }

    private func player(_ donation: PublicDonation) -> Markup {
        guard let player = donation.player else {
            return Markup(context.language.text(donation.isAnonymous ? "anonymous" : "former"))
        }
        return link(
            context.href(PagePath.player(player)), Markup(html: "<b>") + isolated(donation.name) + Markup(html: "</b>"))
    }

    /// The day alone for an anonymous donation.
    private func reached(_ donation: PublicDonation) -> String {
        donation.isAnonymous ? donation.shownDay.isoDate : donation.reachedAt.rfc3339(.seconds)
    }

    private func when(_ donation: PublicDonation) -> String {
        let dates = context.language.dates
        let day = dates.withoutYear(donation.shownDay)
        if donation.isAnonymous { return day }
        return day + context.language.text("list.comma") + dates.time(donation.reachedAt)
    }
}
