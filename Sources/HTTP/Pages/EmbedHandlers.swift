import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages

/// Rankings and totals for other sites, and for streaming software.
final class EmbedHandlers: RouteHandlers {
    let rankings: Rankings
    let clock: ServerClock
    let pages: PageServer
    let pictures: PictureHandlers

    init(rankings: Rankings, clock: ServerClock, pages: PageServer, pictures: PictureHandlers) {
        (self.rankings, self.clock, self.pages, self.pictures) = (rankings, clock, pages, pictures)
    }

    static func of(_ handlers: Handlers) -> EmbedHandlers { handlers.embeds }

    /// `GET /embed/boards/{game}/{board}`
    func embedBoard(_ request: Request, in game: Slug, _ board: Slug) async throws -> Response {
        let path = Routes.pages.embedBoard.path(game, board)
        return try await embed(
            request, Routes.pages.embedBoard, path, .board(game: game, board: board), isOverlay: false)
    }

    /// `GET /overlay/boards/{game}/{board}`
    func overlayBoard(_ request: Request, in game: Slug, _ board: Slug) async throws -> Response {
        let path = Routes.pages.overlayBoard.path(game, board)
        return try await embed(
            request, Routes.pages.overlayBoard, path, .board(game: game, board: board), isOverlay: true)
    }

    /// `GET /embed/contributors`
    func embedContributors(_ request: Request) async throws -> Response {
        let path = Routes.pages.embedContributors.path()
        return try await embed(request, Routes.pages.embedContributors, path, .contributors, isOverlay: false)
    }

    /// `GET /overlay/contributors`
    func overlayContributors(_ request: Request) async throws -> Response {
        let path = Routes.pages.overlayContributors.path()
        return try await embed(request, Routes.pages.overlayContributors, path, .contributors, isOverlay: true)
    }

    /// `GET /embed/charities/{charity}{.picture}`: a page, or a picture of the same.
    func embedCharity(_ request: Request, _ slug: Slug, picture: PictureFormat?) async throws -> Response {
        let path = Routes.pages.embedCharity.path(slug, picture)
        guard let picture else {
            return try await embedCharity(request, Routes.pages.embedCharity, path, slug, isOverlay: false)
        }
        return try await pictures.charityTotal(request, path, slug, picture)
    }

    /// `GET /overlay/charities/{charity}`
    func overlayCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        try await embedCharity(
            request, Routes.pages.overlayCharity, Routes.pages.overlayCharity.path(slug), slug, isOverlay: true)
    }

    /// `GET /embed/campaigns/{campaign}{.picture}`: a page, or a picture of the same.
    func embedCampaign(_ request: Request, _ slug: Slug, picture: PictureFormat?) async throws -> Response {
        let path = Routes.pages.embedCampaign.path(slug, picture)
        guard let picture else {
            return try await embedCampaign(request, Routes.pages.embedCampaign, path, slug, isOverlay: false)
        }
        return try await pictures.campaignTotal(request, path, slug, picture)
    }

    /// `GET /overlay/campaigns/{campaign}`
    func overlayCampaign(_ request: Request, _ slug: Slug) async throws -> Response {
        try await embedCampaign(
            request, Routes.pages.overlayCampaign, Routes.pages.overlayCampaign.path(slug), slug, isOverlay: true)
    }

    /// `GET /embed/colours.css` is the style sheet of the colours in its query.
    func embedColours(_ request: Request) throws -> Response {
        let query = try PageQuery(request, .style)
        return Entity(
            bytes: query.style.colours, contentType: "text/css; charset=utf-8", caching: .seconds(3_600), isGzip: false
        ).response(to: request.headers)
    }

    private enum Embedded {
        case board(game: Slug, board: Slug)
        case contributors

        var ranked: Ranked {
            switch self {
            case .board(let game, let board): .board(game: game.description, board: board.description)
            case .contributors: .contributors
            }
        }

        var subject: Rankings.Subject {
            switch self {
            case .board(let game, let board): .score(game: game, board: board, season: nil)
            case .contributors: .contributors
            }
        }
    }

    private func embed(
        _ request: Request, _ route: any ServedRoute, _ path: String, _ embedded: Embedded, isOverlay: Bool
    ) async throws -> Response {
        var query = try PageQuery(request, .embed)
        query.style.isOverlay = isOverlay
        return try await pages.serve(request, route, path: path, query, policy: .embed) {
            let versions = rankings.versions
            let board = try await rankings.board(embedded.subject)
            let validator = try await rankings.validator(of: board, window: query.window, days: nil, since: versions)
            let ranking = try await rankings.ranking(
                of: board, window: query.window, days: nil, pageRequest: .top, limitRows: query.limitRows,
                includesTotal: true)
            var over: String?
            var season: Int32?
            if case .board(let game, let board) = embedded {
                over = try await rankings.listedGames().first { $0.slug == game }?.name
                let seasons = try await rankings.seasons(of: board, in: game)
                season = seasons.count > 1 ? seasons.first : nil
            }
            var embed = RankingEmbed(
                embedded.ranked, over: over, ranking, style: query.style, limitRows: query.limitRows)
            embed.season = season
            embed.anonymous = try await rankings.anonymousSize(of: board, window: query.window)
            embed.isShut = ranking.isFinal || board.isAwaited(at: clock.now)
            return FeedReading(embed, validator)
        } render: { embed, context in
            embed.html(in: context)
        }
    }

    private func embedCharity(
        _ request: Request, _ route: any ServedRoute, _ path: String, _ slug: Slug, isOverlay: Bool
    ) async throws -> Response {
        var query = try PageQuery(request, .style)
        query.style.isOverlay = isOverlay
        return try await pages.serve(request, route, path: path, query, policy: .embed) {
            let (charity, _, _, validator) = try await rankings.charity(slug)
            return FeedReading(CharityEmbed(charity, style: query.style), validator)
        } render: { embed, context in
            embed.html(in: context)
        }
    }

    private func embedCampaign(
        _ request: Request, _ route: any ServedRoute, _ path: String, _ slug: Slug, isOverlay: Bool
    ) async throws -> Response {
        var query = try PageQuery(request, [.limit, .style])
        query.style.isOverlay = isOverlay
        return try await pages.serve(request, route, path: path, query, policy: .embed) {
            let reader = CampaignReader(rankings: rankings, clock: clock)
            let reading = try await reader.campaign(slug) { $0.subject.hasGoal ? 0 : query.limitRows }
            let embed = CampaignEmbed(reading.shown, top: reading.top, style: query.style, limitRows: query.limitRows)
            return FeedReading(embed, reading.validator)
        } render: { embed, context in
            embed.html(in: context)
        }
    }
}
