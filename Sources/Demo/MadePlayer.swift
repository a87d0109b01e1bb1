import Domain
import FoundationEssentials

/// A player of the demo, with all that happened.
struct MadePlayer {
    struct Score {
        let id: UUID
        /// Of the game's boards.
        let board: Int
        let points: Int64
        let earned: Int64
        let isImprovement: Bool
        let reachedAt: Instant
    }

    struct Gift {
        let id: UUID
        let charity: Int
        let points: Int64
        let isAnonymous: Bool
        let reachedAt: Instant
    }

    let id: Player.ID
    let name: String
    let country: String?
    /// Of the world's pictures.
    let picture: Int?
    var registeredAt: Instant
    /// In the order in which they came, no two at once.
    var scores: [Score] = []
    var gifts: [Gift] = []

    /// At most so many rows of `player`, `tally` and `standing` follow: a score is on one board and day, a gift on two giving boards.
    func publishedRowsMax(boards: Int) -> Int {
        1 + scores.count + min(boards, scores.count) + 4 * gifts.count
    }
}
