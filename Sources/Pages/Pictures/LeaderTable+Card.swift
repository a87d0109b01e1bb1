package import Domain
package import Drawings

extension LeaderTable {
    /// The uploaded pictures of the players on the card.
    package var pictures: Set<AvatarHash> { Set(ranking.rows.compactMap(\.avatar)) }

    /// The card that unfurls in chats: who leads.
    /// - Parameter portrait: The picture of a row's player.
    package func card(in context: PageContext, portrait: (Standing) -> Portrait) -> BoardCard {
        let language = context.language
        let rows = RankingRows(context, of: ranking.board)
        let players = language.text("players", count: Int128(ranking.size ?? Int64(ranking.rows.count)))
        return BoardCard(
            name: ranking.board.name,
            line: gameName + language.text("list.comma") + players,
            rows: zip(ranking.rows, ranking.ranks).map { standing, rank in
                BoardCard.Row(
                    rank: Int(clamping: rank.number),
                    name: RankingRows.name(of: standing, in: language),
                    portrait: portrait(standing),
                    points: rows.points(standing.points)
                )
            },
            emptyText: language.text("board.empty-title"),
            address: context.shownAddress(PagePath.board(game, ranking.board.slug))
        )
    }
}
