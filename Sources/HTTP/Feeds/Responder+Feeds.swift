import Domain
import Feeds
import HTTPTypes
import Leaderboard

extension Responder {
    /// `GET /TopScores.{format}`
    func topScores(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        try await feed(request, .topScores, suffix: suffix, isClassic: true) { query, format in
            let board = try await board(query.charity.map(Rankings.Subject.charity) ?? .contributors)
            let validator = try await rankings.validator(of: board, window: query.window, days: nil)
            let ranking = try await rankings.ranking(
                of: board,
                window: query.window,
                days: nil,
                pageRequest: .top,
                limitRows: query.limitRows,
                includesTotal: format.showsSize
            )
            return Feeds.Reading(.ranking(ranking), validator)
        } describe: { source, query in
            guard case .ranking(let ranking) = source else { throw Problem.bug }
            let pictures = query.pictures == .embed ? try await rankings.pictures(of: ranking) : nil
            return .topScores(ranking, embedded: pictures, query: query.canonical)
        }
    }

    /// `GET /high_scores.{format}`: its `.xml` is the plist that the 2009 clients read.
    func highScores(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        try await feed(request, FeedQuery.Shape(keys: []), suffix: suffix, isClassic: true, xmlIsPlist: true) { _, _ in
            let (posts, ties) = try await rankings.bestPosts()
            return Feeds.Reading(.posts(posts, ties), nil)
        } describe: { source, _ in
            guard case .posts(let posts, let ties) = source else { throw Problem.bug }
            return .highScores(posts, ties: ties)
        }
    }

    /// `GET …/top.{format}` of a game's board, a charity, or all charities.
    func top(_ request: Request, of subject: Rankings.Subject, path: String, suffix: FeedFormat?) async throws
        -> Response
    {
        let shape: FeedQuery.Shape = if case .score = subject { .board } else { .contributors }
        return try await feed(request, shape, suffix: suffix) { query, format in
            let board = try await board(subject.inSeason(query.season))
            if case .players(let players) = query.selection {
                let ranking = try await rankings.ranking(
                    of: board,
                    window: query.window,
                    players: players,
                    includesTotal: format.showsSize
                )
                return Feeds.Reading(.ranking(ranking), nil)
            }
            let (pageRequest, days) = try query.pageRequest(of: board.id, secret: secret)
            let validator = try await rankings.validator(of: board, window: query.window, days: days)
            let ranking = try await rankings.ranking(
                of: board,
                window: query.window,
                days: days,
                pageRequest: pageRequest,
                limitRows: query.limitRows,
                includesTotal: format.showsSize
            )
            return Feeds.Reading(.ranking(ranking), validator)
        } describe: { source, query in
            guard case .ranking(let ranking) = source else { throw Problem.bug }
            if case .players = query.selection {
                return .standings(ranking, path: path, query: query.canonical, page: query.page, showsAmong: true)
            }
            return .standings(
                ranking,
                path: path,
                query: query.canonical,
                page: query.page,
                cursors: cursors(of: ranking)
            )
        }
    }

    /// `GET /v1/charities.{format}`
    func charities(_ request: Request, suffix: FeedFormat?) async throws -> Response {
        try await feed(request, .charities, suffix: suffix) { query, _ in
            let (all, validator) = try await rankings.allCharities()
            let pageRequest = try query.pageRequest(of: nil, secret: secret).pageRequest
            return Feeds.Reading(
                .charities(CharityRanking(all: all, pageRequest: pageRequest, limitRows: query.limitRows)),
                validator
            )
        } describe: { source, query in
            guard case .charities(let ranking) = source else { throw Problem.bug }
            func cursor(_ charity: Charity?) -> String? {
                charity.flatMap {
                    secret.cursor(RankingCursor(board: nil, window: "all", days: nil, sortKey: $0.sortKey).bytes)
                }
            }
            return .charities(
                ranking,
                query: query.canonical,
                page: query.page,
                cursors: (
                    next: ranking.hasNext ? cursor(ranking.rows.last) : nil,
                    prev: ranking.hasPrevious ? cursor(ranking.rows.first) : nil
                )
            )
        }
    }

    /// `GET /v1/charities/{charity}`
    func charity(_ request: Request, _ slug: Slug) async throws -> Response {
        let all = try await rankings.charities(pageRequest: .top, limitRows: .max)
        guard let index = all.rows.firstIndex(where: { $0.slug == slug.description }) else { throw Self.noCharity }
        let charity = all.rows[index]
        return publicReply(
            request,
            .object([
                .init("slug", .text(charity.slug)), .init("name", .text(charity.name)),
                .init("rank", .integer(Int128(all.ranks[index].number))),
                .init("tied", .boolean(all.ranks[index].isTied)),
                .init("of", .integer(Int128(all.size))),
                .init("points", .integer(charity.points)),
                .init("contributors", .integer(Int128(charity.contributors))),
                .init("goal", charity.goal.map { .integer(Int128($0)) } ?? .none),
                .init("progress", charity.progressTenths.map(Value.tenths) ?? .none),
                .init("url", charity.url.map(Value.link) ?? .none),
                .init("description", .text(ifAny: charity.description)),
                .init("reached_at", .instant(ifAny: charity.reachedAt)),
                .init("opens_at", .instant(ifAny: charity.opensAt)),
                .init("closes_at", .instant(ifAny: charity.closesAt)),
                .init("final", .boolean(charity.isFinal)),
            ])
        )
    }

    /// - Throws: 404 when there is no such game, board, season or charity.
    func board(_ subject: Rankings.Subject) async throws -> Board {
        if let board = try await rankings.findBoard(subject) { return board }
        switch subject {
        case .score(_, _, .some):
            throw Problem(.notFound, "There is no such game or board, or the board had no such season.")
        case .score: throw Self.noBoard
        case .charity: throw Self.noCharity
        case .contributors: throw Problem.bug
        }
    }

    static let noBoard = Problem(.notFound, "There is no such game or board. Name them by their slugs.")
    static let noCharity = Problem(.notFound, "There is no such charity. Name it by its slug.", field: "charity")

    private func cursors(of ranking: Ranking) -> (next: String?, prev: String?) {
        func cursor(_ row: Standing?) -> String? {
            row.flatMap { row in
                secret.cursor(
                    RankingCursor(
                        board: ranking.board.id,
                        window: ranking.window.name,
                        days: ranking.days,
                        sortKey: row.sortKey
                    ).bytes
                )
            }
        }
        return (
            ranking.hasNext ? cursor(ranking.rows.last) : nil, ranking.hasPrevious ? cursor(ranking.rows.first) : nil
        )
    }

    typealias Feeds = FeedCache<FeedSource, Entity>

    /// The way of every feed: format, query, rows, bytes.
    /// - Parameters:
    ///   - isPrivate: The address means something else to everybody.
    ///   - isKept: Others will ask for the same soon.
    ///   - read: What the feed shows.
    ///   - describe: The feed of that.
    func feed(
        _ request: Request,
        _ shape: FeedQuery.Shape,
        suffix: FeedFormat?,
        isClassic: Bool = false,
        xmlIsPlist: Bool = false,
        isPrivate: Bool = false,
        isKept: Bool = true,
        _ read: (FeedQuery, FeedFormat) async throws -> Feeds.Reading,
        describe: (FeedSource, FeedQuery) async throws -> Feed
    ) async throws -> Response {
        let format = try FeedFormat.chosen(suffix: suffix, accept: request.headers[.accept], isClassic: isClassic)
        let query = try FeedQuery(request, shape)
        let isGzip = Entity.takesGzip(request.headers)
        func render(_ source: FeedSource) async throws -> Entity {
            let feed = try await describe(source, query)
            return Entity(
                bytes: feed.bytes(xmlIsPlist && format == .xml ? .plist : format, links: links),
                contentType: format.contentType,
                variesByAccept: suffix == nil,
                isGzip: isGzip
            )
        }
        var isShared = isKept && !isPrivate
        if case .players = query.selection { isShared = false }
        let found: Entity
        if isShared {
            // The format, the coding, and of the query what is known of it.
            let key = "\(format.rawValue) \(suffix == nil) \(isGzip) \(request.path)?\(query.canonical)&\(query.page)"
            found = try await feeds.feed(key, read: { try await read(query, format) }, render: render)
            keepAddress(request, of: found, key: key)
        } else {
            found = try await render(read(query, format).source)
        }
        var response = found.response(to: request.headers)
        if case .players = query.selection { response.headers[.cacheControl] = "no-store" }
        if isPrivate { response.headers[.cacheControl] = "private, no-store" }
        return response
    }
}

/// What a feed shows.
enum FeedSource: Equatable {
    case ranking(Ranking)
    case charities(CharityRanking)
    case posts([Post], Board.Ties)
}

extension Rankings.Subject {
    /// The same board in the season that the query names.
    func inSeason(_ season: Int32?) -> Rankings.Subject {
        guard case .score(let game, let board, _) = self else { return self }
        return .score(game: game, board: board, season: season)
    }
}

extension FeedFormat {
    /// Only these say how many are ranked in all, or turn pages both ways, which costs a count.
    var showsSize: Bool { self == .json || self == .html || self == .atom }
}
