import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Rankings among a player and its friends. Each player gets a different answer, so they are not cached.
extension RankingHandlers {
    /// `GET /v1/games/{game}/boards/{board}/players/me/friends{.format}`
    func friendsTop(_ request: Request, in game: Slug, on board: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.friendsTop, path: Routes.v1.friendsTop.path(game, board, nil), query: .friends,
            isPrivate: true, isCached: false, rowsAtOnceMax: Limits.friendRowsAtOnceMax)
        return try await friends(request, service, in: game, suffix) { query in
            .score(game: game, board: board, season: query.season)
        }
    }

    /// `GET /v1/charities/{charity}/players/me/friends{.format}`
    func charityFriends(_ request: Request, of charity: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.charityFriends, path: Routes.v1.charityFriends.path(charity, nil),
            query: .friendsOfContributors, isPrivate: true, isCached: false, rowsAtOnceMax: Limits.friendRowsAtOnceMax)
        return try await friends(request, service, in: nil, suffix) { _ in .charity(charity) }
    }

    /// `GET /v1/contributors/players/me/friends{.format}`
    func contributorsFriends(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = FeedService(
            route: Routes.v1.contributorsFriends, path: Routes.v1.contributorsFriends.path(nil),
            query: .friendsOfContributors, isPrivate: true, isCached: false, rowsAtOnceMax: Limits.friendRowsAtOnceMax)
        return try await friends(request, service, in: nil, suffix) { _ in .contributors }
    }

    /// - Parameter game: The game that the player must belong to; nil for any.
    private func friends(
        _ request: Request, _ service: FeedService, in game: Slug?, _ suffix: FeedFormat?,
        of subject: (FeedQuery) -> Rankings.Subject
    ) async throws -> Response {
        let device = try await callers.readingDevice(request, in: game)
        try device.friends.require()
        return try await feeds.serve(request, service, suffix: suffix) { query, format in
            let board = try await rankings.board(subject(query))
            return FeedReading(
                try await rankings.ranking(
                    of: board, window: query.window, amongFriendsOf: device.player, from: query.firstPlace,
                    limitRows: query.limitRows, includesTotal: format.showsSize, includesDetails: format.showsDetails))
        } describe: { ranking, query in
            .standings(
                ranking, path: service.path, query: query.canonical, page: query.page, pictureAt: Routes.v1.avatar.path)
        }
    }
}

extension FeedQuery {
    /// The position at which the rows begin.
    var firstPlace: Int64 { if case .from(let position) = selection { position } else { 1 } }
}
