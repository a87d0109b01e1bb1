import Domain
import Leaderboard
import Storage

// Refusals that say what would be taken: they cost a look at the board, which who is not refused does not pay.
extension Responder {
    /// Why a board takes no posts now.
    func boardClosed(_ board: Slug, in game: Slug) async throws -> Problem {
        Problem(
            .boardClosed,
            "The board takes no posts now. \(try await hours(.score(game: game, board: board, season: nil)))",
            field: "board"
        )
    }

    /// Which points a board takes.
    func outOfBounds(_ board: Slug, in game: Slug) async throws -> Problem {
        guard let found = try await rankings.findBoard(.score(game: game, board: board, season: nil)) else {
            return Self.noBoard
        }
        return Problem.outOfBounds(found.bounds)
    }

    /// Why a charity takes no donations now.
    func charityClosed(_ charity: Slug) async throws -> Problem {
        Problem(
            .charityClosed,
            "The charity takes no gifts now. \(try await hours(.charity(charity)))",
            field: "charity"
        )
    }

    static func overspent(_ field: String) -> Problem {
        Problem(.overspent, "This is more than there is to give. Give at most what was earned.", field: field)
    }

    private func hours(_ subject: Rankings.Subject) async throws -> String {
        guard let board = try await rankings.findBoard(subject) else { return "" }
        if let opensAt = board.opensAt, opensAt > clock.now { return "It opens at \(opensAt.rfc3339(.seconds))." }
        return board.closesAt.map { "It closed at \($0.rfc3339(.seconds))." } ?? "Try again."
    }
}
