package import Domain
package import Drawings

extension LeaderTable {
    /// The uploaded pictures of the players on the card.
    package var pictures: Set<AvatarHash> { Set(ranking.rows.compactMap(\.avatar)) }

    /// The card that unfurls in chats: who leads.
    /// - Parameter portrait: The picture of a row's player.
    package func card(in context: PageContext, portrait: (Standing) -> Portrait) -> BoardCard {
        let language = context.language
        let players = language.text("players", count: Int128(ranking.size ?? Int64(ranking.rows.count)))
        return BoardCard(
            ranking, name: ranking.board.name, line: gameName + language.text("list.comma") + players,
            path: PagePath.board(game, ranking.board.slug), in: context, portrait: portrait)
    }
}

/// The leaders of a campaign over a score board.
package struct CampaignLeaders: Sendable, Equatable {
    private let shown: ShownCampaign
    private let ranking: Ranking

    package init(_ shown: ShownCampaign, _ ranking: Ranking) { (self.shown, self.ranking) = (shown, ranking) }

    /// The uploaded pictures of the players on the card.
    package var pictures: Set<AvatarHash> { Set(ranking.rows.compactMap(\.avatar)) }

    /// The card that unfurls in chats.
    /// - Parameter portrait: The picture of a row's player.
    package func card(in context: PageContext, portrait: (Standing) -> Portrait) -> BoardCard {
        let language = context.language
        return BoardCard(
            ranking, name: shown.campaign.name,
            line: ranking.board.name + language.text("list.comma") + shown.days(in: language), path: shown.path,
            in: context, portrait: portrait)
    }
}

extension BoardCard {
    fileprivate init(
        _ ranking: Ranking, name: String, line: String, path: String, in context: PageContext,
        portrait: (Standing) -> Portrait
    ) {
        let language = context.language
        let rows = RankingRows(context, of: ranking.board)
        self.init(
            name: name, line: line,
            rows: zip(ranking.rows, ranking.ranks).map { standing, rank in
                BoardCard.Row(
                    rank: Int(clamping: rank.number), name: RankingRows.name(of: standing, in: language),
                    portrait: portrait(standing), points: rows.points(standing.points))
            }, emptyText: language.text("board.empty-title"), address: context.shownAddress(path))
    }
}

extension PlayerPage {
    /// The player's uploaded picture, which a card shows.
    package var picture: AvatarHash? { avatar }

    /// The card that unfurls in chats: what was donated, or the best rank where nothing was.
    /// - Parameter portrait: The uploaded picture or the flag.
    package func card(in context: PageContext, portrait: Portrait) -> PlayerCard {
        let language = context.language
        let best = Self.best(of: places)
        let line = best.map { placeText($0, language) } ?? language.text("player.plays", ["game": gameName])
        let hasDonated = donated > 0
        return PlayerCard(
            name: name, portrait: portrait, line: line,
            total: hasDonated
                ? language.numbers.text(donated) : best.map { language.numbers.text($0.rank.number) } ?? "0",
            caption: hasDonated
                ? language.text("player.donated-to", count: Int128(donatedSums.count))
                : best.map { place in language.text("card.rank", ["board": boardName(place, language)]) }
                    ?? language.text("player.no-donations"), shares: donatedSums.map { Int128($0.points) },
            address: context.shownAddress(PagePath.player(player)))
    }
}

extension PageContext {
    /// An address without its scheme, as a picture shows it; the path alone while the public URL is not known.
    func shownAddress(_ path: String) -> String {
        let address = absolute(path)
        guard let scheme = address.firstRange(of: "://") else { return address }
        return String(address[scheme.upperBound...])
    }
}
