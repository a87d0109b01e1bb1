import Domain
import Leaderboard

// Refusals that say what would be accepted. They read the board, so only refused requests pay for that.
extension Responder {
    /// The problem of a post to a closed board, with the time at which it opens or closed.
    func boardClosed(_ board: Slug, in game: Slug) async throws -> Problem {
        .boardClosed(try await hours(.score(game: game, board: board, season: nil)))
    }

    /// The problem of points outside a board's bounds, with the bounds.
    func outOfBounds(_ board: Slug, in game: Slug) async throws -> Problem {
        try await rankings.findBoard(.score(game: game, board: board, season: nil)).map { .outOfBounds($0.bounds) }
            ?? .noBoard
    }

    /// The problem of a donation to a closed charity, with the time at which it opens or closed.
    func charityClosed(_ charity: Slug) async throws -> Problem { .charityClosed(try await hours(.charity(charity))) }

    private func hours(_ subject: Rankings.Subject) async throws -> Problem.OpeningHours? {
        guard let board = try await rankings.findBoard(subject) else { return nil }
        return Problem.OpeningHours(opensAt: board.opensAt, closesAt: board.closesAt, now: clock.now)
    }
}
