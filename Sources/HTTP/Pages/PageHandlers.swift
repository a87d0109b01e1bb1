import enum Contract.ProblemName
import Credentials
package import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages
import Storage

/// Pages for people.
final class PageHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let pages: PageServer
    let play: PlayAvailability

    init(
        store: Store, rankings: Rankings, secret: Secret, clock: ServerClock, pages: PageServer, play: PlayAvailability
    ) {
        (self.store, self.rankings, self.secret, self.clock, self.pages) = (store, rankings, secret, clock, pages)
        self.play = play
    }

    static func of(_ handlers: Handlers) -> PageHandlers { handlers.pages }

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
        return try await pages.serve(request, Routes.pages.privacyPage, path: Routes.pages.privacyPage.path(), query) {
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

extension PageHandlers {
    /// `GET /play`: a game of twenty seconds, which posts to the board that every server has.
    func playPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request)
        let games = try await rankings.listedGames()
        guard play.isServed(where: games), let game = games.first(where: { $0.slug == .defaultGame }) else {
            throw Problem.noRoute
        }
        return try await pages.serve(request, Routes.pages.playPage, path: Routes.pages.playPage.path(), query) {
            let versions = rankings.versions
            let (table, validator) = try await leaders(of: .highScores, in: game, since: versions)
            let (charities, charitiesValidator) = try await rankings.allCharities()
            guard let table else { throw Problem.noRoute }
            let page = PlayPage(
                board: table, charities: charities, hasFriends: game.friends != .off,
                hasChallenges: game.challenges != .off)
            return FeedReading(page, CacheValidator.all(of: [validator, charitiesValidator]))
        } render: { page, context in
            page.html(in: context)
        }
    }
}
