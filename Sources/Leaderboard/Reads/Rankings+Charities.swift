import Concurrency
package import Domain
import Storage
import Synchronization

/// The best posts of the classic board, and how the board shows equal points.
package struct HighScores: Sendable, Equatable {
    /// Best first.
    package let posts: [BestPost]
    package let ties: Board.Ties
}

// Rankings that only SQL makes. Each has one read at a time, which all who ask meanwhile share.
extension Rankings {
    /// The ten best posts of the classic board. The validator is nil while no stream is followed or the standings are
    /// stale.
    package func bestPosts() async throws -> (highScores: HighScores, validator: CacheValidator?) {
        try await highScores.value(for: "") {
            let validator = bestPostsValidator
            guard let board = try await store.findBoard(.highScores, in: .defaultGame, now: clock.now) else {
                return (HighScores(posts: [], ties: .first), validator)
            }
            let posts = try await store.bestPosts(of: board.id, limitRows: Limits.highScoresRowsMax, now: clock.now)
            return (HighScores(posts: posts, ties: board.ties), validator)
        }
    }

    /// A page of the charities by points received.
    /// - Parameter limitRows: At least 1; `.max` for all.
    package func charities(pageRequest: PageRequest, limitRows: Int) async throws -> CharityRanking {
        CharityRanking(all: try await allCharities().charities, pageRequest: pageRequest, limitRows: limitRows)
    }
}

/// The last ranking of all charities that was read.
final class CharityCache: Sendable {
    let reads = SingleFlight<(charities: [Charity], validator: CacheValidator?)>()
    private let kept = Mutex<([Charity], CacheValidator)?>(nil)

    var value: ([Charity], CacheValidator)? { kept.withLock { $0 } }

    func keep(_ charities: [Charity], _ validator: CacheValidator) { kept.withLock { $0 = (charities, validator) } }
}
