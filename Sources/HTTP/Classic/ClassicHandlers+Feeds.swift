import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard

// The two feeds of the classic protocol, which the clients of 2009 read.
extension ClassicHandlers {
    /// `GET /TopScores{.format}`
    func topScores(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.classic.topScores, path: Routes.classic.topScores.path(nil), query: .topScores)
        return try await feeds.serve(request, service, suffix: suffix) { query, format in
            let versions = rankings.versions
            let board = try await rankings.board(query.charity.map(Rankings.Subject.charity) ?? .contributors)
            let validator = try await rankings.validator(of: board, window: query.window, days: nil, since: versions)
            let ranking = try await rankings.ranking(
                of: board, window: query.window, days: nil, pageRequest: .top, limitRows: query.limitRows,
                includesTotal: format.showsSize)
            return FeedReading(ranking, validator)
        } describe: { ranking, query in
            let pictures = query.pictures == .embed ? try await rankings.pictures(of: ranking) : nil
            var feed = Feed.topScores(
                ranking, path: service.path, query: query.canonical, embedded: pictures,
                pictureAt: Routes.v1.avatar.path)
            feed.pagePath =
                query.charity.map { Routes.pages.charityContributorsPage.path($0) }
                ?? Routes.pages.contributorsPage.path()
            return feed
        }
    }

    /// `GET /high_scores{.format}`. Its `.xml` is the plist that the clients of 2009 read.
    func highScores(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.classic.highScores, path: Routes.classic.highScores.path(nil),
            query: FeedQuery.Shape(keys: []), page: Routes.pages.boardPage.path(.defaultGame, .highScores),
            xmlIsPlist: true)
        return try await feeds.serve(request, service, suffix: suffix) { _, _ in
            let (best, validator) = try await rankings.bestPosts()
            return FeedReading(best, validator)
        } describe: { best, _ in
            .highScores(best.posts, path: service.path, ties: best.ties)
        }
    }
}
