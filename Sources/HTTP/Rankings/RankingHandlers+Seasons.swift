import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard

// Seasons that have ended.
extension RankingHandlers {
    /// `GET /v1/games/{game}/boards/{board}/winners{.format}?season=&limit=`
    func winners(_ request: Request, in game: Slug, on slug: Slug, suffix: FeedFormat?) async throws -> Response {
        let path = Routes.v1.winners.path(game, slug, nil)
        let service = FeedService(
            route: Routes.v1.winners, path: path, query: .winners, page: Routes.pages.winnersPage.path(game, slug))
        return try await feeds.serve(request, service, suffix: suffix) { query, _ in
            guard
                let (past, validator) = try await rankings.pastSeasons(
                    of: slug, in: game, from: query.season, seasonsMax: query.limitRows)
            else { throw Problem.noBoard }
            return FeedReading(past, validator)
        } describe: { past, query in
            .winners(past, path: path, query: query.canonical) { Routes.v1.avatar.path($0) }
        }
    }
}
