import HTTPTypes

extension Responder {
    /// Every `PUT`, `POST` and `PATCH`, to its handler.
    func write(_ request: Request, at route: Route) async throws -> Response {
        switch route {
        case .customers(let suffix): try await writeCustomer(request, as: nil, suffix: suffix)
        case .customer(let id, let suffix): try await writeCustomer(request, as: id, suffix: suffix)
        case .scores(let suffix): try await writeScore(request, suffix: suffix)
        case .donations(let suffix): try await writeDonation(request, suffix: suffix)
        case .highScores(let suffix): try await writeHighScore(request, suffix: suffix)
        case .device(let game, let device): try await registerDevice(request, device, in: game)
        case .gamePlayer(let game, let id): try await registerGamePlayer(request, id, in: game)
        case .me: try await changeMe(request)
        case .score(let game, let board, let id): try await recordScore(request, id, on: board, in: game)
        case .donation(let charity, let id): try await give(request, id, to: charity)
        // What is only read: `Route.methods` has refused these.
        case .home, .healthy, .ready, .metrics, .contract, .topScores, .myScores, .myDonations, .player, .avatar,
            .games, .game, .boards,
            .board,
            .boardTop, .boardPosition, .boardAround, .boardPointsRank, .charities, .charity, .charityTop,
            .contributorsTop:
            throw Problem.bug
        }
    }
}
