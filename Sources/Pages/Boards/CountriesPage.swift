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
            "country": country.map(name) ?? "",
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
        return context.page(
            "countries", head,
            [
                "board": .text(board.name), "board-href": .markup(context.href(PagePath.board(game, board.slug))),
                "heading": .text(
                    language.text(country == nil ? "countries.heading" : "countries.regions-heading", values)),
                "intro": .text(language.text("countries.intro", count: Int128(board.countries.best ?? 0))),
                "tabs": .list(tabs),
                "all": country == nil
                    ? false
                    : .scope([
                        "href": .markup(context.href(path, query(of: ranking.window, nil))),
                        "label": .text(language.text("countries.all")),
                    ]), "has-rows": .flag(!ranking.rows.isEmpty),
                "rows": .list(
                    ranking.rows.indices.map { index in
                        let row = ranking.rows[index]
                        let flag = CountryFlag(stored: row.name)
                        return [
                            "rank": .text(language.numbers.text(ranking.ranks[index].number)), "code": .text(row.name),
                            "flag": .text(flag?.emoji ?? ""), "points": .text(rows.points(row.points)),
                            "players": .text(language.numbers.text(countries.players[index])),
                            "href": country == nil && flag != nil
                                ? .markup(context.href(path, query(of: ranking.window, flag))) : false,
                        ]
                    }),
            ])
    }

    private var path: String { PagePath.countries(game, board.slug) }

    private func name(_ country: CountryFlag) -> String { "\(country.emoji) \(country)" }

    private func query(of window: Window, _ country: CountryFlag?) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        if let country { query.append(("of", country.description)) }
        if window != .all { query.append(("window", window.name)) }
        return query
    }
}
