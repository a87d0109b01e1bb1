import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

extension PageHandlers {
    /// `GET /games/{game}/awards`
    func awardsPage(_ request: Request, of game: Slug) async throws -> Response {
        let query = try PageQuery(request)
        let path = Routes.pages.awardsPage.path(game)
        return try await pages.serve(request, Routes.pages.awardsPage, path: path, query) {
            let validator = rankings.awardValidator
            guard let name = try await rankings.listedGames().first(where: { $0.slug == game })?.name else {
                throw Problem.noGame
            }
            let awards = try await store.awards(of: game).map { listing in
                AwardsPage.ShownAward(
                    listing.slug, name: listing.award.name.description,
                    text: listing.award.isSecret ? nil : listing.award.text?.description,
                    isSecret: listing.award.isSecret, givenCount: listing.givenCount)
            }
            // Nothing tells that somebody was given one.
            let again = clock.now.advanced(bySeconds: Limits.shownTeamSeconds)
            return FeedReading(AwardsPage(game: game.description, gameName: name, awards), validator?.until(again))
        } render: { page, context in
            page.html(in: context)
        }
    }
}
