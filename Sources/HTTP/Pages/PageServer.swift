import enum Contract.ProblemName
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages

/// Serves pages: chooses the language, and reads and writes the page or takes it from the cache.
final class PageServer: Sendable {
    let feeds: FeedServer
    private let rankings: Rankings

    init(feeds: FeedServer, rankings: Rankings) { (self.feeds, self.rankings) = (feeds, rankings) }

    /// Serves a page from the feed cache, or renders it.
    /// - Parameters:
    ///   - path: The path, written from the values that were parsed of the request's.
    ///   - policy: What the page may load, and who may frame it.
    ///   - read: Reads what the page shows.
    ///   - render: Writes the page.
    func serve<Source: Equatable & Sendable>(
        _ request: Request, _ route: any ServedRoute, path: String, _ query: PageQuery, policy: ContentPolicy = .page,
        read: () async throws -> FeedReading<Source>, render: (Source, PageContext) -> [UInt8]
    ) async throws -> Response {
        let language = query.language ?? Self.language(of: request.headers)
        let versions = rankings.versions
        // A page that needs nothing from the database is served without it, but not cached then.
        let hasCampaigns = try? await rankings.haveCampaigns()
        let context = PageContext(
            language: language, isLanguageChosen: query.language != nil, publicURL: feeds.links.publicURL,
            hasCampaigns: hasCampaigns ?? false)
        let isGzip = Entity.takesGzip(request.headers)
        // The key holds what decides the bytes, and only what was parsed; no feed has a key that begins so.
        func entity(_ source: Source) -> Entity {
            Entity(
                bytes: render(source, context), contentType: "text/html; charset=utf-8", vary: .language,
                policy: policy, isGzip: isGzip)
        }
        if query.name != nil {
            return try await feeds.cache.uncached { entity(try await read().source) }.response(to: request.headers)
        }
        let key =
            "page \(language.code) \(query.language != nil) \(context.hasCampaigns) \(isGzip) \(path)?\(query.canonical)"
        let rendered = try await feeds.cache.feed(key) {
            let reading = try await read()
            // Every page links to the campaigns, if there are any.
            let campaigns = hasCampaigns == nil ? nil : rankings.campaignValidator(since: versions)
            return FeedReading(reading.source, CacheValidator.all(of: [reading.validator, campaigns]))
        } render: { source in
            entity(source)
        }
        if query.isPlain { feeds.remember(request, at: route, of: rendered.entity, key: key) }
        return rendered.entity.response(to: request.headers)
    }

    /// The language that `Accept-Language` prefers of those that there are, else English.
    static func language(of headers: RequestHeaders) -> Language {
        guard let header = headers[.acceptLanguage] else { return .english }
        return Accept(header).bestLanguage(of: Language.all.map(\.code)).flatMap(Language.find) ?? .english
    }

    /// The error page for a browser that opened an address of the pages.
    func errorPage(_ problem: Problem, to request: Request, requestID: String) -> Response {
        let chosen = (try? PageQuery(request))?.language
        let headers = request.headProblem == nil ? request.headers : RequestHeaders()
        let context = PageContext(
            language: chosen ?? Self.language(of: headers), isLanguageChosen: chosen != nil,
            publicURL: feeds.links.publicURL)
        let html = ErrorPage(
            status: problem.name.status.code, problem: problem.name.rawValue, detail: problem.sentence,
            request: requestID
        ).html(in: context)
        var response = problem.response(as: .json, requestID: requestID)
        response.headers[.contentType] = "text/html; charset=utf-8"
        response.headers[.contentSecurityPolicy] = ContentPolicy.page.header
        response.headers[.vary] = "Accept, Accept-Language"
        response.body = .init(bytes: html)
        return response
    }

    /// Whether a refusal is read by a person: a browser names HTML, a program seldom does.
    static func wantsPage(_ request: Request) -> Bool {
        guard request.headProblem == nil, let accept = request.headers[.accept] else { return false }
        return Accept(accept).best(of: ["application/json", "text/html"]) { [$0] } == "text/html"
    }

}
