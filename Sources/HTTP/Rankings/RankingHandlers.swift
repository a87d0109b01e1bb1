import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Rankings with pages: boards, contributors and charities.
final class RankingHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let feeds: FeedServer
    let replies: Replies

    init(
        store: Store, rankings: Rankings, secret: Secret, clock: ServerClock, callers: Callers, feeds: FeedServer,
        replies: Replies
    ) {
        (self.store, self.rankings, self.secret, self.clock, self.callers) = (store, rankings, secret, clock, callers)
        (self.feeds, self.replies) = (feeds, replies)
    }

    static func of(_ handlers: Handlers) -> RankingHandlers { handlers.rankings }

    /// `GET /v1/games/{game}/boards/{board}/top{.format}`
    func boardTop(_ request: Request, in game: Slug, on board: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = topService(of: board, in: game)
        let top = top(service) { query in .score(game: game, board: board, season: query.season) }
        return try await feeds.serve(request, service, suffix: suffix) { query, format in
            if let team = query.team {
                return FeedReading(try await ranking(of: board, in: game, among: team, query, format))
            }
            return try await top.read(query, format)
        } describe: { ranking, query in
            try await top.describe(ranking, query)
        }
    }

    /// `GET /v1/charities/{charity}/top{.format}`
    func charityTop(_ request: Request, of charity: Slug, suffix: FeedFormat?) async throws -> Response {
        let service = topService(of: charity)
        let top = top(service) { _ in .charity(charity) }
        return try await feeds.serve(request, service, suffix: suffix, read: top.read, describe: top.describe)
    }

    /// `GET /v1/contributors/top{.format}`
    func contributorsTop(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = contributorsService
        let top = top(service) { _ in .contributors }
        return try await feeds.serve(request, service, suffix: suffix, read: top.read, describe: top.describe)
    }

    func topService(of board: Slug, in game: Slug) -> FeedService {
        FeedService(
            route: Routes.v1.boardTop, path: Routes.v1.boardTop.path(game, board, nil), query: .board,
            page: Routes.pages.boardPage.path(game, board))
    }

    func topService(of charity: Slug) -> FeedService {
        FeedService(
            route: Routes.v1.charityTop, path: Routes.v1.charityTop.path(charity, nil), query: .contributors,
            page: Routes.pages.charityContributorsPage.path(charity))
    }

    var contributorsService: FeedService {
        FeedService(
            route: Routes.v1.contributorsTop, path: Routes.v1.contributorsTop.path(nil), query: .contributors,
            page: Routes.pages.contributorsPage.path())
    }

    var charitiesService: FeedService {
        FeedService(
            route: Routes.v1.charities, path: Routes.v1.charities.path(nil), query: .charities,
            page: Routes.pages.charitiesPage.path())
    }

    /// The rows of a ranking from the top.
    func top(_ service: FeedService, of subject: @escaping @Sendable (FeedQuery) -> Rankings.Subject) -> FeedSource<
        Ranking
    > {
        FeedSource { query, format in
            let versions = self.rankings.versions
            let board = try await self.rankings.board(subject(query))
            if case .players(let players) = query.selection {
                return FeedReading(
                    try await self.rankings.ranking(
                        of: board, window: query.window, players: players, includesTotal: format.showsSize,
                        includesDetails: format.showsDetails))
            }
            let (pageRequest, days) = try query.pageRequest(of: board.id)
            if let country = query.country {
                guard board.showsFlags else { throw Problem.noFlags }
                return try await self.rows(of: board, country, query, pageRequest, days, format, since: versions)
            }
            let validator = try await self.rankings.validator(
                of: board, window: query.window, days: days, since: versions)
            let ranking = try await self.rankings.ranking(
                of: board, window: query.window, days: days, pageRequest: pageRequest, limitRows: query.limitRows,
                includesTotal: format.showsSize, includesDetails: format.showsDetails)
            return FeedReading(ranking, ranking.awaitsDetails ? nil : validator)
        } describe: { ranking, query in
            .standings(
                ranking, path: service.path, query: query.canonical, page: query.page,
                cursors: query.hasCursors ? self.cursors(of: ranking) : (nil, nil), pictureAt: Routes.v1.avatar.path)
        }
    }

    /// `GET /v1/games/{game}/boards/{board}/players/{player}/around{.format}`
    func around(_ request: Request, in game: Slug, on board: Slug, player: Player.ID, suffix: FeedFormat?) async throws
        -> Response
    {
        let path = Routes.v1.around.path(game, board, player, nil)
        let service = FeedService(route: Routes.v1.around, path: path, query: .around, isCached: false)
        return try await around(request, service, player, isOwn: false, on: board, in: game, suffix: suffix)
    }

    /// `GET /v1/games/{game}/boards/{board}/players/me/around{.format}`
    func aroundMe(_ request: Request, in game: Slug, on board: Slug, suffix: FeedFormat?) async throws -> Response {
        let player = try await callers.callingPlayer(request, in: game)
        let path = Routes.v1.aroundMe.path(game, board, nil)
        let service = FeedService(
            route: Routes.v1.aroundMe, path: path, query: .around, isPrivate: true, isCached: false)
        return try await around(request, service, player, isOwn: true, on: board, in: game, suffix: suffix)
    }

    private func around(
        _ request: Request, _ service: FeedService, _ player: Player.ID, isOwn: Bool, on slug: Slug, in game: Slug,
        suffix: FeedFormat?
    ) async throws -> Response {
        try await feeds.serve(request, service, suffix: suffix) { query, format in
            let board = try await rankings.board(.score(game: game, board: slug, season: query.season))
            let ranking = try await rankings.ranking(
                of: board, window: query.window, around: player, isOwn: isOwn, limitRows: query.limitRows,
                includesTotal: format.showsSize, includesDetails: format.showsDetails)
            if ranking.rows.isEmpty { try await checkExists(player, in: game) }
            return FeedReading(ranking)
        } describe: { ranking, query in
            .standings(ranking, path: service.path, query: query.canonical, pictureAt: Routes.v1.avatar.path)
        }
    }

    /// `GET /v1/charities{.format}`
    func charities(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let service = charitiesService
        let charities = charities(service)
        return try await feeds.serve(
            request, service, suffix: suffix, read: charities.read, describe: charities.describe)
    }

    /// The charities by points received.
    func charities(_ service: FeedService) -> FeedSource<CharityRanking> {
        FeedSource { query, _ in
            let (all, validator) = try await self.rankings.allCharities()
            let pageRequest = try query.pageRequest(of: nil).pageRequest
            return FeedReading(
                CharityRanking(all: all, pageRequest: pageRequest, limitRows: query.limitRows), validator)
        } describe: { ranking, query in
            .charities(
                ranking, path: service.path, query: query.canonical, page: query.page,
                cursors: self.cursors(of: ranking))
        }
    }

    func cursors(of ranking: Ranking) -> (next: String?, prev: String?) {
        func cursor(_ row: Standing?) -> String? {
            row.flatMap { row in
                secret.cursor(
                    RankingCursor(
                        board: ranking.board.id, window: ranking.window.name, days: ranking.days, sortKey: row.sortKey
                    ).bytes)
            }
        }
        return (
            ranking.hasNext ? cursor(ranking.rows.last) : nil, ranking.hasPrevious ? cursor(ranking.rows.first) : nil
        )
    }

    private func cursors(of ranking: CharityRanking) -> (next: String?, prev: String?) {
        func cursor(_ charity: Charity?) -> String? {
            charity.flatMap { charity in
                secret.cursor(RankingCursor(board: nil, window: "all", days: nil, sortKey: charity.sortKey).bytes)
            }
        }
        return (
            ranking.hasNext ? cursor(ranking.rows.last) : nil, ranking.hasPrevious ? cursor(ranking.rows.first) : nil
        )
    }
}

// The newest donations.
extension RankingHandlers {
    /// `GET /v1/donations{.format}`
    func newestDonations(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let path = Routes.v1.newestDonations.path(nil)
        return try await donations(
            request, Routes.v1.newestDonations, path, to: nil, page: Routes.pages.home.path(), suffix)
    }

    /// `GET /v1/charities/{charity}/donations{.format}`
    func charityDonations(_ request: Request, to charity: Slug, suffix: FeedFormat?) async throws -> Response {
        let path = Routes.v1.charityDonations.path(charity, nil)
        let page = Routes.pages.charityPage.path(charity)
        return try await donations(request, Routes.v1.charityDonations, path, to: charity, page: page, suffix)
    }

    private func donations(
        _ request: Request, _ route: any ServedRoute, _ path: String, to charity: Slug?, page: String,
        _ suffix: FeedFormat?
    ) async throws -> Response {
        let service = FeedService(route: route, path: path, query: FeedQuery.Shape(keys: []), page: page)
        return try await feeds.serve(request, service, suffix: suffix) { _, _ in
            let validator = rankings.donationValidator(since: rankings.versions)
            if let charity { _ = try await rankings.board(.charity(charity)) }
            let donations = try await rankings.newestDonations(to: charity, limitRows: Limits.newestDonationsRows)
            return FeedReading(donations, validator)
        } describe: { donations, _ in
            .donations(donations, path: path)
        }
    }
}
