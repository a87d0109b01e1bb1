package import Domain

/// The page of countries on a board, or of the regions of one, by the points of their best players.
package struct CountriesPage: Sendable, Equatable {
    private let countries: CountryRanking
    private let game: String

    /// - Parameter game: The game's slug.
    package init(_ countries: CountryRanking, game: String) { (self.countries, self.game) = (countries, game) }

    /// The rows of the page.
    package static let rowsMax = 100

    private var ranking: Ranking { countries.ranking }
    private var board: Board { ranking.board }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let country = countries.country
        let values = [
            "board": board.name, "window": WindowName(ranking.window, language).text,
            "country": country?.description ?? "",
        ]
        var head = PageHead(
            title: language.text(country == nil ? "countries.title" : "countries.regions-title", values), path: path,
            query: query(of: ranking.window, country), section: .boards)
        head.feed = (PagePath.countriesFeed(game, board.slug), query(of: ranking.window, country))
        let rows = RankingRows(context, of: board)
        let tabs = ([.today, .week, .month, .all] as [Window]).map { window in
            Scope(
                href: context.href(path, query(of: window, country)), label: WindowName(window, language).tab,
                isCurrent: window == ranking.window)
        }
        let shown = ranking.rows.map { rows.points($0.points) }
        return context.page(
            "countries", head,
            [
                "board": .text(board.name), "board-href": .markup(context.href(PagePath.board(game, board.slug))),
                "heading": .markup(
                    language.markup(
                        country == nil ? "countries.heading" : "countries.regions-heading",
                        ["board": isolated(board.name), "country": country.map(Self.named) ?? .empty])),
                "intro": .text(language.text("countries.intro", count: Int128(board.countries.best ?? 0))),
                "tabs": .list(tabs),
                "all": country == nil
                    ? false
                    : .scope([
                        "href": .markup(context.href(path, query(of: ranking.window, nil))),
                        "label": .text(language.text("countries.all")),
                    ]), "has-rows": .flag(!ranking.rows.isEmpty), "points-head": .text(rows.heading),
                "width": NumberWidth.fill(shown),
                "rows": .list(ranking.rows.indices.map { row($0, shown[$0], context) }),
            ])
    }

    private func row(_ index: Int, _ points: String, _ context: PageContext) -> Scope {
        let (row, rank) = (ranking.rows[index], ranking.ranks[index])
        let numbers = context.language.numbers
        let hasMedal = rank.number <= 3
        let flag = countries.country == nil ? CountryFlag(stored: row.name) : nil
        return [
            "rank": .text(numbers.text(rank.number)), "classes": hasMedal ? .text("lead") : false,
            "medal": hasMedal ? .text("\(rank.number)") : false,
            "is-shared": .flag(rank.isTied && board.ties == .shared), "code": .text(row.name), "points": .text(points),
            "players": .text(numbers.text(countries.players[index])),
            "href": flag.map { .markup(context.href(path, query(of: ranking.window, $0))) } ?? false,
            "reached": .text(row.reachedAt.rfc3339(.seconds)),
            "day": .text(context.language.dates.short(row.reachedAt.dayInUTC)),
        ]
    }

    /// The code of a country, of which a script makes the name known. A name in its place could move the whole page.
    private static func named(_ country: CountryFlag) -> Markup {
        Markup(html: "<abbr>") + Markup(country.description) + Markup(html: "</abbr>")
    }

    private var path: String { PagePath.countries(game, board.slug) }

    private func query(of window: Window, _ country: CountryFlag?) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        if let country { query.append(("of", country.description)) }
        if window != .all { query.append(("window", window.name)) }
        return query
    }
}
