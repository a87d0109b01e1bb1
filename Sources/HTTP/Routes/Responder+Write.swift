import HTTPTypes
import Hummingbird

extension Responder {
    /// Every `PUT`, `POST` and `PATCH`, to its handler.
    func write(_ request: Request, at route: Route, _ context: ClientContext) async throws -> Response {
        switch route {
        case .customers(let suffix): try await writeCustomer(request, context, as: nil, suffix: suffix)
        case .customer(let id, let suffix): try await writeCustomer(request, context, as: id, suffix: suffix)
        case .scores(let suffix): try await writeScore(request, context, suffix: suffix)
        case .donations(let suffix): try await writeDonation(request, context, suffix: suffix)
        case .highScores(let suffix): try await writeHighScore(request, context, suffix: suffix)
        case .device(let game, let device): try await registerDevice(request, context, device, in: game)
        case .gamePlayer(let game, let id): try await registerGamePlayer(request, context, id, in: game)
        case .me: try await changeMe(request, context)
        case .score(let game, let board, let id): try await recordScore(request, context, id, on: board, in: game)
        case .donation(let charity, let id): try await give(request, context, id, to: charity)
        // What is only read: `Route.methods` has refused these.
        case .home, .healthy, .ready, .metrics, .contract, .topScores, .myScores, .myDonations, .player, .avatar, .games, .game, .boards,
            .board,
            .boardTop, .boardPlace, .boardAround, .boardPoints, .charities, .charity, .charityTop, .contributorsTop:
            throw Problem.bug
        }
    }
}
