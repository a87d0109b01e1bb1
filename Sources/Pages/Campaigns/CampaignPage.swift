package import Domain

/// The page of one campaign.
package struct CampaignPage: Sendable, Equatable {
    private let shown: ShownCampaign
    private let top: Ranking
    /// The number of anonymous donations: each has a row of its own.
    private let anonymous: Int64

    /// - Parameters:
    ///   - top: The best rows of its days, at most ``rowsMax(_:)``.
    ///   - anonymous: How many rows of all are anonymous donations.
    package init(_ shown: ShownCampaign, top: Ranking, anonymous: Int64) {
        (self.shown, self.top, self.anonymous) = (shown, top, anonymous)
    }

    /// Rows of its days. Over a score board they are the main part of the page.
    package static func rowsMax(_ campaign: Campaign) -> Int {
        campaign.subject.hasGoal ? CharityPage.rowsMax : BoardPage.rowsMax
    }

    private var campaign: Campaign { shown.campaign }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        var head = PageHead(
            title: title(language), description: description(language), path: shown.path, section: .campaigns)
        head.card = PagePath.card(ofCampaign: campaign.slug)
        head.feed = (PagePath.campaignFeed(campaign.slug), [])
        var scope = heading(context)
        scope.merge(rows(context)) { $1 }
        if let total = shown.total {
            let stream = shown.live.map { TotalPlates.Stream(path: $0, event: "campaign", state: shown.state.rawValue) }
            scope.merge(TotalPlates(total, stream: stream, bar: shown.bar ?? false).scope(context)) { $1 }
            scope["has-total"] = true
        }
        return context.page("campaign", head, scope)
    }

    private func title(_ language: Language) -> String {
        guard let total = shown.total else {
            let values = ["board": campaign.name, "window": shown.days(in: language), "parent": shown.board.name]
            return language.text("board.title", values)
        }
        let points = language.text("points", count: total.points)
        return language.text("charity.head", ["name": campaign.name, "total": points])
    }

    private func description(_ language: Language) -> String {
        guard let total = shown.total else {
            let players = language.text("players", count: Int128(size))
            return language.text("board.description", ["board": campaign.name, "players": players])
        }
        return language.text(
            "charity.description",
            [
                "total": language.text("points", count: total.points),
                "players": language.donors(total.contributors, anonymous: anonymous),
            ])
    }

    private var size: Int64 { top.size ?? Int64(top.rows.count) }

    private func heading(_ context: PageContext) -> Scope {
        let language = context.language
        let (path, query) = shown.subjectPath
        let key = campaign.subject.hasGoal ? "campaign.counts-gifts" : "campaign.counts-scores"
        let subject = link(context.href(path, query), isolated(shown.subject(in: language)))
        return [
            "name": .text(campaign.name), "about": .text(ifAny: campaign.text),
            "counts": .markup(language.markup(key, ["subject": subject])),
            "countdown": .text(shown.countdown(in: language)), "moment": .text(shown.moment.rfc3339(.seconds)),
            "days": .text(shown.days(in: language)), "has-total": false, "bar": false, "facts": .list(facts(context)),
            "has-facts": .flag(shown.total != nil),
            "has-milestones": .flag(shown.progress?.milestones.isEmpty == false),
            "milestones": .list(milestones(language)),
        ]
    }

    private func facts(_ context: PageContext) -> [Scope] {
        guard let total = shown.total else { return [] }
        let (language, numbers) = (context.language, context.language.numbers)
        var facts: [Scope] = []
        func add(_ key: String, _ value: String, _ note: Fill = false) {
            facts.append(Scope(fact: key, label: language.text("fact." + key), value: value, note: note))
        }
        if let tenths = total.progressTenths { add("progress", numbers.percent(tenths: tenths)) }
        add(
            "contributors", numbers.text(total.contributors),
            anonymous > 0 ? .text(language.text("fact.anonymous", count: Int128(anonymous))) : false)
        if let next = shown.nextMilestone, let rest = shown.progress?.toNext {
            add("to-milestone", numbers.text(rest), .markup(isolated(next.name)))
        }
        return facts
    }

    private func milestones(_ language: Language) -> [Scope] {
        guard let progress = shown.progress else { return [] }
        return progress.milestones.map { milestone in
            let rest = Int128(milestone.points) - progress.points
            let isNext = milestone == shown.nextMilestone
            return [
                "name": .text(milestone.name), "points": .text(language.numbers.text(milestone.points)),
                "reached": .scope(
                    ifAny: milestone.reachedAt.map { instant in
                        [
                            "at": .text(instant.rfc3339(.seconds)),
                            "text": .text(
                                language.text(
                                    "campaign.reached",
                                    [
                                        "day": language.dates.long(instant.dayInUTC),
                                        "time": language.dates.time(instant),
                                    ])),
                        ]
                    }), "is-next": .flag(isNext),
                "to-go": rest > 0 ? .text(language.text("progress.to-go", ["n": language.numbers.text(rest)])) : false,
                "bar": isNext
                    ? Bar(progressTenths: Bar.shareTenths(progress.points, of: Int128(milestone.points))).fill : false,
                "is-big": false,
            ]
        }
    }

    private func rows(_ context: PageContext) -> Scope {
        let language = context.language
        let isOverBoard = !campaign.subject.hasGoal
        let rows = RankingRows(context, of: top.board)
        var scope = rows.scope(top.rows, top.ranks, leader: isOverBoard ? top.rows.first?.points : nil)
        let (path, query) = shown.rankingPath
        let live = isOverBoard ? Fill.text(ifAny: shown.live) : false
        let heading = isOverBoard ? "home.leaders" : "charity.top"
        let caption =
            isOverBoard
            ? language.text("board.leaders", ["board": campaign.name])
            : language.text("charity.top-caption", ["name": campaign.name])
        scope.merge([
            "has-rows": .flag(!top.rows.isEmpty), "is-over-board": .flag(isOverBoard), "is-caption-hidden": true,
            "top-heading": .text(language.text(heading)), "caption": .text(caption),
            "all-href": .markup(context.href(path, query)), "all": .text(all(language)),
            "live": top.rows.isEmpty ? false : live, "live-empty": top.rows.isEmpty ? live : false,
            "form": .text(top.board.display.form.rawValue), "unit": .text(top.board.display.unit ?? ""),
            "limit": .text("\(Self.rowsMax(campaign))"), "of": .text("\(size)"),
            "is-lowest": .flag(top.board.lowestFirst), "ties": .text(language.text("ties.\(top.board.ties.rawValue)")),
            "empty": .text(language.text(emptyText)),
            "embeds": .list(EmbedCode(context).campaign(campaign.slug, campaign.name, hasTotal: !isOverBoard)),
        ]) { $1 }
        return scope
    }

    private func all(_ language: Language) -> String {
        guard let total = shown.total else { return language.text("players.all", count: Int128(size)) }
        return language.donors(total.contributors, anonymous: anonymous)
    }

    private var emptyText: String {
        switch (campaign.subject.hasGoal, shown.state) {
        case (true, _): "charity.no-donations"
        case (false, .coming): "board.awaited-title"
        case (false, .open): "board.empty-text"
        case (false, .over): "empty.past"
        }
    }
}

extension ShownCampaign {
    /// The first milestone that is not reached yet.
    fileprivate var nextMilestone: Milestone? {
        guard let progress else { return nil }
        return progress.milestones.first { Int128($0.points) > progress.points }
    }
}

/// A campaign on another site's page, or over a stream: its total, or the ranking of its days.
package struct CampaignEmbed: Sendable, Equatable {
    private let shown: ShownCampaign
    /// Nil over donations.
    private let top: Ranking?
    private let style: EmbedStyle
    private let limitRows: Int

    /// - Parameters:
    ///   - top: The best rows of its days, over a score board.
    ///   - limitRows: 1...25.
    package init(_ shown: ShownCampaign, top: Ranking?, style: EmbedStyle, limitRows: Int) {
        (self.shown, self.top, self.style, self.limitRows) = (shown, top, style, limitRows)
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let head = PageHead(title: shown.campaign.name, path: PagePath.campaignEmbed(shown.campaign.slug))
        let page = context.href(shown.path)
        var scope: Scope = [
            "classes": .text(style.classes), "colours": .text(ifAny: style.coloursPath),
            "is-overlay": .flag(style.isOverlay), "page": .markup(page),
            "countdown": .text(shown.countdown(in: language)), "moment": .text(shown.moment.rfc3339(.seconds)),
        ]
        if let total = shown.total {
            let stream = shown.live.map { TotalPlates.Stream(path: $0, event: "campaign", state: shown.state.rawValue) }
            scope.merge(TotalPlates(total, stream: stream, bar: shown.bar ?? false).scope(context)) { $1 }
            scope["name"] = .text(shown.campaign.name)
            return context.page("embed-charity", head, scope)
        }
        if let top { scope.merge(ranking(top, context)) { $1 } }
        return context.page("embed", head, scope)
    }

    private func ranking(_ top: Ranking, _ context: PageContext) -> Scope {
        let language = context.language
        let rows = RankingRows(context, of: top.board, isOutside: true)
        let size = top.size ?? Int64(top.rows.count)
        let name = shown.campaign.name
        return rows.scope(top.rows, top.ranks, leader: nil).merging([
            "over": .text(
                [shown.board.name, shown.countdown(in: language)].joined(separator: language.text("list.comma"))),
            "heading": .text(name), "caption": .text(language.text("board.leaders", ["board": name])),
            "empty": .text(language.text(shown.state == .open ? "board.empty-text" : "board.empty-title")),
            "live": .text(ifAny: shown.live), "form": .text(top.board.display.form.rawValue),
            "unit": .text(top.board.display.unit ?? ""), "limit": .text("\(limitRows)"), "of": .text("\(size)"),
            "all": .text(language.text("players.all", count: Int128(size))),
        ]) { $1 }
    }
}
