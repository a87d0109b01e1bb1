package import Domain

/// The page of one ranking of players: a board's, or of those who donated.
package struct BoardPage: Sendable, Equatable {
    /// What became of a search for a player.
    package enum Search: Sendable, Equatable {
        /// Nobody of this name stands here.
        case nobody(String)
        /// The player has no row in this window.
        case absent(Player.ID)
        case found(Player.ID)
    }

    package var ranked: Ranked
    /// The name of what it belongs to: a game's or a charity's; nil for all charities.
    package var parent: String?
    package var ranking: Ranking
    /// The position of the first row shown, from 1.
    package var from: Int64
    /// The points of the row above the first one; nil at the top.
    package var before: Int128?
    /// The points of the best row; nil without rows.
    package var leader: Int128?
    /// The numbers of a board's newest seasons, the newest first; empty for the boards of donations.
    package var seasons: [Int32]
    /// The season that the address names.
    package var season: Int32?
    package var search: Search?
    /// How many of all rows are anonymous donations.
    package var anonymous: Int64 = 0
    /// The number of named contributors, if it is known. It includes hidden players, who have no row.
    package var contributors: Int64?
    /// Whether the board opens later.
    package var isAwaited = false
    /// Open campaigns over the board.
    package var campaigns: [ShownCampaign] = []

    package init(
        ranked: Ranked, parent: String?, ranking: Ranking, from: Int64, before: Int128?, leader: Int128?,
        seasons: [Int32] = [], season: Int32? = nil, search: Search? = nil
    ) {
        self.ranked = ranked
        self.parent = parent
        self.ranking = ranking
        self.from = from
        self.before = before
        self.leader = leader
        self.seasons = seasons
        self.season = season
        self.search = search
    }

    /// The rows of one page.
    package static let rowsMax = 50

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let found: Player.ID? = if case .found(let player) = search { player } else { nil }
        let rows = RankingRows(context, of: ranking.board, found: found)
        let name = Self.name(of: ranked, ranking.board, in: language)
        let period = windowName(ranking.window, language).text
        var head = PageHead(
            title: language.text(
                "board.title", ["board": name, "window": period, "parent": parent ?? language.text("contributors.all")]),
            path: ranked.path, query: pageQuery, section: isDonationBoard ? .charities : .boards)
        head.description = description(name, in: language)
        if case .board(let game, let board) = ranked { head.card = PagePath.card(ofBoard: board, in: game) }
        head.feed = (PagePath.feed(ranked), feedQuery)
        head.isIndexed = search == nil
        var scope = heading(name, context)
        scope.merge(body(rows, name, context)) { _, new in new }
        scope.merge(tools(context)) { _, new in new }
        return context.page("board", head, scope)
    }

    /// The name that a page shows for a board. The boards of donations have no name of their own.
    static func name(of ranked: Ranked, _ board: Board, in language: Language) -> String {
        switch ranked {
        case .board: board.name
        case .contributors, .contributorsOfCharity: language.text("contributors.title")
        }
    }

    var isDonationBoard: Bool { if case .board = ranked { false } else { true } }

    /// The season that is shown, on a board that has several.
    var seasonShown: Int32? { seasons.count > 1 ? season ?? seasons.first : nil }

    func windowName(_ window: Window, _ language: Language) -> WindowName {
        WindowName(window, language, season: seasonShown)
    }

    private func donors(_ language: Language) -> String {
        language.donors(contributors ?? size - anonymous, anonymous: anonymous)
    }

    private var size: Int64 { ranking.size ?? Int64(ranking.rows.count) }

    private func description(_ name: String, in language: Language) -> String {
        let players = isDonationBoard ? donors(language) : language.text("players", count: Int128(size))
        return language.text("board.description", ["board": name, "players": players])
    }

    // MARK: - The parts

    private func heading(_ name: String, _ context: PageContext) -> Scope {
        let language = context.language
        let window = Markup(windowName(ranking.window, language).inSentence)
        return [
            "parent": .text(parent ?? language.text("nav.charities")), "parent-href": .markup(context.href(parentPath)),
            "board": .text(name),
            "players": .markup(
                isDonationBoard
                    ? language.markup("board.donors", ["donors": Markup(donors(language)), "window": window])
                    : language.markup("board.players", count: Int128(size), ["window": window])),
            "seasons-shown": .flag(seasonShown != nil), "season-links": .list(seasonLinks(context)),
            "rule": .text(
                language.text(
                    "rule.\(ranking.board.policy.rawValue).\(ranking.board.lowestFirst ? "lowest" : "highest")")),
            "period": .text(end(language)), "tabs": .list(tabs(context)), "notice": notice(language),
            "has-open": .flag(!campaigns.isEmpty), "campaign-list": .list(campaigns.map { $0.line(context) }),
        ]
    }

    private var parentPath: String {
        switch ranked {
        case .board(let game, _): PagePath.game(game)
        case .contributors: PagePath.charities
        case .contributorsOfCharity(let charity): PagePath.charity(charity)
        }
    }

    private func end(_ language: Language) -> String {
        func text(_ key: String, _ instant: Instant) -> String {
            language.text(key, ["day": language.dates.long(instant.dayInUTC), "time": language.dates.time(instant)])
        }
        if let endedAt = ranking.board.endedAt { return text("board.season-ended", endedAt) }
        if isAwaited, let opensAt = ranking.board.opensAt { return opening(opensAt, language) }
        if isClosed, let closesAt = ranking.board.closesAt { return text("board.closed", closesAt) }
        if let span = ranking.span { return text(ranking.isFinal ? "board.ended" : "board.ends", span.upperBound) }
        guard let closesAt = ranking.board.closesAt else { return "" }
        return text("board.closes", closesAt)
    }

    /// Whether the board takes no more scores.
    private var isClosed: Bool {
        guard ranking.isFinal else { return false }
        if ranking.board.endedAt != nil { return true }
        // A window of the past is final on an open board, too.
        guard let closesAt = ranking.board.closesAt else { return false }
        return ranking.span.map { closesAt <= $0.upperBound } ?? true
    }

    /// `Opens 24 December 2026, 18:00, in 28 days.`
    private func opening(_ opensAt: Instant, _ language: Language) -> String {
        let values = ["day": language.dates.long(opensAt.dayInUTC), "time": language.dates.time(opensAt)]
        let days = Int64(opensAt.dayInUTC.daysSince1970) - Int64(ranking.board.today.daysSince1970)
        return days < 1
            ? language.text("board.opens", values) : language.text("board.opens-in", count: Int128(days), values)
    }

    /// The newest seasons, of which one is shown. The form of what was earlier has all of them.
    private func seasonLinks(_ context: PageContext) -> [Scope] {
        seasons.prefix(Self.seasonLinksMax).map { number in
            Scope(
                href: context.href(ranked.path, number == seasons.first ? [] : [("season", "\(number)")]),
                label: context.language.text("season", ["n": context.language.numbers.plain(number)]),
                isCurrent: number == seasonShown)
        }
    }

    private static let seasonLinksMax = 6

    private func tabs(_ context: PageContext) -> [Scope] {
        // An ended season has no current day.
        let windows: [Window] = ranking.board.endedAt == nil ? [.today, .week, .month, .all] : [.all]
        var tabs = windows.map { window in
            Scope(
                href: context.href(ranked.path, query(of: window)), label: windowName(window, context.language).tab,
                isCurrent: window == ranking.window)
        }
        if !windows.contains(ranking.window) {
            tabs.append(
                Scope(
                    href: context.href(ranked.path, query(of: ranking.window)),
                    label: windowName(ranking.window, context.language).tab, isCurrent: true))
        }
        if case .board(let game, let board) = ranked, season == nil, ranking.board.teams != .off {
            tabs.append(
                Scope(
                    href: context.href(
                        PagePath.teams(game, board), ranking.window == .all ? [] : [("window", ranking.window.name)]),
                    label: context.language.text("teams.tab"), isCurrent: false))
        }
        if case .board(let game, let board) = ranked, season == nil, ranking.board.showsFlags,
            ranking.board.countries.best != nil
        {
            tabs.append(
                Scope(
                    href: context.href(PagePath.countries(game, board), query(of: ranking.window)),
                    label: context.language.text("countries.tab"), isCurrent: false))
        }
        if case .board(let game, let board) = ranked, seasons.count > 1 {
            tabs.append(
                Scope(
                    href: context.href(PagePath.winners(game, board), []), label: context.language.text("winners.tab"),
                    isCurrent: false))
        }
        return tabs
    }

    private func notice(_ language: Language) -> Fill {
        switch search {
        case .nobody(let name): .markup(language.markup("find.nobody", ["name": isolated(name)]))
        case .absent: .text(language.text("find.absent"))
        case .found, nil: false
        }
    }

    private func body(_ rows: RankingRows, _ name: String, _ context: PageContext) -> Scope {
        let language = context.language
        let numbers = language.numbers
        let last = from + Int64(ranking.rows.count) - 1
        let range = ["first": numbers.text(from), "last": numbers.text(last), "size": numbers.text(size)]
        func link(_ from: Int64, _ first: Int64, _ last: Int64) -> Fill {
            .scope([
                "href": .markup(context.href(ranked.path, query(of: ranking.window, from: from))),
                "label": .text(language.text("page.link", ["first": numbers.text(first), "last": numbers.text(last)])),
            ])
        }
        let limit = Int64(Self.rowsMax)
        let previous = max(1, from - limit)
        // Only the first page follows the stream, as itself is what the stream repeats.
        let isLive = from == 1 && search == nil && season == nil && !ranking.isFinal
        let live = Fill.text(PagePath.live(ranked) + queryText(feedQuery + [("limit", "\(limit)")]))
        var scope = rows.scope(ranking.rows, ranking.ranks, leader: leader, before: before)
        scope.merge([
            "has-rows": .flag(!ranking.rows.isEmpty), "is-caption-hidden": false, "of": .text("\(size)"),
            "caption": .text(
                language.text(
                    "board.caption",
                    range.merging(["board": name, "window": windowName(ranking.window, language).text]) { $1 })),
            "range": .text(language.text("page.range", range)),
            "previous": ranking.hasPrevious && from > 1 ? link(previous, previous, from - 1) : false,
            "next": ranking.hasNext ? link(last + 1, last + 1, min(last + limit, max(size, last + 1))) : false,
            "ties": .text(language.text("ties.\(ranking.board.ties.rawValue)")),
            "live": isLive && !ranking.rows.isEmpty ? live : false,
            "live-empty": isLive && ranking.rows.isEmpty ? live : false,
            "form": .text(ranking.board.display.form.rawValue), "unit": .text(ranking.board.display.unit ?? ""),
            "limit": .text("\(limit)"), "is-lowest": .flag(ranking.board.lowestFirst),
            "empty-title": .text(emptyTitle(language)), "empty-text": .text(emptyText(language)),
            "empty-links": ranking.window == .all
                ? false
                : .scope([
                    "links": .list([
                        Scope(
                            href: context.href(ranked.path, query(of: .all)),
                            label: seasonShown.map {
                                language.text("board.see-season", ["n": language.numbers.plain($0)])
                            } ?? language.text("board.see-all"), isCurrent: false)
                    ])
                ]), "how": how, "embeds": .list(EmbedCode(context).ranking(ranked, name, feedQuery)),
        ]) { $1 }
        return scope
    }

    private func emptyTitle(_ language: Language) -> String {
        if isAwaited { return language.text("board.awaited-title") }
        if isClosed { return language.text("board.closed-title") }
        return windowName(ranking.window, language).emptyTitle
    }

    private func emptyText(_ language: Language) -> String {
        if isAwaited, let opensAt = ranking.board.opensAt { return opening(opensAt, language) }
        return language.text(
            isClosed ? "board.closed-text" : isDonationBoard ? "charity.no-donations-text" : "board.empty-text")
    }

    /// The request that posts a score, for who makes the game.
    private var how: Fill {
        guard case .board(let game, let board) = ranked, ranking.window == .all, !isAwaited, !isClosed else {
            return false
        }
        let points = max(ranking.board.bounds.lowerBound, min(1_240, ranking.board.bounds.upperBound))
        return .text(
            """
            PUT /v1/games/\(game)/boards/\(board)/scores/{uuid}
            Authorization: Bearer …

            {"points": \(points)}
            """)
    }

    // MARK: - Queries

    /// The query of this page without its language.
    private var pageQuery: [(name: String, value: String)] { query(of: ranking.window, from: from) }

    /// The query of the feed that this page shows.
    private var feedQuery: [(name: String, value: String)] { query(of: ranking.window) }

    func query(of window: Window, from: Int64 = 1) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        if window != .all { query.append(("window", window.name)) }
        if let season { query.append(("season", "\(season)")) }
        if from > 1 { query.append(("from", "\(from)")) }
        return query
    }

    private func queryText(_ query: [(name: String, value: String)]) -> String {
        query.isEmpty ? "" : "?" + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

extension Scope {
    /// A number with what it says.
    /// - Parameter key: What scripts find it by.
    init(fact key: String, label: String, value: String, note: Fill = false) {
        self = [
            "key": .text(key), "label": .text(label), "value": .text(value), "note": note,
            "width": NumberWidth.fill([value]),
        ]
    }

    /// A link.
    init(href: Markup, label: String, isCurrent: Bool) {
        self = ["href": .markup(href), "label": .text(label), "is-current": .flag(isCurrent)]
    }
}

/// A name that a stranger chose, with its direction kept to itself.
func isolated(_ text: String) -> Markup { Markup(html: "<bdi>") + Markup(text) + Markup(html: "</bdi>") }

func link(_ href: Markup, _ text: Markup) -> Markup {
    Markup(html: "<a href=\"") + href + Markup(html: "\">") + text + Markup(html: "</a>")
}

// What stands above the rows: the search, earlier windows and seasons.
extension BoardPage {
    func tools(_ context: PageContext) -> Scope {
        let language = context.language
        let sought: String = if case .nobody(let name) = search { name } else { "" }
        var fields = query(of: ranking.window)
        if context.isLanguageChosen { fields.append(("lang", language.code)) }
        let isSearchable = !isDonationBoard && (!ranking.rows.isEmpty || search != nil)
        return [
            "action": .text(ranked.path), "chosen-language": context.isLanguageChosen ? .text(language.code) : false,
            "find": isSearchable
                ? .scope([
                    "sought": .text(sought),
                    "fields": .list(fields.map { ["name": .text($0.name), "value": .text($0.value)] }),
                ]) : false,
            "earlier": .scope([
                "windows": ranking.board.endedAt == nil
                    ? .scope(["groups": .list(EarlierWindows(ranking.board.today, language).groups(ranking.window))])
                    : false,
                "seasons": seasons.count > 1
                    ? .scope(["options": .list(seasonOptions(language)), "older": olderSeasons(context)]) : false,
            ]),
        ]
    }

    private func seasonOptions(_ language: Language) -> [Scope] {
        // The page may show an older season than those listed.
        let older = season.flatMap { seasons.contains($0) ? nil : $0 }
        return (seasons + [older].compactMap(\.self)).map { number in
            [
                "value": .text("\(number)"),
                "label": .text(language.text("season", ["n": language.numbers.plain(number)])),
                "is-current": .flag(number == seasonShown),
            ]
        }
    }

    /// A link to the winners of seasons that are not listed.
    private func olderSeasons(_ context: PageContext) -> Fill {
        guard case .board(let game, let board) = ranked, let last = seasons.last, last > 1 else { return false }
        return .markup(context.href(PagePath.winners(game, board), [("season", "\(last - 1)")]))
    }
}
