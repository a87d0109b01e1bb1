package import FoundationEssentials

/// What is there before a score is judged, read after the player's wallet was locked.
package struct ScoreContext: Sendable {
    package let wallet: WalletContext
    /// Nil when there is no such board.
    package let rules: ScoreRules?
    /// The day in the board's zone on which the score arrived; nil without a board.
    package let day: Day?
    package let standing: PointsReached?
    /// What the player has on the day.
    package let tally: PointsReached?
    /// What the ledger remembers; nil when nothing depends on it.
    package let recalled: RecalledScore?
    /// What the player is told; nil when that is what everybody sees.
    package let own: OwnContext?
    /// When the player posted before; nil when the board's rules do not go by that.
    package let times: PostTimes?

    package init(
        wallet: WalletContext, rules: ScoreRules?, day: Day?, standing: PointsReached?, tally: PointsReached?,
        recalled: RecalledScore?, own: OwnContext? = nil, times: PostTimes? = nil
    ) {
        self.wallet = wallet
        self.rules = rules
        self.day = day
        self.standing = standing
        self.tally = tally
        self.recalled = recalled
        self.own = own
        self.times = times
    }

    /// The player's place, as the player is told.
    var ownStanding: PointsReached? { own.map(\.standing) ?? standing }

    /// What the player has on the day, as the player is told.
    var ownTally: PointsReached? { own.map(\.tally) ?? tally }

    /// The points that the player is told it can donate; below zero when points were voided after they were donated.
    var ownBalance: Int64 { wallet.balance + (own?.secretPoints ?? 0) }
}

/// What a player has earned, and how much of it can no longer be donated.
package struct WalletContext: Sendable, Equatable {
    package let earned: Int64
    /// Points donated, held or voided.
    package let spent: Int64
    /// Whether the player may not write.
    package let isBanned: Bool
    /// Whether the player is one with another player by now, whose wallet has what was here.
    package let isMerged: Bool
    /// Whether other players are one with this one, so that the ledger may have a row under an id that is not the
    /// player's own.
    package let hasMerged: Bool
    /// How many scores of the player are held.
    package let holdsCount: Int32
    /// Until when some score is held, or was voided after that, and the player is not told; nil or past when none is.
    package let secretUntil: Instant?
    /// When the newest points may be donated; nil or past when all may.
    package let settlesAt: Instant?
    /// The player's own last posts to boards whose rules go by times, without those of who was merged into it.
    package let posts: TimedPosts

    package init(
        earned: Int64, spent: Int64, isBanned: Bool = false, isMerged: Bool = false, hasMerged: Bool = false,
        holdsCount: Int32 = 0, secretUntil: Instant? = nil, settlesAt: Instant? = nil, posts: TimedPosts = .none
    ) {
        self.earned = earned
        self.spent = spent
        self.isBanned = isBanned
        self.isMerged = isMerged
        self.hasMerged = hasMerged
        self.holdsCount = holdsCount
        self.secretUntil = secretUntil
        self.settlesAt = settlesAt
        self.posts = posts
    }

    /// The points that can be donated; below zero when points were voided after they were donated.
    package var balance: Int64 { earned - spent }

    /// Whether the player is told something else than others see.
    package func hasPrivateView(at now: Instant) -> Bool { holdsCount > 0 || secretUntil.map { now < $0 } ?? false }

    /// Whether some points are too new to be donated.
    package func isSettling(at now: Instant) -> Bool { settlesAt.map { now < $0 } ?? false }
}

/// What the ledger remembers about a score, where its judgement depends on that.
package struct RecalledScore: Sendable {
    /// The row that the score may repeat.
    package let row: LedgerRow?
    /// Whether an equal score of the player earned on the board that UTC day.
    package let hasEarnedEqual: Bool
    /// The best points of the player in the board's ledger; nil before the first score.
    package let best: Int64?
    /// What the player's scores earned on the day.
    package let earnedOnDay: Int64

    package struct LedgerRow: Sendable {
        package let id: UUID
        package let game: Slug
        package let boardSlug: Slug
        package let board: Board.ID
        package let ties: Board.Ties
        package let points: Int64
        package let earned: Int64
        package let improved: Bool
        package let playedAt: Instant?
        package let reachedAt: Instant
        package let detail: String?
        /// The player's points on the row's board now, as the player is told.
        package let standing: Int64?
        package let state: LedgerState
        /// The player's place on the row's board, where it is not the one that everybody sees.
        package let own: SortKey?

        package init(
            id: UUID, game: Slug, boardSlug: Slug, board: Board.ID, ties: Board.Ties, points: Int64, earned: Int64,
            improved: Bool, playedAt: Instant?, reachedAt: Instant, detail: String?, standing: Int64?,
            state: LedgerState = .counted, own: SortKey? = nil
        ) {
            self.id = id
            self.game = game
            self.boardSlug = boardSlug
            self.board = board
            self.ties = ties
            self.points = points
            self.earned = earned
            self.improved = improved
            self.playedAt = playedAt
            self.reachedAt = reachedAt
            self.detail = detail
            self.standing = standing
            self.state = state
            self.own = own
        }

        /// Whether a score says the same.
        func equals(_ score: NewScore) -> Bool {
            game == score.game && boardSlug == score.board && points == score.points && playedAt == score.playedAt
                && detail == score.detail
        }
    }

    package init(row: LedgerRow?, hasEarnedEqual: Bool, best: Int64?, earnedOnDay: Int64) {
        self.row = row
        self.hasEarnedEqual = hasEarnedEqual
        self.best = best
        self.earnedOnDay = earnedOnDay
    }
}

/// What a player of whom scores are held is told, beside what everybody sees.
package struct OwnContext: Sendable, Equatable {
    /// The player's place on the board.
    package let standing: PointsReached?
    /// What the player has on the day of the score.
    package let tally: PointsReached?
    /// What scores earned that are held, or voided since then, which the player is not told.
    package let secretPoints: Int64

    package init(standing: PointsReached?, tally: PointsReached?, secretPoints: Int64) {
        self.standing = standing
        self.tally = tally
        self.secretPoints = secretPoints
    }
}
