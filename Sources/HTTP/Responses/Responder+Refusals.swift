import Domain
import Leaderboard

// Refusals that say what would be taken: they cost a look at the board, for which only those pay who are refused.
extension Responder {
    /// Why a board takes no posts now.
    func boardClosed(_ board: Slug, in game: Slug) async throws -> Problem {
        .boardClosed(try await hours(.score(game: game, board: board, season: nil)))
    }

    /// Which points a board takes.
    func outOfBounds(_ board: Slug, in game: Slug) async throws -> Problem {
        try await rankings.findBoard(.score(game: game, board: board, season: nil))
            .map { .outOfBounds($0.bounds) } ?? .noBoard
    }

    /// Why a charity takes no donations now.
    func charityClosed(_ charity: Slug) async throws -> Problem {
        .charityClosed(try await hours(.charity(charity)))
    }

    private func hours(_ subject: Rankings.Subject) async throws -> Problem.OpeningHours? {
        guard let board = try await rankings.findBoard(subject) else { return nil }
        if let opensAt = board.opensAt, opensAt > clock.now { return .opens(opensAt) }
        return board.closesAt.map(Problem.OpeningHours.closed) ?? .open
    }
}
