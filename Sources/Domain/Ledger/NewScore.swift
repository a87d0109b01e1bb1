package import FoundationEssentials

/// A score to be recorded: parsed, but not yet checked against the database.
package struct NewScore: Sendable {
    package let caller: Caller
    /// The client's id, or one that was generated because the client sent none.
    package let id: UUID
    package let game: Slug
    package let board: Slug
    package let points: Int64
    /// When the client says that it was played; shown, but never used for ranking.
    package let playedAt: Instant?
    /// Any JSON without insignificant white space, at most `Limits.detailBytesMax` bytes, which the HTTP module checks.
    package let detail: String?
    /// The name that was sent with the score; nil when it is simply the player's name.
    package let name: PlayerName?
    /// The score came by the classic protocol: equal scores of one player on one board earn once a UTC day.
    package let isClassic: Bool
    /// The client sent no idempotency key (its own id), so an equal row within 60 s counts as the same post.
    package let hasNoClientID: Bool
    /// What vouches for the score.
    package let authenticity: Authenticity
    /// When it arrived, by the server's clock.
    package let reachedAt: Instant

    /// Whether the board is the one that classic clients read.
    package var isOnClassicBoard: Bool { game == .defaultGame && board == .highScores }

    package enum Authenticity: Sendable {
        /// The game posted it with its key.
        case key
        /// The player's token signed it.
        case signed
        /// It came with the player's token alone, or by the classic protocol.
        case unsigned
    }

    /// - Parameters:
    ///   - id: The client's id; nil when it sent none.
    ///   - isClassic: Whether the score came by the classic protocol.
    ///   - isSigned: Whether the player's token signed the score. A game's key needs no signature.
    package init(
        _ points: Int64, by caller: Caller, on board: Slug, in game: Slug, id: UUID?, playedAt: Instant? = nil,
        detail: String? = nil, name: PlayerName? = nil, isClassic: Bool = false, isSigned: Bool = false,
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
        self.hasNoClientID = id == nil
        authenticity = caller.key != nil ? .key : isSigned ? .signed : .unsigned
        self.reachedAt = reachedAt
    }
}

/// What became of one score of a batch. Expected outcomes are values that the statement returns, not errors.
package enum ScoreOutcome: String, Sendable {
    case recorded, retry, conflict
    /// The row was not judged and goes into a later batch: the player has an earlier row in this one, or the batch
    /// could not lock the player, because another transaction holds the lock or the player is newer than the locks.
    case deferred
    /// There is no such token or key, or the token belongs to a player of another game.
    case unauthorized
    /// The key belongs to another game, or the token to another player.
    case forbidden
    /// The key may not do this.
    case scope
    /// The game does not accept this classic call.
    case protocolClosed = "protocol-closed"
    /// The device has a bearer token, so its id alone no longer authenticates it.
    case tokenNeeded = "token-needed"
    case noPlayer = "no-player"
    case noBoard = "no-board"
    /// The board takes signed posts only, and this is none.
    case unsigned
    /// Only the game's key posts to the board.
    case serverOnly = "server-only"
    case boardClosed = "board-closed"
    case outOfBounds = "out-of-bounds"
    /// The player may not write.
    case banned
    /// The score would be held, and too many of the player are.
    case tooManyHeld = "too-many-held"
}

/// What the database answers for one score of a batch.
package struct ScoreReceipt: Sendable, Equatable {
    package let outcome: ScoreOutcome
    /// Nil when the caller is unknown.
    package let player: Player.ID?
    /// The id under which the score is recorded.
    package let id: UUID
    package let board: Board.ID?
    package let ties: Board.Ties?
    package let points: Int64
    package let earned: Int64
    /// The player's points on the board after this batch; nil when the player has none.
    package let best: Int64?
    package let improved: Bool
    /// Points that the player can donate now.
    package let balance: Int64?
    /// What the player is told of the score.
    package let state: LedgerState
    /// The player's place on the board, where it is not the one that everybody sees.
    package let own: SortKey?

    package init(
        outcome: ScoreOutcome, player: Player.ID?, id: UUID, board: Board.ID?, ties: Board.Ties?, points: Int64,
        earned: Int64, best: Int64?, improved: Bool, balance: Int64?, state: LedgerState = .counted, own: SortKey? = nil
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
        self.state = state
        self.own = own
    }
}
