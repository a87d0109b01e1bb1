import enum Contract.ProblemName
package import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages

// How pages are served: the language, the cache, and the headers.
extension Responder {
    /// Serves a page from the feed cache, or renders it.
    /// - Parameters:
    ///   - path: The path, written from the values that were parsed of the request's.
    ///   - policy: What the page may load, and who may frame it.
    ///   - read: Reads what the page shows.
    ///   - render: Writes the page.
    func page<Source: Equatable & Sendable>(
        _ request: Request, _ route: any ServedRoute, path: String, _ query: PageQuery, policy: ContentPolicy = .page,
        read: () async throws -> FeedReading<Source>, render: (Source, PageContext) -> [UInt8]
    ) async throws -> Response {
        let language = query.language ?? Self.language(of: request.headers)
        let context = PageContext(
            language: language, isLanguageChosen: query.language != nil, publicURL: links.publicURL)
        let isGzip = Entity.takesGzip(request.headers)
        // The key holds what decides the bytes, and only what was parsed; no feed has a key that begins so.
        func entity(_ source: Source) -> Entity {
            Entity(
                bytes: render(source, context), contentType: "text/html; charset=utf-8", vary: .language,
                policy: policy, isGzip: isGzip)
        }
        if query.name != nil {
            return try await feeds.uncached { entity(try await read().source) }.response(to: request.headers)
        }
        let key = "page \(language.code) \(query.language != nil) \(isGzip) \(path)?\(query.canonical)"
        let rendered = try await feeds.feed(key, read: read) { entity($0) }
        if query.isPlain { remember(request, at: route, of: rendered.entity, key: key) }
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
            language: chosen ?? Self.language(of: headers), isLanguageChosen: chosen != nil, publicURL: links.publicURL)
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

    /// `GET /assets/{file}` serves the style sheet, the script and the drawings.
    func asset(_ request: Request, _ file: String) throws -> Response {
        guard let asset = PageAsset.find(file), let entity = AssetEntities.immutable.find(asset, request.headers) else {
            throw Problem.noRoute
        }
        return entity.response(to: request.headers)
    }

    /// `GET /embed.js` serves the one-line script of embeds.
    func embedScript(_ request: Request) throws -> Response { try script("embed.js", request) }

    /// `GET /causeboard.js` serves the client for games in browsers.
    func clientScript(_ request: Request) throws -> Response { try script("causeboard.js", request) }

    /// A script at an address that stays, which pages of other sites load.
    private func script(_ name: String, _ request: Request) throws -> Response {
        guard let entity = AssetEntities.scripts.find(.named(name), request.headers) else { throw Problem.noRoute }
        var response = entity.response(to: request.headers)
        CrossOrigin.open(&response)
        return response
    }

    /// `GET /privacy`
    func privacyPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request)
        return try await page(request, Routes.pages.privacyPage, path: PagePath.privacy, query) {
            FeedReading(0, rankings.donationValidator(since: rankings.versions))
        } render: { _, context in
            PrivacyPage().html(in: context)
        }
    }
}

/// The files that pages refer to as they are sent, made once.
private struct AssetEntities {
    private let plain: [String: Entity]
    private let zipped: [String: Entity]

    init(_ assets: [PageAsset], _ caching: Entity.Caching) {
        func entities(isGzip: Bool) -> [String: Entity] {
            assets.reduce(into: [:]) { entities, asset in
                entities[asset.file] = Entity(
                    bytes: asset.bytes, contentType: asset.contentType, caching: caching, isGzip: isGzip)
            }
        }
        plain = entities(isGzip: false)
        zipped = entities(isGzip: true)
    }

    static let immutable = AssetEntities(PageAsset.all, .immutable)
    static let scripts = AssetEntities(["embed.js", "causeboard.js"].map(PageAsset.named), .seconds(3_600))

    func find(_ asset: PageAsset, _ request: RequestHeaders) -> Entity? {
        (Entity.takesGzip(request) ? zipped : plain)[asset.file]
    }
}

/// Where the game at `/play` is served.
package enum PlayAvailability: Sendable {
    case always
    /// Where all these games are, as in the databases of the demo.
    case whereGamesAre(Set<Slug>)

    func isServed(where games: [ListedGame]) -> Bool {
        switch self {
        case .always: true
        case .whereGamesAre(let slugs): slugs.isSubset(of: games.map(\.slug))
        }
    }
}

extension Responder {
    /// `GET /play`: a game of twenty seconds, which posts to the board that every server has.
    func playPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request)
        let games = try await rankings.listedGames()
        guard play.isServed(where: games), let game = games.first(where: { $0.slug == .defaultGame }) else {
            throw Problem.noRoute
        }
        return try await page(request, Routes.pages.playPage, path: PagePath.play, query) {
            let versions = rankings.versions
            let (table, validator) = try await leaders(of: .highScores, in: game, since: versions)
            let (charities, charitiesValidator) = try await rankings.allCharities()
            guard let table else { throw Problem.noRoute }
            let page = PlayPage(board: table, charities: charities)
            return FeedReading(page, CacheValidator.all(of: [validator, charitiesValidator]))
        } render: { page, context in
            page.html(in: context)
        }
    }
}
