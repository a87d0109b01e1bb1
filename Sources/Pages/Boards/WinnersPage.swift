package import Domain

/// The page of who stood first in seasons of a board that have ended.
package struct WinnersPage: Sendable, Equatable {
    private let past: PastSeasons
    private let game: String

    /// - Parameter game: The game's slug.
    package init(_ past: PastSeasons, game: String) { (self.past, self.game) = (past, game) }

    /// The seasons of the page.
    package static let seasonsMax = 10

    private var board: Board { past.board }
    private var path: String { PagePath.winners(game, board.slug) }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let query = past.newest.map { [(name: "season", value: "\($0)")] } ?? []
        var head = PageHead(
            title: language.text("winners.title", ["board": board.name]), path: path, query: query, section: .boards)
        head.feed = (PagePath.winnersFeed(game, board.slug), query)
        return context.page(
            "winners", head,
            [
                "board": .text(board.name), "board-href": .markup(context.href(PagePath.board(game, board.slug))),
                "heading": .markup(language.markup("winners.heading", ["board": isolated(board.name)])),
                "has-rows": .flag(!past.seasons.isEmpty), "seasons": .list(past.seasons.map { season($0, context) }),
                "older": past.next.map {
                    .scope([
                        "href": .markup(context.href(path, [("season", "\($0)")])),
                        "label": .text(language.text("winners.older")),
                    ])
                } ?? false,
            ])
    }

    private func season(_ season: PastSeasons.Season, _ context: PageContext) -> Scope {
        let language = context.language
        return [
            "heading": .text(language.text("season", ["n": language.numbers.text(Int64(season.number))])),
            "href": .markup(context.href(PagePath.board(game, board.slug), [("season", "\(season.number)")])),
            "ended": .text(language.text("winners.ended", ["day": language.dates.short(season.endedAt.dayInUTC)])),
            "has-rows": .flag(!season.winners.isEmpty),
            "rows": .list(season.winners.indices.map { row($0, of: season, context) }),
        ]
    }

    private func row(_ index: Int, of season: PastSeasons.Season, _ context: PageContext) -> Scope {
        let (winner, rank) = (season.winners[index], season.ranks[index])
        let language = context.language
        return [
            "medal": .text("\(rank.number)"), "rank": .text(language.numbers.text(rank.number)),
            "picture": .text(RankingRows.picture(of: winner)),
            "country": .text(ifAny: board.showsFlags ? winner.flag?.description : nil),
            "href": winner.player.map { .markup(context.href(PagePath.player($0))) } ?? false,
            "name": .text(RankingRows.name(of: winner, in: language)),
            "points": .text(RankingRows.points(winner.points, as: season.display, in: language)),
        ]
    }
}
