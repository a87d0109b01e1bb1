import Domain
import Feeds
import HTTPTypes
import Leaderboard
import Storage

extension Responder {
    /// `GET /v1/games/{game}/boards/{board}/players/{id}`
    func position(_ request: Request, of who: Route.Who, on slug: Slug, in game: Slug) async throws -> Response {
        let query = try FeedQuery(request, .position)
        let player = try await player(request, who, in: game)
        let board = try await board(.score(game: game, board: slug, season: query.season))
        let position = try await rankings.findRankPosition(of: player, on: board, window: query.window)
        if position == nil { try await checkExists(player, in: game) }
        let size = try await rankings.size(of: board, window: query.window)
        let reply = JSONTree.object([
            .init("player", .integer(Int128(player.rawValue))),
            .init("rank", position.map { .value(.integer(Int128($0.rank(board.ties).number))) } ?? .null),
            .init("points", position.map { .value(.integer($0.points)) } ?? .null),
            .init("of", .integer(Int128(size))),
            .init("percentile", position.map { .tenths($0.percentileTenths(of: size)) } ?? .none),
            .init("to_next", position?.changeToNext(board).map(Value.integer) ?? .none),
        ])
        return who == .me ? ownReply(.ok, reply) : publicReply(request, reply)
    }

    /// `GET /v1/games/{game}/boards/{board}/players/{id}/around.{format}`
    func around(_ request: Request, of who: Route.Who, on slug: Slug, in game: Slug, suffix: FeedFormat?) async throws
        -> Response
    {
        let player = try await player(request, who, in: game)
        let name = who == .me ? "me" : "\(player.rawValue)"
        return try await feed(request, .around, suffix: suffix, isPrivate: who == .me, isKept: false) { query, format in
            let board = try await board(.score(game: game, board: slug, season: query.season))
            let ranking = try await rankings.ranking(
                of: board,
                window: query.window,
                around: player,
                limitRows: query.limitRows,
                includesTotal: format.showsSize
            )
            if ranking.rows.isEmpty { try await checkExists(player, in: game) }
            return Feeds.Reading(.ranking(ranking), nil)
        } describe: { source, query in
            guard case .ranking(let ranking) = source else { throw Problem.bug }
            return .standings(
                ranking,
                path: "/v1/games/\(game)/boards/\(slug)/players/\(name)/around",
                query: query.canonical
            )
        }
    }

    /// `GET /v1/games/{game}/boards/{board}/rank?points=`
    func pointsPlace(_ request: Request, on slug: Slug, in game: Slug) async throws -> Response {
        let query = try FeedQuery(request, .points)
        guard let points = query.points else {
            throw Problem(
                .malformed,
                "points is missing. Ask for the rank of some points, such as ?points=1500.",
                field: "points"
            )
        }
        let board = try await board(.score(game: game, board: slug, season: query.season))
        guard board.bounds.contains(points) else { throw Problem.outOfBounds(board.bounds) }
        let position = try await rankings.pointsPosition(of: points, on: board, window: query.window)
        let size = try await rankings.size(of: board, window: query.window)
        let rank = Ranks.number(position: position.position, sharedPosition: position.sharedPosition, ties: board.ties)
        return publicReply(
            request,
            .object([
                .init("points", .integer(Int128(points))), .init("rank", .integer(Int128(rank))),
                .init("of", .integer(Int128(size))),
            ])
        )
    }

    /// A player without a row is known all the same.
    /// - Throws: 404 when the game has no such player, or it is hidden.
    private func checkExists(_ player: Player.ID, in game: Slug) async throws {
        guard try await store.findProfile(player, in: game) != nil else { throw Self.noPlayer }
    }
}

extension Problem {
    static func outOfBounds(_ bounds: ClosedRange<Int64>) -> Problem {
        Problem(
            .outOfBounds,
            "The points are outside the board's bounds. Send \(bounds.lowerBound) to \(bounds.upperBound).",
            field: "points"
        )
    }
}
