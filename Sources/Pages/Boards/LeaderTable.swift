package import Domain

/// The first rows of a board as other pages show them.
package struct LeaderTable: Sendable, Equatable {
    package let game: String
    package let gameName: String
    package let ranking: Ranking

    /// - Parameter game: The game's slug.
    package init(game: String, gameName: String, ranking: Ranking) {
        self.game = game
        self.gameName = gameName
        self.ranking = ranking
    }

    package static let rowsMax = 5

    func scope(_ context: PageContext) -> Scope {
        let language = context.language
        let rows = RankingRows(context, of: ranking.board)
        let size = Int128(ranking.size ?? Int64(ranking.rows.count))
        var scope = rows.scope(ranking.rows, ranking.ranks, leader: nil)
        scope.merge([
            "href": .markup(context.href(PagePath.board(game, ranking.board.slug))), "board": .text(ranking.board.name),
            "game": .text(gameName), "game-href": .markup(context.href(PagePath.game(game))),
            "players": .text(language.text("players", count: size)),
            "caption": .text(language.text("board.leaders", ["board": ranking.board.name])),
        ]) { $1 }
        return scope
    }
}

/// The page of one game: its boards and who leads them.
package struct GamePage: Sendable, Equatable {
    private let game: String
    private let name: String
    private let boards: [LeaderTable]
    private let hasAwards: Bool

    /// - Parameter game: The game's slug.
    package init(game: String, name: String, boards: [LeaderTable], hasAwards: Bool) {
        self.game = game
        self.name = name
        self.boards = boards
        self.hasAwards = hasAwards
    }

    package func html(in context: PageContext) -> [UInt8] {
        let summary = context.language.text("boards", count: Int128(boards.count))
        let head = PageHead(
            title: context.language.text("game.title", ["game": name]), description: summary, path: PagePath.game(game),
            section: .boards)
        return context.page(
            "game", head,
            [
                "game": .text(name), "summary": .text(summary), "boards": .list(boards.map { $0.scope(context) }),
                "awards": hasAwards ? .markup(context.href(PagePath.awards(game))) : false,
            ])
    }
}
