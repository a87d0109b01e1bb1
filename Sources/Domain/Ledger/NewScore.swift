package import FoundationEssentials

/// A score that is to be recorded: parsed, and judged only by the books.
package struct NewScore: Sendable {
    package let caller: Caller
    /// The client's own, or one that was made for it.
    package let id: UUID
    package let game: Slug
    package let board: Slug
    package let points: Int64
    /// What the client says; shown, never ranks.
    package let playedAt: Instant?
    /// Any JSON, without white space that means nothing; at most ``Limits/detailBytesMax``.
    package let detail: String?
    /// The name it came with, if that is not simply the player's.
    package let name: PlayerName?
    /// The classic protocol: equal scores of one device earn once a UTC day.
    package let isClassic: Bool
    /// The client sent no id: an equal row of the last 60 s is the same post.
    package let isIDless: Bool
    /// When it arrived, on the server's clock.
    package let reachedAt: Instant

    /// - Parameters:
    ///   - id: Nil when the client sent none.
    ///   - isClassic: The classic protocol.
    package init(
        _ points: Int64,
        by caller: Caller,
        on board: Slug,
        in game: Slug,
        id: UUID?,
        playedAt: Instant? = nil,
        detail: String? = nil,
        name: PlayerName? = nil,
        isClassic: Bool = false,
        reachedAt: Instant
    ) {
        self.caller = caller
        self.id = id ?? UUID()
        self.game = game
        self.board = board
        self.points = points
        self.playedAt = playedAt
        self.detail = detail
        self.name = name
        self.isClassic = isClassic
        self.isIDless = id == nil
        self.reachedAt = reachedAt
    }
}

/// What became of one score of a batch. Expected outcomes are values that the statement returns, not errors.
package enum ScoreOutcome: String, Sendable {
    case recorded, retry, conflict
    /// Not judged yet: the player has another row in the batch, or came after the batch had locked its players.
    case later
    /// There is no such token or key, or the token's player is of another game.
    case unauthorized
    /// The key is another game's, or the token another player's.
    case forbidden
    /// The game does not take classic calls.
    case protocolClosed = "protocol-closed"
    /// The device has a token, and is spoken for by that alone.
    case tokenNeeded = "token-needed"
    case noPlayer = "no-player"
    case noBoard = "no-board"
    case boardClosed = "board-closed"
    case outOfBounds = "out-of-bounds"
}

/// What the books say of a score after its batch.
package struct ScoreReceipt: Sendable, Equatable {
    package let outcome: ScoreOutcome
    /// Nil when the caller is not known.
    package let player: Player.ID?
    /// The id under which it is recorded.
    package let id: UUID
    package let board: Board.ID?
    package let ties: Board.Ties?
    package let points: Int64
    package let earned: Int64
    /// The player's standing on the board now; nil when there is none.
    package let best: Int64?
    package let improved: Bool
    /// What the player can give now.
    package let balance: Int64?

    package init(
        outcome: ScoreOutcome,
        player: Player.ID?,
        id: UUID,
        board: Board.ID?,
        ties: Board.Ties?,
        points: Int64,
        earned: Int64,
        best: Int64?,
        improved: Bool,
        balance: Int64?
    ) {
        self.outcome = outcome
        self.player = player
        self.id = id
        self.board = board
        self.ties = ties
        self.points = points
        self.earned = earned
        self.best = best
        self.improved = improved
        self.balance = balance
    }
}
