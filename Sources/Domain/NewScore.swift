package import FoundationEssentials

/// A score that is to be recorded: parsed, and judged only against the books.
package struct NewScore: Sendable {
    package let player: Player.ID
    /// The client's own, or one that was made for it.
    package let id: UUID
    package let game: Game.ID
    package let board: Slug
    package let points: Int64
    /// What the client says; shown, never ranks.
    package let playedAt: Instant?
    /// The name it came with, if that is not simply the player's.
    package let name: PlayerName?
    /// The classic protocol: equal scores of one device earn once a UTC day.
    package let isClassic: Bool
    /// The client sent no id: an equal row of the last 60 s is the same post.
    package let isIDless: Bool
    /// When it arrived, on the server's clock.
    package let reachedAt: Instant

    package init(
        player: Player.ID, id: UUID, game: Game.ID, board: Slug, points: Int64, playedAt: Instant?, name: PlayerName?, isClassic: Bool,
        isIDless: Bool,
        reachedAt: Instant
    ) {
        self.player = player
        self.id = id
        self.game = game
        self.board = board
        self.points = points
        self.playedAt = playedAt
        self.name = name
        self.isClassic = isClassic
        self.isIDless = isIDless
        self.reachedAt = reachedAt
    }
}

/// What became of one score of a batch. Expected outcomes are values that the statement returns, not errors.
package enum ScoreOutcome: String, Sendable {
    case recorded, retry, conflict
    case noPlayer = "no-player"
    case noBoard = "no-board"
    case boardClosed = "board-closed"
    case outOfBounds = "out-of-bounds"
}

/// What the books say of a score after its batch.
package struct ScoreReceipt: Sendable, Equatable {
    package let outcome: ScoreOutcome
    /// The id under which it is recorded.
    package let id: UUID
    package let board: Board.ID?
    package let points: Int64
    package let earned: Int64
    /// The player's standing on the board now; nil when there is none.
    package let best: Int64?
    package let improved: Bool
    /// What the player can give now.
    package let left: Int64?

    package init(
        outcome: ScoreOutcome, id: UUID, board: Board.ID?, points: Int64, earned: Int64, best: Int64?, improved: Bool, left: Int64?
    ) {
        self.outcome = outcome
        self.id = id
        self.board = board
        self.points = points
        self.earned = earned
        self.best = best
        self.improved = improved
        self.left = left
    }
}
