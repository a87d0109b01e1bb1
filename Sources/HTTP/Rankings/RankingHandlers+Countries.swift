import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard

// Rankings of countries and regions, and among their players.
extension RankingHandlers {
    /// `GET /v1/games/{game}/boards/{board}/countries/top{.format}`
    func countriesTop(_ request: Request, in game: Slug, on slug: Slug, suffix: FeedFormat?) async throws -> Response {
        let path = Routes.v1.countriesTop.path(game, slug, nil)
        let service = FeedService(
            route: Routes.v1.countriesTop, path: path, query: .countries,
            page: Routes.pages.countriesPage.path(game, slug))
        return try await feeds.serve(request, service, suffix: suffix) { query, _ in
            let versions = rankings.versions
            let board = try await rankings.board(.score(game: game, board: slug, season: query.season))
            guard board.showsFlags, board.countries.best != nil else { throw Problem.noCountries }
            let (pageRequest, days) = try query.pageRequest(of: board.id)
            let validator = try await rankings.validator(
                of: board, window: query.window, days: days, byFlags: true, since: versions)
            let (countries, isFromMemory) = try await rankings.countries(
                on: board, in: query.country, window: query.window, days: days, pageRequest: pageRequest,
                limitRows: query.limitRows)
            return FeedReading(countries, isFromMemory ? validator : nil)
        } describe: { countries, query in
            .countries(
                countries, path: path, query: query.canonical, page: query.page, cursors: cursors(of: countries.ranking)
            )
        }
    }

    /// The rows of the players who show a flag.
    func rows(
        of board: Board, _ country: CountryFlag, _ query: FeedQuery, _ pageRequest: PageRequest,
        _ days: ClosedRange<Day>?, _ format: FeedFormat, since versions: ReadVersions
    ) async throws -> FeedReading<Ranking> {
        let validator = try await rankings.validator(
            of: board, window: query.window, days: days, byFlags: true, since: versions)
        let (ranking, isFromMemory) = try await rankings.ranking(
            of: board, window: query.window, days: days, country: country, pageRequest: pageRequest,
            limitRows: query.limitRows, includesTotal: format.showsSize, includesDetails: format.showsDetails)
        return FeedReading(ranking, isFromMemory ? validator : nil)
    }
}
