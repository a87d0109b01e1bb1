import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard

/// How a feed is requested and served.
struct FeedService {
    let route: any ServedRoute
    /// The path without a suffix, written from the values that were parsed of the request's.
    let path: String
    /// The parameters that its query may have.
    let query: FeedQuery.Shape
    /// The same address answers each player differently, so the response is not shared.
    var isPrivate = false
    /// The feed is worth caching, because others will request it soon. One that is not has few rows or takes turns.
    var isCached = true
    /// A feed that is not cached is written at once, on the event loop of the request, up to so many rows.
    var rowsAtOnceMax = Limits.feedRowsAtOnceMax
    /// The path of the page that shows the same to people; nil where there is none.
    var page: String?
    /// The format `xml` is written as a plist.
    var xmlIsPlist = false
}

/// How a feed is written.
struct FeedForm {
    let format: FeedFormat
    /// Whether `Accept` chose the format, because the path has no suffix.
    let variesByAccept: Bool
    let isGzip: Bool
}

/// What a feed shows, for those who read it again and again.
struct FeedSource<Source: Equatable & Sendable> {
    /// Reads what it shows.
    let read: @Sendable (FeedQuery, FeedFormat) async throws -> FeedReading<Source>
    /// Makes the feed from what was read.
    let describe: @Sendable (Source, FeedQuery) async throws -> Feed
}

/// Serves feeds from the cache, or reads the rows and writes the feed.
final class FeedServer: Sendable {
    let cache: FeedCache
    let links: FeedLinks
    let secret: Secret
    let requests = FeedRequestCache()

    init(_ cache: FeedCache, links: FeedLinks, secret: Secret) {
        (self.cache, self.links, self.secret) = (cache, links, secret)
    }

    /// Serves a feed: chooses the format, reads the query, reads the rows and renders them.
    /// - Parameters:
    ///   - read: Reads what the feed shows.
    ///   - describe: Makes the feed from what was read.
    func serve<Source: Equatable & Sendable>(
        _ request: Request, _ service: FeedService, suffix: FeedFormat?,
        read: (FeedQuery, FeedFormat) async throws -> FeedReading<Source>,
        describe: (Source, FeedQuery) async throws -> Feed
    ) async throws -> Response {
        let format = try FeedFormat.chosen(
            suffix: suffix, accept: request.headers[.accept], isClassic: service.route.audience.isClassic)
        let query = try FeedQuery(request, service.query, secret)
        let form = FeedForm(format: format, variesByAccept: suffix == nil, isGzip: Entity.takesGzip(request.headers))
        let entity: Entity
        if service.isCached, !service.isPrivate, !query.asksForPlayers {
            let key = key(of: service, query, form)
            entity = try await cached(key, service, query, form, read: read, describe: describe).entity
            if query.isPlain { remember(request, at: service.route, of: entity, key: key) }
        } else if !service.isCached, query.limitRows <= service.rowsAtOnceMax {
            entity = self.entity(of: try await describe(read(query, format).source, query), service, form)
        } else {
            entity = try await cache.uncached {
                self.entity(of: try await describe(read(query, format).source, query), service, form)
            }
        }
        var response = entity.response(to: request.headers)
        if query.asksForPlayers { response.headers[.cacheControl] = "no-store" }
        if service.isPrivate { response.headers[.cacheControl] = "private, no-store" }
        return response
    }

    /// A feed from the cache, or rendered now.
    func cached<Source: Equatable & Sendable>(
        _ key: String, _ service: FeedService, _ query: FeedQuery, _ form: FeedForm,
        read: (FeedQuery, FeedFormat) async throws -> FeedReading<Source>,
        describe: (Source, FeedQuery) async throws -> Feed
    ) async throws -> FeedCache.Rendered {
        try await cache.feed(key, read: { try await read(query, form.format) }) { content in
            entity(of: try await describe(content, query), service, form)
        }
    }

    /// A feed's key in the ``FeedCache``. It holds what decides the bytes, and only what was parsed: the format, the
    /// coding, the path, and the known part of the query. Whatever else a request says names no other feed.
    func key(of service: FeedService, _ query: FeedQuery, _ form: FeedForm) -> String {
        "\(form.format.rawValue) \(form.variesByAccept) \(form.isGzip) \(service.path)?\(query.canonical)&\(query.page)"
    }

    private func entity(of feed: Feed, _ service: FeedService, _ form: FeedForm) -> Entity {
        var feed = feed
        if let page = feed.pagePath ?? service.page {
            let window = feed.head?.window ?? Window.all.name
            feed.pagePath = window == Window.all.name ? page : page + "?window=" + window
        }
        return Entity(
            bytes: feed.bytes(service.xmlIsPlist && form.format == .xml ? .plist : form.format, links: links),
            contentType: form.format.contentType, vary: form.variesByAccept ? .format : .nothing,
            policy: form.format == .html ? .feed : nil, isGzip: form.isGzip)
    }
}

extension FeedQuery {
    /// True when the query asks for the rows of some players instead of a page.
    var asksForPlayers: Bool { if case .players = selection { true } else { false } }

    /// Whether cursors lead to the pages after and before. Chosen players and teams have none.
    var hasCursors: Bool { team == nil && !asksForPlayers }
}

extension FeedFormat {
    /// True for the formats that show the number of ranked rows or page both ways; the number may cost a count.
    var showsSize: Bool { self == .json || self == .html || self == .atom }

    /// True for the formats whose rows have the details of scores.
    var showsDetails: Bool { self != .html }
}
