import Domain
import Feeds
import HTTPTypes
import Hummingbird
import Live

extension Responder {
    /// `GET /TopScores.{format}`
    func topScores(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let format = try FeedFormat.chosen(suffix: suffix, accept: request.headers[.accept], isClassic: true)
        let query = try FeedQuery(
            request, keys: ["charity", "window", "limit", "image"], standardRows: Limits.topScoresRowsMax,
            limitRowsMax: Limits.topScoresRowsMax)
        let feed = try await rankings.topScores(
            charity: query.charity, window: query.window, limitRows: query.limitRows, pictures: query.pictures, query: query.canonical,
            showsSize: format.showsSize)
        guard let feed else { throw Problem(.notFound, "There is no such charity. Name it by its slug.", field: "charity") }
        return reply(to: request, with: feed, format, suffix: suffix)
    }

    /// `GET /high_scores.{format}`: its `.xml` is the plist that the 2009 clients read.
    func highScores(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let format = try FeedFormat.chosen(suffix: suffix, accept: request.headers[.accept], isClassic: true)
        let feed = try await rankings.highScores()
        let entity = Entity(
            bytes: feed.bytes(format == .xml ? .plist : format, links: links), contentType: format.contentType,
            variesByAccept: suffix == nil)
        return entity.response(to: request.headers)
    }

    /// `GET /v1/games/{game}/boards/{board}/top.{format}`
    func boardTop(_ request: Request, game: Slug, board: Slug, suffix: FeedFormat?) async throws -> Response {
        let format = try FeedFormat.chosen(suffix: suffix, accept: request.headers[.accept], isClassic: false)
        let query = try FeedQuery(request, keys: ["window", "limit"], standardRows: Self.standardRows, limitRowsMax: Limits.feedRowsMax)
        let feed = try await rankings.top(
            of: board, in: game, window: query.window, limitRows: query.limitRows, query: query.canonical, showsSize: format.showsSize)
        guard let feed else { throw Problem(.notFound, "There is no such game or board.") }
        return reply(to: request, with: feed, format, suffix: suffix)
    }

    /// `GET /v1/charities.{format}`
    func charities(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        let format = try FeedFormat.chosen(suffix: suffix, accept: request.headers[.accept], isClassic: false)
        let query = try FeedQuery(request, keys: ["limit"], standardRows: Limits.feedRowsMax, limitRowsMax: Limits.feedRowsMax)
        return reply(
            to: request, with: try await rankings.charities(limitRows: query.limitRows, query: query.canonical), format, suffix: suffix)
    }

    private func reply(to request: Request, with feed: Feed, _ format: FeedFormat, suffix: FeedFormat?) -> Response {
        let entity = Entity(bytes: feed.bytes(format, links: links), contentType: format.contentType, variesByAccept: suffix == nil)
        return entity.response(to: request.headers)
    }

    /// Rows of a board's feed for whoever does not say how many.
    private static let standardRows = 50
}

extension FeedFormat {
    /// Only these say how many are ranked in all, which costs a count.
    fileprivate var showsSize: Bool { self == .json || self == .html }
}
