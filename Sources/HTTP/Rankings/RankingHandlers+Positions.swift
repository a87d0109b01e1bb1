import enum Contract.Reply
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// The position of a player, and of points that nobody has posted.
extension RankingHandlers {
    /// `GET /v1/games/{game}/boards/{board}/players/{player}`
    func position(_ request: Request, in game: Slug, on board: Slug, player: Player.ID) async throws -> Response {
        let query = try FeedQuery(request, .position, secret)
        return replies.cacheable(request, try await position(of: player, isOwn: false, on: board, in: game, query))
    }

    /// `GET /v1/games/{game}/boards/{board}/players/me`
    func myPosition(_ request: Request, in game: Slug, on board: Slug) async throws -> Response {
        let query = try FeedQuery(request, .position, secret)
        let player = try await callers.callingPlayer(request, in: game)
        return replies.own(.ok, try await position(of: player, isOwn: true, on: board, in: game, query))
    }

    private func position(of named: Player.ID, isOwn: Bool, on slug: Slug, in game: Slug, _ query: FeedQuery)
        async throws -> JSONTree
    {
        let board = try await rankings.board(.score(game: game, board: slug, season: query.season))
        let player = try await rankings.survivor(of: named)
        let own = isOwn ? try await rankings.findOwnPosition(of: player, on: board, window: query.window) : nil
        var position = own?.position
        if position == nil {
            position = try await rankings.findRankPosition(of: player, on: board, window: query.window)
        }
        if position == nil { try await checkExists(player, in: game) }
        let size: Int64
        if let own { size = own.size } else { size = try await rankings.size(of: board, window: query.window) }
        let tenths = position?.percentileTenths(of: size, board.ties)
        let rank = position?.rank(board.ties).number
        let reply = Reply.RankPosition(
            player: player.rawValue, rank: rank.map { Int($0) }, points: position?.points, of: Int(size),
            percentile: tenths.map { Double($0) / 10 }, toNext: position?.changeToNext(board))
        return JSONTree(reply, [Reply.RankPosition.CodingKeys.rank: .null, .points: .null])
    }

    /// `GET /v1/games/{game}/boards/{board}/rank?points=`
    func rankOfPoints(_ request: Request, in game: Slug, on slug: Slug) async throws -> Response {
        let query = try FeedQuery(request, .points, secret)
        guard let points = query.points else { throw Problem.pointsMissing }
        let board = try await rankings.board(.score(game: game, board: slug, season: query.season))
        guard board.bounds.contains(points) else { throw Problem.outOfBounds(board.bounds) }
        let position = try await rankings.pointsPosition(of: points, on: board, window: query.window)
        let size = try await rankings.size(of: board, window: query.window)
        let rank = Ranks.number(position: position.position, sharedPosition: position.sharedPosition, ties: board.ties)
        return replies.cacheable(request, Reply.PointsPosition(points: points, rank: Int(rank), of: Int(size)))
    }

    /// Tells a player without a row, who is no error, from an unknown one.
    /// - Throws: 404 when the game has no such player, or the player is hidden.
    func checkExists(_ player: Player.ID, in game: Slug) async throws {
        guard try await store.findProfile(rankings.survivor(of: player), in: game, withUnlisted: true) != nil else {
            throw try await store.noPlayer(rankings.survivor(of: player), else: Problem.noPlayerInGame)
        }
    }
}
