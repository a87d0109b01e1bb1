import Domain
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

extension Responder {
    /// Every `GET`, to its handler.
    func read(_ request: Request, at route: Route) async throws -> Response {
        switch route {
        case .home: Response(status: .seeOther, headers: [.location: "/TopScores.html"])
        case .healthy: Self.plain("ok\n")
        case .ready: try await readiness()
        case .metrics: Self.plain(metrics)
        case .contract:
            Entity(
                bytes: Contract.openAPI,
                contentType: "application/yaml",
                variesByAccept: false,
                isGzip: Entity.takesGzip(request.headers)
            ).response(to: request.headers)
        case .customer(let id, let suffix): try await customer(request, id, suffix: suffix)
        case .highScores(let suffix): try await highScores(request, suffix: suffix)
        case .topScores(let suffix): try await topScores(request, suffix: suffix)
        case .me: try await me(request)
        case .myScores: try await myScores(request)
        case .myDonations: try await myDonations(request)
        case .player(let id): try await player(request, id)
        case .avatar(let hash): try await avatar(request, hash)
        case .games: try await games(request)
        case .game(let game): try await self.game(request, game)
        case .boards(let game): try await boards(request, of: game)
        case .board(let game, let board): try await self.board(request, board, in: game)
        case .score(let game, let board, let id): try await scoreReceipt(request, id, on: board, in: game)
        case .donation(let charity, let id): try await donationReceipt(request, id, to: charity)
        case .boardTop(let game, let board, let suffix):
            try await top(
                request,
                of: .score(game: game, board: board, season: nil),
                path: "/v1/games/\(game)/boards/\(board)/top",
                suffix: suffix
            )
        case .boardPosition(let game, let board, let who): try await position(request, of: who, on: board, in: game)
        case .boardAround(let game, let board, let who, let suffix):
            try await around(request, of: who, on: board, in: game, suffix: suffix)
        case .boardPointsRank(let game, let board): try await pointsPlace(request, on: board, in: game)
        case .charities(let suffix): try await charities(request, suffix: suffix)
        case .charity(let slug): try await charity(request, slug)
        case .charityTop(let slug, let suffix):
            try await top(request, of: .charity(slug), path: "/v1/charities/\(slug)/top", suffix: suffix)
        case .contributorsTop(let suffix):
            try await top(request, of: .contributors, path: "/v1/contributors/top", suffix: suffix)
        // What is only written to: `Route.methods` has refused these.
        case .customers, .scores, .donations, .device, .gamePlayer: throw Problem.bug
        }
    }

    /// Ready is who can reach a database that takes writes.
    private func readiness() async throws -> Response {
        guard try await !store.serverVersion().isReadOnly else { throw StoreError.unavailable }
        return Self.plain("ok\n")
    }

    private static func plain(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ByteBuffer(string: text)
        )
    }
}
