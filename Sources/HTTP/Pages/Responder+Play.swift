package import Domain
import Leaderboard
import Pages

/// Where the game at `/play` is served.
package enum PlayAvailability: Sendable {
    case always
    /// Where all these games are, as in the databases of the demo.
    case whereGamesAre(Set<Slug>)

    func isServed(where games: [ListedGame]) -> Bool {
        switch self {
        case .always: true
        case .whereGamesAre(let slugs): slugs.isSubset(of: games.map(\.slug))
        }
    }
}

extension Responder {
    /// `GET /play`: a game of twenty seconds, which posts to the board that every server has.
    func playPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request)
        let games = try await rankings.listedGames()
        guard play.isServed(where: games), let game = games.first(where: { $0.slug == .defaultGame }) else {
            throw Problem.noRoute
        }
        return try await page(request, Routes.playPage, path: PagePath.play, query) {
            let versions = rankings.versions
            let (table, validator) = try await leaders(of: .highScores, in: game, since: versions)
            let (charities, charitiesValidator) = try await rankings.allCharities()
            guard let table else { throw Problem.noRoute }
            let page = PlayPage(board: table, charities: charities)
            return FeedReading(page, CacheValidator.all(of: [validator, charitiesValidator]))
        } render: { page, context in
            page.html(in: context)
        }
    }
}
