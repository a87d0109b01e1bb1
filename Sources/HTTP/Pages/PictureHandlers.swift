import Domain
import Drawings
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOPosix
import Pages
import Storage

/// The pictures that the server draws: flags, thermometers, badges and cards.
final class PictureHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let pages: PageServer
    let shown: PageHandlers
    private let painters = FairWorkers(.cardsDrawn)

    static func of(_ handlers: Handlers) -> PictureHandlers { handlers.pictures }

    init(store: Store, rankings: Rankings, pages: PageServer, shown: PageHandlers) {
        (self.store, self.rankings, self.pages, self.shown) = (store, rankings, pages, shown)
    }

    /// `GET /flags/{player}.svg` is the picture of a player without one. It never changes, and says nothing of whether
    /// there is such a player.
    func flag(_ request: Request, _ player: Player.ID) -> Response {
        Entity(bytes: Flag.svg(of: player), contentType: Self.svg, caching: .immutable, isGzip: false).response(
            to: request.headers)
    }

    /// A charity's total as a thermometer or a badge.
    func charityTotal(_ request: Request, _ path: String, _ slug: Slug, _ format: PictureFormat) async throws
        -> Response
    {
        try await total(request, path, format) {
            let (charity, _, _, validator) = try await rankings.charity(slug)
            return FeedReading(TotalPictures(charity), validator)
        }
    }

    /// A campaign's total as a thermometer or a badge.
    func campaignTotal(_ request: Request, _ path: String, _ slug: Slug, _ format: PictureFormat) async throws
        -> Response
    {
        try await total(request, path, format) {
            let reading = try await shown.campaigns.campaign(slug) { _ in 0 }
            guard let pictures = TotalPictures(reading.shown) else { throw Problem.noCampaignTotal }
            return FeedReading(pictures, reading.validator)
        }
    }

    /// A total as SVG, or as PNG with two pixels for each one of the page.
    private func total(
        _ request: Request, _ path: String, _ format: PictureFormat, read: () async throws -> FeedReading<TotalPictures>
    ) async throws -> Response {
        let query = try PageQuery(request, .picture)
        let contentType = format == .svg ? Self.svg : Self.png
        return try await picture(request, path: path, query, contentType, namesNobody: true, read: read) {
            pictures, context in
            switch (format, query.shape) {
            case (.svg, .thermometer): pictures.thermometer(in: context, query.style).svg()
            case (.svg, .badge): pictures.badge(in: context, query.style).svg()
            case (.png, .thermometer): try await self.draw { pictures.thermometer(in: context, query.style).png(.two) }
            case (.png, .badge): try await self.draw { pictures.badge(in: context, query.style).png(.two) }
            }
        }
    }

    /// `GET /games/{game}/awards/{award}.svg` or `.png`: the badge of an award.
    func awardBadge(_ request: Request, in game: Slug, _ award: Slug, picture: PictureFormat?) async throws -> Response
    {
        guard let format = picture else { throw Problem.noRoute }
        let query = try PageQuery(request)
        let path = Routes.pages.awardBadge.path(game, award, format)
        let contentType = format == .svg ? Self.svg : Self.png
        return try await self.picture(request, path: path, query, contentType, namesNobody: true) {
            let validator = rankings.awardValidator
            guard let found = try await store.findAward(award, in: game) else { throw Problem.noAward }
            return FeedReading(AwardBadge(name: found.award.name.description, slug: award), validator)
        } draw: { badge, _ in
            switch format {
            case .svg: badge.svg()
            case .png: try await self.draw { badge.png(.two) }
            }
        }
    }

    /// `GET /cards/players/{player}.png`
    func playerCard(_ request: Request, _ id: Player.ID) async throws -> Response {
        let query = try PageQuery(request)
        return try await picture(request, path: Routes.pages.playerCard.path(id), query, Self.png) {
            let (page, validator) = try await shown.playerPage(of: id)
            return FeedReading(page, validator)
        } draw: { page, context in
            let portraits = try await self.portraits(Set([page.picture].compactMap(\.self)))
            let portrait = page.picture.flatMap { portraits[$0] } ?? .flag(id)
            return try await self.draw { page.card(in: context, portrait: portrait).png() }
        }
    }

    /// `GET /cards/boards/{game}/{board}.png`
    func boardCard(_ request: Request, in slug: Slug, _ board: Slug) async throws -> Response {
        let query = try PageQuery(request)
        return try await picture(request, path: Routes.pages.boardCard.path(slug, board), query, Self.png) {
            let versions = rankings.versions
            guard let game = try await rankings.listedGames().first(where: { $0.slug == slug }) else {
                throw Problem.noGame
            }
            let (table, validator) = try await shown.leaders(of: board, in: game, since: versions)
            guard let table else { throw Problem.noBoard }
            return FeedReading(table, validator)
        } draw: { table, context in
            let portraits = try await self.portraits(table.pictures)
            return try await self.draw { table.card(in: context) { Self.portrait(of: $0, portraits) }.png() }
        }
    }

    private static func portrait(of standing: Standing, _ portraits: [AvatarHash: Portrait]) -> Portrait {
        guard let player = standing.player else { return .anonymous }
        return standing.avatar.flatMap { portraits[$0] } ?? .flag(player)
    }

    /// `GET /cards/charities/{charity}.png`
    func charityCard(_ request: Request, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request)
        return try await picture(request, path: Routes.pages.charityCard.path(slug), query, Self.png, namesNobody: true)
        {
            let (charity, _, _, validator) = try await rankings.charity(slug)
            return FeedReading(TotalPictures(charity), validator)
        } draw: { pictures, context in
            try await self.draw { pictures.card(in: context).png() }
        }
    }

    /// What the card of a campaign shows.
    private enum CampaignCard: Sendable, Equatable {
        case total(TotalPictures)
        case leaders(CampaignLeaders)
    }

    /// `GET /cards/campaigns/{campaign}.png`
    func campaignCard(_ request: Request, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request)
        return try await picture(request, path: Routes.pages.campaignCard.path(slug), query, Self.png) {
            () async throws -> FeedReading<CampaignCard> in
            let reading = try await shown.campaigns.campaign(slug) { $0.subject.hasGoal ? 0 : LeaderTable.rowsMax }
            if let pictures = TotalPictures(reading.shown) { return FeedReading(.total(pictures), reading.validator) }
            guard let top = reading.top else { throw Problem.noCampaign }
            return FeedReading(.leaders(CampaignLeaders(reading.shown, top)), reading.validator)
        } draw: { card, context in
            switch card {
            case .total(let pictures): return try await self.draw { pictures.card(in: context).png() }
            case .leaders(let leaders):
                let portraits = try await self.portraits(leaders.pictures)
                return try await self.draw { leaders.card(in: context) { Self.portrait(of: $0, portraits) }.png() }
            }
        }
    }

    private static let svg = "image/svg+xml"
    private static let png = "image/png"

    /// Serves a picture from the feed cache, or draws it. Its language is that of the address, and not the reader's:
    /// one picture is shown to all.
    /// - Parameter namesNobody: Whether a stale copy may answer when the queue for a new one is full.
    private func picture<Source: Equatable & Sendable>(
        _ request: Request, path: String, _ query: PageQuery, _ contentType: String, namesNobody: Bool = false,
        read: () async throws -> FeedReading<Source>, draw: (Source, PageContext) async throws -> [UInt8]
    ) async throws -> Response {
        let language = query.language ?? .english
        let context = PageContext(language: language, isLanguageChosen: false, publicURL: pages.feeds.links.publicURL)
        let isGzip = contentType == Self.svg && Entity.takesGzip(request.headers)
        let key = "picture \(language.code) \(isGzip) \(path)?\(query.canonical)"
        let rendered = try await pages.feeds.cache.feed(key, namesNobody: namesNobody, read: read) { source in
            Entity(
                bytes: try await draw(source, context), contentType: contentType, policy: .picture,
                caching: .seconds(Limits.pictureCacheSeconds), isGzip: isGzip)
        }
        return rendered.entity.response(to: request.headers)
    }

    /// Draws a PNG on the thread pool, when it is its turn.
    /// - Throws: 503 when too many wait, 404 when this machine has no fonts.
    private func draw(_ picture: @escaping @Sendable () -> [UInt8]?) async throws -> [UInt8] {
        let png = try await painters.run { try await NIOThreadPool.singleton.runIfActive(picture) }
        guard let png else { throw Problem.noFonts }
        return png
    }

    /// The uploaded pictures that cards show, by their hashes.
    private func portraits(_ hashes: Set<AvatarHash>) async throws -> [AvatarHash: Portrait] {
        try await store.avatars(hashes).compactMapValues { SmallPicture(png: $0).map(Portrait.picture) }
    }
}
