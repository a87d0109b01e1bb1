import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Event streams: what a feed answers, sent again whenever it changes.
final class LiveHandlers: RouteHandlers {
    let store: Store
    let clock: ServerClock
    let secret: Secret
    let live: LiveHub
    let feeds: FeedServer
    let callers: Callers
    let rates: RequestRates
    let rankings: RankingHandlers
    let campaigns: CampaignHandlers
    let profiles: ProfileHandlers

    init(
        store: Store, clock: ServerClock, secret: Secret, live: LiveHub, feeds: FeedServer, callers: Callers,
        rates: RequestRates, rankings: RankingHandlers, campaigns: CampaignHandlers, profiles: ProfileHandlers
    ) {
        (self.store, self.clock, self.secret, self.live, self.feeds) = (store, clock, secret, live, feeds)
        (self.callers, self.rates, self.rankings) = (callers, rates, rankings)
        (self.campaigns, self.profiles) = (campaigns, profiles)
    }

    static func of(_ handlers: Handlers) -> LiveHandlers { handlers.live }

    /// `GET /v1/games/{game}/boards/{board}/live`
    func boardLive(_ request: Request, in game: Slug, on board: Slug) async throws -> Response {
        let service = rankings.topService(of: board, in: game)
        let source = rankings.top(service) { _ in .score(game: game, board: board, season: nil) }
        return try await live(request, [part("top", service, try FeedQuery(request, .live, secret), source)])
    }

    /// `GET /v1/contributors/live`
    func contributorsLive(_ request: Request) async throws -> Response {
        let service = rankings.contributorsService
        let source = rankings.top(service) { _ in .contributors }
        return try await live(request, [part("top", service, try wholeFeed(request, service), source)])
    }

    /// `GET /v1/charities/live`
    func charitiesLive(_ request: Request) async throws -> Response {
        let service = rankings.charitiesService
        return try await live(
            request, [part("top", service, try wholeFeed(request, service), rankings.charities(service))])
    }

    /// `GET /v1/charities/{charity}/live`
    func charityLive(_ request: Request, of charity: Slug) async throws -> Response {
        let service = rankings.topService(of: charity)
        let key = rankings.charityKey(charity, isGzip: false)
        let document = LivePart(event: "charity", key: key) {
            (try await self.rankings.charity(charity, key, isGzip: false), isFinal: false)
        }
        let source = rankings.top(service) { _ in .charity(charity) }
        return try await live(request, [document, part("top", service, try wholeFeed(request, service), source)])
    }

    /// `GET /v1/campaigns/{campaign}/live`
    func campaignLive(_ request: Request, of slug: Slug) async throws -> Response {
        let service = campaigns.topService(of: slug)
        let key = campaigns.key(of: slug, isGzip: false)
        let document = LivePart(event: "campaign", key: key) {
            (try await self.campaigns.document(of: slug, key, isGzip: false), isFinal: false)
        }
        let source = campaigns.top(service, of: slug)
        return try await live(request, [document, part("top", service, try wholeFeed(request, service), source)])
    }

    /// One document of a stream, and how it is read.
    private struct LivePart: Sendable {
        let event: StaticString
        /// Its key in the ``FeedCache``.
        let key: String
        let read: @Sendable () async throws -> (FeedCache.Rendered, isFinal: Bool)
    }

    /// The feed that has the same bytes as `.json` without compression, and so is in the cache for both.
    private func part<Source: Equatable & Sendable>(
        _ event: StaticString, _ service: FeedService, _ query: FeedQuery, _ source: FeedSource<Source>
    ) -> LivePart {
        let form = FeedForm(format: .json, variesByAccept: false, isGzip: false)
        let key = feeds.key(of: service, query, form)
        return LivePart(event: event, key: key) {
            let rendered = try await self.feeds.cached(
                key, service, query, form, read: source.read, describe: source.describe)
            return (rendered, isFinal: (rendered.source as? Ranking)?.isFinal ?? false)
        }
    }

    /// The query of a feed whose stream takes no parameters.
    private func wholeFeed(_ request: Request, _ service: FeedService) throws -> FeedQuery {
        try FeedQuery(request, FeedQuery.Shape(keys: [], standardRows: service.query.standardRows), secret)
    }

    /// Opens a stream. What can never change has none: 204 tells a browser to ask no more.
    private func live(_ request: Request, _ parts: [LivePart]) async throws -> Response {
        let read: LiveTopic.Read = {
            var state: [LiveState.Part] = []
            var (isFinal, isCached) = (false, true)
            for part in parts {
                let (rendered, isFinalPart) = try await part.read()
                state.append(LiveState.Part(event: part.event, key: part.key, entity: rendered.entity))
                if isFinalPart { isFinal = true }
                if rendered.validator == nil { isCached = false }
            }
            return LiveState(parts: state, isFinal: isFinal, isCached: isCached)
        }
        let number = live.numberOfRead()
        let state = try await read()
        if state.isFinal { return Response(status: .noContent, headers: [.cacheControl: "no-store"]) }
        var response = Self.streaming
        response.events = try live.open(
            parts.map(\.key).joined(separator: " "), state, number: number, lastEventID: request.headers[.lastEventID],
            at: LivePlace(address: rates.countedAddress(of: request)), read: read)
        return response
    }

    /// `GET /v1/players/me/live`
    func myLive(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let player = try await callers.callingPlayer(request, in: nil)
        let read: LiveTopic.Read = {
            guard let version = try await self.ownVersions(of: [token])[token] else { throw Problem.unauthorized }
            let entity = try await self.profiles.ownEntity(of: self.callers.known(.token(token, claims: nil), in: nil))
            let part = LiveState.Part(event: "me", key: "", entity: entity)
            return LiveState(parts: [part], isFinal: false, isCached: false, version: version)
        }
        let number = live.numberOfRead()
        let state = try await read()
        var response = Self.streaming
        response.events = try live.open(
            "me \(Hex.text(token.bytes))", state, number: number, lastEventID: request.headers[.lastEventID],
            at: LivePlace(address: rates.countedAddress(of: request), player: player), of: token, read: read)
        return response
    }

    private func ownVersions(of tokens: [TokenHash]) async throws -> [TokenHash: Int64] {
        try await store.ownVersions(of: tokens, now: clock.now, timedBy: Limits.liveSettlingSeconds)
    }

    private static let streaming = Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .cacheControl: "no-store, no-transform", .xAccelBuffering: "no"])
}

extension FeedQuery.Shape {
    /// The stream of a board.
    static let live = FeedQuery.Shape(keys: [.window, .limit])
}

extension HTTPField.Name {
    /// The id of the last event that a client has, which it sends when it opens a stream again.
    static let lastEventID = standard("Last-Event-ID")
    /// Tells nginx, and proxies that understand it, to pass on what comes when it comes.
    static let xAccelBuffering = standard("X-Accel-Buffering")
}
