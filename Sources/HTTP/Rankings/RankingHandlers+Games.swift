import enum Contract.Keys
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Games and boards: the settings that a client needs.
extension RankingHandlers {
    /// `GET /v1/games`
    func games(_ request: Request) async throws -> Response {
        let games = try await store.admin.games().map { game in
            JSONTree.object([.init("slug", .text(game.slug)), .init("name", .text(game.name))])
        }
        return replies.cacheable(request, .object([.init("games", .list(games))]))
    }

    /// `GET /v1/games/{game}`
    func game(_ request: Request, _ slug: Slug) async throws -> Response {
        let game = try await listing(of: slug)
        let boards = try await store.admin.boards(of: slug).map(tree)
        return replies.cacheable(
            request,
            .object([.init("slug", .text(game.slug)), .init("name", .text(game.name)), .init("boards", .list(boards))]))
    }

    /// `GET /v1/games/{game}/boards`
    func boards(_ request: Request, of slug: Slug) async throws -> Response {
        _ = try await listing(of: slug)
        return replies.cacheable(request, .object([.init("boards", .list(try await store.admin.boards(of: slug).map(tree)))]))
    }

    /// `GET /v1/games/{game}/boards/{board}`
    func boardSettings(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        guard let board = try await store.admin.boards(of: game).first(where: { $0.slug == slug.description }) else {
            throw Problem.noBoard
        }
        let seasons = try await store.seasons(of: slug, in: game).map { season in
            JSONTree.object([
                .init("season", .integer(Int128(season.number))), .init("ended_at", .instant(ifAny: season.endedAt)),
            ])
        }
        return replies.cacheable(request, .object(members(board) + [.init("seasons", .list(seasons))]))
    }

    private func listing(of slug: Slug) async throws -> GameListing {
        guard let game = try await store.admin.games().first(where: { $0.slug == slug.description }) else {
            throw Problem.noGame
        }
        return game
    }

    private func tree(_ board: BoardListing) -> JSONTree { .object(members(board)) }

    private func members(_ board: BoardListing) -> [JSONTree.Member] {
        [
            .init(Keys.BoardSettings.game, .text(ifAny: board.game)), .init(Keys.BoardSettings.slug, .text(board.slug)),
            .init(Keys.BoardSettings.name, .text(board.name)),
            .init(Keys.BoardSettings.season, .integer(Int128(board.season))),
            .init(Keys.BoardSettings.order, .text(board.lowestFirst ? "lowest" : "highest")),
            .init(Keys.BoardSettings.policy, .text(board.policy.rawValue)),
            .init(Keys.BoardSettings.pointsMin, .integer(Int128(board.pointsMin))),
            .init(Keys.BoardSettings.pointsMax, .integer(Int128(board.pointsMax))),
            .init(Keys.BoardSettings.zone, .text(board.zone)), .init("ties", .text(board.ties.rawValue)),
            .init("earns", .text(board.earns + (board.earnsFixed.map { ":\($0)" } ?? ""))),
            .init("earn_max", board.earnMax.map { .integer(Int128($0)) } ?? .none),
            .init("earn_day", board.earnDay.map { .integer(Int128($0)) } ?? .none),
            .init("display", .text(board.display.form.rawValue)), .init("unit", .text(ifAny: board.display.unit)),
            .init(Keys.BoardSettings.trust, .text(board.trust.rawValue)),
            .init(Keys.BoardSettings.details, .text(board.details.rawValue)),
            .init(Keys.BoardSettings.opensAt, .instant(ifAny: board.opensAt)),
            .init(Keys.BoardSettings.closesAt, .instant(ifAny: board.closesAt)),
            .init(Keys.BoardSettings.final, .boolean(board.closesAt.map { $0 <= clock.now } ?? false)),
        ]
    }
}
