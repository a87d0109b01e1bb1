package import Domain

/// A campaign as pages show it.
package struct ShownCampaign: Sendable, Equatable {
    package let campaign: Campaign
    /// The board that it reads; its day is today.
    package let board: Board
    package let state: Campaign.State
    /// Nil over a score board, and where no points are shown.
    package let progress: CampaignProgress?

    package init(_ campaign: Campaign, board: Board, state: Campaign.State, progress: CampaignProgress?) {
        (self.campaign, self.board, self.state, self.progress) = (campaign, board, state, progress)
    }

    var path: String { PagePath.campaign(campaign.slug) }

    /// Nil over a score board, and where no points are shown.
    var total: DonatedTotal? { progress.map { DonatedTotal(campaign, $0, isFinal: state == .over) } }

    /// The stream of its events; nil when it is over.
    var live: String? { state == .over ? nil : PagePath.liveCampaign(campaign.slug) }

    // MARK: - Words

    /// When it begins or ends: `3 days left`, `Ends tonight at midnight (UTC)`.
    func countdown(in language: Language) -> String {
        let (first, last) = (campaign.days.lowerBound, campaign.days.upperBound)
        switch state {
        case .coming:
            let wait = daysUntil(first)
            return wait <= 1
                ? language.text("campaign.starts-tomorrow")
                : language.text("campaign.starts", count: wait, ["day": language.dates.long(first)])
        case .open:
            // Today counts too.
            let left = daysUntil(last) + 1
            return left <= 1
                ? language.text("campaign.ends-tonight", ["zone": Self.shownZone(board.zone)])
                : language.text("campaign.days-left", count: left)
        case .over: return language.text("campaign.ended", ["day": language.dates.long(campaign.endDay)])
        }
    }

    private func daysUntil(_ day: Day) -> Int128 { Int128(day.daysSince1970) - Int128(board.today.daysSince1970) }

    /// A zone of the IANA list, for people: `America/New York`.
    private static func shownZone(_ zone: String) -> String { zone.replacing("_", with: " ") }

    /// `1 Dec 2026 to 24 Dec 2026`
    func days(in language: Language) -> String { WindowName(campaign.window, language).text }

    /// The moment to which the countdown counts.
    var moment: Instant { state == .coming ? campaign.span.lowerBound : campaign.span.upperBound }

    /// The name of what it counts: a charity's, or a board's.
    func subject(in language: Language) -> String {
        campaign.subject == .charity(.overall) ? language.text("contributors.all") : board.name
    }

    /// The page of what it counts.
    var subjectPath: (path: String, query: [(name: String, value: String)]) {
        switch campaign.subject {
        case .charity(.overall): (PagePath.charities, [])
        case .charity(let slug): (PagePath.charity(slug.description), [])
        case .board(let game, let board, _): (PagePath.board(game.description, board.description), season)
        }
    }

    /// The page that ranks all players of its days.
    var rankingPath: (path: String, query: [(name: String, value: String)]) {
        let window = [(name: "window", value: campaign.window.name)]
        switch campaign.subject {
        case .charity(.overall): return (PagePath.contributors, window)
        case .charity(let slug): return (Ranked.contributorsOfCharity(slug.description).path, window)
        case .board(let game, let board, _):
            return (PagePath.board(game.description, board.description), window + season)
        }
    }

    /// The season in the query of its board's page, once it has ended.
    private var season: [(name: String, value: String)] {
        guard case .board(_, _, let season) = campaign.subject, board.endedAt != nil else { return [] }
        return [("season", "\(season)")]
    }

    // MARK: - Bars

    /// The bar of its total, with a notch for each milestone; nil without goal and milestones. Without a goal, the bar
    /// ends at the last milestone.
    var bar: Fill? {
        guard let progress, let last = progress.milestones.map(\.points).max() ?? campaign.goal else { return nil }
        let end = campaign.goal ?? last
        let whole = max(Int128(end), progress.points)
        let marks = progress.milestones.map { Bar.shareTenths(Int128($0.points), of: whole) }
        guard let tenths = Charity.tenths(of: progress.points, goal: end) else { return nil }
        return Bar(progressTenths: tenths, marks: marks.filter { (1..<1_000).contains($0) }).fill
    }

    /// A line of a list of campaigns.
    func line(_ context: PageContext) -> Scope {
        let language = context.language
        let bar = total.flatMap { $0.progressTenths.map { Bar(progressTenths: $0).fill } }
        return [
            "href": .markup(context.href(path)), "name": .text(campaign.name),
            "points": .text(ifAny: total.map { language.numbers.text($0.points) }), "bar": bar ?? false,
            "is-big": false, "progress": .text(ifAny: total.map { GoalProgress($0, language).text }),
            "countdown": .text(countdown(in: language)), "moment": .text(moment.rfc3339(.seconds)),
            "subject": .text(subject(in: language)), "days": .text(days(in: language)),
        ]
    }
}
