package import FoundationEssentials

/// What is there before a score is judged, read after the player's wallet was locked.
package struct ScoreGround: Sendable {
    package let wallet: WalletGround
    /// Nil when there is no such board.
    package let rules: ScoreRules?
    /// The day in the board's zone on which the score arrived; nil without a board.
    package let day: Day?
    package let standing: PointsReached?
    /// What the player has on the day.
    package let tally: PointsReached?
    /// What the ledger remembers; nil when nothing depends on it.
    package let recalled: RecalledScore?

    package init(
        wallet: WalletGround,
        rules: ScoreRules?,
        day: Day?,
        standing: PointsReached?,
        tally: PointsReached?,
        recalled: RecalledScore?
    ) {
        self.wallet = wallet
        self.rules = rules
        self.day = day
        self.standing = standing
        self.tally = tally
        self.recalled = recalled
    }
}

/// What a player has earned, and how much of it can no longer be given.
package struct WalletGround: Sendable, Equatable {
    package let earned: Int64
    /// Points given, held or voided.
    package let spent: Int64

    package init(earned: Int64, spent: Int64) {
        self.earned = earned
        self.spent = spent
    }

    /// The points that can be given; below zero when points were voided after they were given.
    package var balance: Int64 { earned - spent }
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
        /// The player's points on the row's board now.
        package let standing: Int64?

        package init(
            id: UUID,
            game: Slug,
            boardSlug: Slug,
            board: Board.ID,
            ties: Board.Ties,
            points: Int64,
            earned: Int64,
            improved: Bool,
            playedAt: Instant?,
            reachedAt: Instant,
            detail: String?,
            standing: Int64?
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

/// What becomes of a score: the answer and, when it is recorded, what is written.
package struct ScoreJudgement: Sendable {
    package let receipt: ScoreReceipt
    /// Nil when nothing is recorded.
    package let entry: Entry?

    /// What a recorded score changes.
    package struct Entry: Sendable {
        package let rules: ScoreRules
        package let day: Day
        package let earned: Int64
        package let improved: Bool
        /// What the player has on the board from now.
        package let standing: PointsReached
        /// What the player has on the day from now.
        package let tally: PointsReached
    }

    /// Judges a score of a player whose wallet is locked.
    /// - Parameter isRepeated: Whether an earlier attempt at this very row may have been committed. A row that it did
    ///   commit is recorded, and no retry.
    package init(_ score: NewScore, of player: Player.ID, on ground: ScoreGround, isRepeated: Bool) {
        if let row = ground.recalled?.row {
            let wasCommitted = isRepeated && row.reachedAt == score.reachedAt
            let isRetry = score.hasNoClientID || row.equals(score)
            self.init(wasCommitted ? .recorded : isRetry ? .retry : .conflict, of: player, repeating: row, on: ground)
            return
        }
        guard let rules = ground.rules, let day = ground.day else {
            self.init(refused: .noBoard, score, of: player, on: ground)
            return
        }
        guard rules.isOpen(at: score.reachedAt) else {
            self.init(refused: .boardClosed, score, of: player, on: ground)
            return
        }
        let post = PointsReached(points: score.points, reachedAt: score.reachedAt)
        guard rules.bounds.contains(score.points), let standing = PointsReached.after(ground.standing, post, rules),
            let tally = PointsReached.after(ground.tally, post, rules)
        else {
            self.init(refused: .outOfBounds, score, of: player, on: ground)
            return
        }
        let earned = Self.earned(score, rules, ground)
        let improved = ground.standing.map { rules.isBetter(standing.points, than: $0.points) } ?? true
        self.init(
            receipt: ScoreReceipt(
                outcome: .recorded,
                player: player,
                id: score.id,
                board: rules.board,
                ties: rules.ties,
                points: score.points,
                earned: earned,
                best: standing.points,
                improved: improved,
                balance: max(0, ground.wallet.balance + earned)
            ),
            entry: Entry(
                rules: rules,
                day: day,
                earned: earned,
                improved: improved,
                standing: standing,
                tally: tally
            )
        )
    }

    private init(receipt: ScoreReceipt, entry: Entry?) {
        self.receipt = receipt
        self.entry = entry
    }

    /// The answer to a score that repeats a row, or takes its id for something else. A repeat is told of the board and
    /// the season in which it was recorded, also when that one has ended.
    private init(
        _ outcome: ScoreOutcome,
        of player: Player.ID,
        repeating row: RecalledScore.LedgerRow,
        on ground: ScoreGround
    ) {
        let isConflict = outcome == .conflict
        receipt = ScoreReceipt(
            outcome: outcome,
            player: player,
            id: row.id,
            board: isConflict ? ground.rules?.board : row.board,
            ties: isConflict ? ground.rules?.ties : row.ties,
            points: row.points,
            earned: row.earned,
            best: isConflict ? ground.standing?.points : row.standing,
            improved: row.improved,
            balance: max(0, ground.wallet.balance)
        )
        entry = nil
    }

    private init(refused outcome: ScoreOutcome, _ score: NewScore, of player: Player.ID, on ground: ScoreGround) {
        receipt = ScoreReceipt(
            outcome: outcome,
            player: player,
            id: score.id,
            board: ground.rules?.board,
            ties: ground.rules?.ties,
            points: score.points,
            earned: 0,
            best: ground.standing?.points,
            improved: false,
            balance: max(0, ground.wallet.balance)
        )
        entry = nil
    }

    /// Earns by the board's rule, as far as it fits under the post's, the day's and the wallet's limit.
    private static func earned(_ score: NewScore, _ rules: ScoreRules, _ ground: ScoreGround) -> Int64 {
        if score.points < 0 || score.isClassic && ground.recalled?.hasEarnedEqual ?? false { return 0 }
        var earned: Int128
        switch rules.earning {
        case .points: earned = Int128(score.points)
        case .fixed(let points): earned = Int128(points)
        case .none: return 0
        case .improvement:
            guard let standing = ground.standing else {
                earned = rules.lowestFirst ? 0 : Int128(score.points)
                break
            }
            // Only a board that keeps the best has it as its standing. Elsewhere the best is asked of the ledger, or a
            // worse post would make room for the same rise again.
            let best = rules.policy == .best ? standing.points : ground.recalled?.best ?? standing.points
            let rise = Int128(score.points) - Int128(best)
            earned = rules.lowestFirst ? -rise : rise
        }
        if let most = rules.earnMax { earned = min(earned, Int128(most)) }
        if let most = rules.earnDay { earned = min(earned, Int128(most) - Int128(ground.recalled?.earnedOnDay ?? 0)) }
        earned = min(earned, Int128(Limits.walletPointsMax - ground.wallet.earned))
        return Int64(clamping: max(0, earned))
    }
}
