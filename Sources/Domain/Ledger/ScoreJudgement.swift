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
        /// Nil when the score counts. One that is held moves neither of the two.
        package let hold: Hold?
        /// The player's last posts from now; nil where the board's rules do not go by times, so that they stay.
        package let posts: TimedPosts?
        /// When what it earned may be donated; nil when at once.
        package let settlesAt: Instant?
    }

    /// Judges a score of a player whose wallet is locked.
    /// - Parameter isRepeated: Whether an earlier attempt at this very row may have been committed. A row that it did
    ///   commit is recorded, and no retry.
    package init(_ score: NewScore, of player: Player.ID, on context: ScoreContext, isRepeated: Bool) {
        guard !context.wallet.isBanned else {
            self.init(refused: .banned, score, of: player, on: context)
            return
        }
        let row = context.recalled?.row
        let wasCommitted = isRepeated && row?.reachedAt == score.reachedAt
        // What was recorded is told only to whoever could have recorded it: a retry signs again. A score that this
        // batch has committed was trusted then.
        if !wasCommitted, let refusal = context.rules?.refusal(of: score.authenticity) {
            self.init(refused: refusal, score, of: player, on: context)
            return
        }
        if let row {
            let isRetry = score.hasNoClientID || row.equals(score)
            self.init(wasCommitted ? .recorded : isRetry ? .retry : .conflict, of: player, repeating: row, on: context)
            return
        }
        guard let rules = context.rules, let day = context.day else {
            self.init(refused: .noBoard, score, of: player, on: context)
            return
        }
        guard rules.hours.contains(score.reachedAt) else {
            self.init(refused: .boardClosed, score, of: player, on: context)
            return
        }
        let post = PointsReached(points: score.points, reachedAt: score.reachedAt)
        guard rules.bounds.contains(score.points), let standing = PointsReached.after(context.standing, post, rules),
            let tally = PointsReached.after(context.tally, post, rules),
            let own = PointsReached.after(context.ownStanding, post, rules),
            // What is held has to fit the day, too, when it is let count.
            PointsReached.after(context.ownTally, post, rules) != nil
        else {
            self.init(refused: .outOfBounds, score, of: player, on: context)
            return
        }
        let earned = Self.earned(score, rules, context)
        let improved = context.ownStanding.map { rules.isBetter(own.points, than: $0.points) } ?? true
        let timedAt = context.times.map { $0.time(playedAt: score.playedAt, reachedAt: score.reachedAt) }
        let reasons = rules.holds.reasons(
            points: score.points, times: context.times, playedAt: timedAt ?? score.reachedAt,
            lowestFirst: rules.lowestFirst)
        // Posts that would count are refused like those that would be held, so that the refusal does not tell which.
        guard context.wallet.holdsCount < Limits.holdsOfPlayerMax else {
            self.init(refused: .tooManyHeld, score, of: player, on: context)
            return
        }
        let settlesAt = rules.holds.settlesAt(score.reachedAt)
        let hold =
            reasons.isEmpty
            ? nil : Hold(reasons: reasons, judgeUntil: rules.holds.judgeUntil(score.reachedAt), secretUntil: settlesAt)
        // Whoever is not told that it is held is told what it would be if it counted.
        let isDisclosed = hold != nil && settlesAt == nil
        self.init(
            receipt: ScoreReceipt(
                outcome: .recorded, player: player, id: score.id, board: rules.board, ties: rules.ties,
                points: score.points, earned: earned, best: own.points, improved: improved,
                balance: max(0, context.ownBalance + (isDisclosed ? 0 : earned)), state: isDisclosed ? .held : .counted,
                own: hold != nil || context.own != nil ? rules.sortKey(of: own, player) : nil),
            entry: Entry(
                rules: rules, day: day, earned: earned, improved: improved, standing: standing, tally: tally,
                hold: hold,
                posts: timedAt.map {
                    context.wallet.posts.adding($0, on: rules.board, postsTimed: rules.holds.postsTimed)
                }, settlesAt: earned > 0 ? settlesAt : nil))
    }

    private init(receipt: ScoreReceipt, entry: Entry?) {
        self.receipt = receipt
        self.entry = entry
    }

    /// The answer to a score that repeats a row, or takes its id for something else. A repeat is told of the board and
    /// the season in which it was recorded, also when that one has ended.
    private init(
        _ outcome: ScoreOutcome, of player: Player.ID, repeating row: RecalledScore.LedgerRow, on context: ScoreContext
    ) {
        let isConflict = outcome == .conflict
        receipt = ScoreReceipt(
            outcome: outcome, player: player, id: row.id, board: isConflict ? context.rules?.board : row.board,
            ties: isConflict ? context.rules?.ties : row.ties, points: row.points, earned: row.earned,
            best: isConflict ? context.ownStanding?.points : row.standing, improved: row.improved,
            balance: max(0, context.ownBalance), state: row.state, own: isConflict ? nil : row.own)
        entry = nil
    }

    private init(refused outcome: ScoreOutcome, _ score: NewScore, of player: Player.ID, on context: ScoreContext) {
        receipt = ScoreReceipt(
            outcome: outcome, player: player, id: score.id, board: context.rules?.board, ties: context.rules?.ties,
            points: score.points, earned: 0, best: context.ownStanding?.points, improved: false,
            balance: max(0, context.ownBalance))
        entry = nil
    }

    /// Earns by the board's rule, as far as it fits under the post's, the day's and the wallet's limit.
    private static func earned(_ score: NewScore, _ rules: ScoreRules, _ context: ScoreContext) -> Int64 {
        if score.points < 0 || score.isClassic && context.recalled?.hasEarnedEqual ?? false { return 0 }
        var earned: Int128
        switch rules.earning {
        case .points: earned = Int128(score.points)
        case .fixed(let points): earned = Int128(points)
        case .none: return 0
        case .improvement:
            // Only a board that keeps the best has it as its standing, with the scores that are held as the player is
            // told. Elsewhere the best is asked of the ledger, or the same rise would be earned again.
            let known = rules.earnsByLedger ? context.recalled?.best : context.ownStanding?.points
            guard let best = known else {
                earned = rules.lowestFirst ? 0 : Int128(score.points)
                break
            }
            let rise = Int128(score.points) - Int128(best)
            earned = rules.lowestFirst ? -rise : rise
        }
        if let most = rules.earnMax { earned = min(earned, Int128(most)) }
        if let most = rules.earnDay { earned = min(earned, Int128(most) - Int128(context.recalled?.earnedOnDay ?? 0)) }
        earned = min(earned, Int128(Limits.walletPointsMax - context.wallet.earned))
        return Int64(clamping: max(0, earned))
    }
}
