import enum Contract.Reply
import struct Contract.Timestamp
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
        let games = try await store.listedGames().map { JSONTree.object(members(of: $0)) }
        return replies.cacheable(request, .object([.init("games", .list(games))]))
    }

    /// `GET /v1/games/{game}`
    func game(_ request: Request, _ slug: Slug) async throws -> Response {
        let game = try await listing(of: slug)
        let boards = try await store.admin.boards(of: slug).map { JSONTree(reply($0, in: slug)) }
        return replies.cacheable(request, .object(members(of: game) + [.init("boards", .list(boards))]))
    }

    /// `GET /v1/games/{game}/boards`
    func boards(_ request: Request, of slug: Slug) async throws -> Response {
        _ = try await listing(of: slug)
        let boards = try await store.admin.boards(of: slug).map { JSONTree(reply($0, in: slug)) }
        return replies.cacheable(request, .object([.init("boards", .list(boards))]))
    }

    /// `GET /v1/games/{game}/boards/{board}`
    func boardSettings(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        guard let board = try await store.admin.findBoardListing(slug, in: game) else { throw Problem.noBoard }
        let newest = try await store.seasons(of: slug, in: game, countMax: Limits.seasonsListedMax)
        let seasons = newest.map { season in
            JSONTree.object([
                .init("season", .integer(Int128(season.number))), .init("ended_at", .instant(ifAny: season.endedAt)),
            ])
        }
        let members = JSONTree(reply(board, in: game)).members
        return replies.cacheable(request, .object(members + [.init("seasons", .list(seasons))]))
    }

    private func listing(of slug: Slug) async throws -> ListedGame {
        guard let game = try await store.listedGames(slug).first else { throw Problem.noGame }
        return game
    }

    /// A game with what it offers to players.
    private func members(of game: ListedGame) -> [JSONTree.Member] {
        [
            .init("slug", .text(game.slug.description)), .init("name", .text(game.name)),
            .init("friends", .text(game.friends.rawValue)), .init("teams", .text(game.teams.rawValue)),
            .init("flags", .boolean(game.flags)), .init("plans", .boolean(game.plans)),
            .init("challenges", .text(game.challenges.rawValue)), .init("stake_max", .integer(Int128(game.stakeMax))),
        ]
    }

    private func reply(_ board: BoardListing, in game: Slug) -> Reply.BoardSettings {
        let policy: Reply.BoardSettings.Policy =
            switch board.policy {
            case .best: .best
            case .latest: .latest
            case .sum: .sum
            }
        return Reply.BoardSettings(
            game: game.description, slug: board.slug, name: board.name.description, season: Int(board.season),
            order: board.lowestFirst ? .lowest : .highest, policy: policy, pointsMin: board.pointsMin,
            pointsMax: board.pointsMax, zone: board.zone, ties: .init(rawValue: board.ties.rawValue),
            earns: board.earning.description, earnMax: board.earnMax, earnDay: board.earnDay,
            display: .init(rawValue: board.display.rawValue), unit: board.unit?.description,
            trust: .init(rawValue: board.trust.rawValue), details: .init(rawValue: board.details.rawValue),
            teams: board.teams.description, countries: board.countries.description,
            seasonEvery: board.seasonEvery.rawValue, nextSeasonOn: board.nextSeasonOn?.isoDate,
            opensAt: board.opensAt.map(Timestamp.init), closesAt: board.closesAt.map(Timestamp.init),
            final: board.closesAt.map { $0 <= clock.now } ?? false)
    }
}
