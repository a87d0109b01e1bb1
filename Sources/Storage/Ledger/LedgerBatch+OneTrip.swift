import Domain
import Postgres
import Statements

// Most batches need nothing but what a process knows: they are judged from memory by the same rules of Domain, and
// written in one round trip by statements that change a row only if it still is what it was taken for. Where one is
// not, nothing is written, and the batch is judged again under the locks of its players.

/// `wallets_judged.sql`
struct WalletsJudged: Query {
    static let sql = SQL.walletsJudged

    struct Change: Sendable {
        let player: Player.ID
        let earned: Int64
        let donated: Int64
        let callersLeft: Int32
    }

    /// In the order of the players' ids, each once.
    let changes: [Change]
    let now: Instant
    var binds: Binds {
        [
            changes.map { $0.player }, changes.map { $0.earned }, changes.map { $0.donated },
            changes.map { $0.callersLeft }, now,
        ]
    }
    /// Rows come in no order: what each player can donate from now.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, balance: Int64) {
        (try row.next(), try row.next())
    }
}

/// The rows on which a batch that was judged from memory depends, with their versions.
struct JudgedVersions: Sendable {
    var boards: [Board.ID: Int64] = [:]
    var charities: [Int32: Int64] = [:]

    /// - Returns: False when another version is known already, as under another name of the charity: one is outdated.
    fileprivate mutating func add(_ charity: KnownCharity) -> Bool {
        guard charities.updateValue(charity.version, forKey: charity.charity.id) ?? charity.version == charity.version
        else { return false }
        return charity.boards.allSatisfy { board, version in
            boards.updateValue(version, forKey: board) ?? version == version
        }
    }
}

extension LedgerBatch {
    /// A batch that was judged from memory.
    struct Judged {
        var changes: [WalletsJudged.Change] = []
        var scores: [ScoreWrite] = []
        var donations: [DonationWrite] = []
        var versions = JudgedVersions()
        var answer: Answer
    }

    /// Writes the batch in one round trip, if memory knows all that it depends on.
    func commitFromMemory(_ turns: Turns, _ answer: Answer, on connection: Connection) async throws(PostgresError)
        -> Attempt
    {
        guard let memory, var judged = judgedFromMemory(turns, answer) else { return .notJudged }
        let balances: [WalletsJudged.Row]
        do throws(PostgresError) {
            balances = try await connection.transactionInOneTrip(
                after: [LockPatience(milliseconds: Limits.judgedLockMilliseconds), TalliesShare()],
                reading: WalletsJudged(changes: judged.changes.sorted { $0.player < $1.player }, now: now),
                writing: writes(of: judged))
        } catch {
            guard error.isOfOutdatedMemory else { throw error }
            memory.judged(isWritten: false, now: now)
            return .broken(judged)
        }
        memory.judged(isWritten: true, now: now)
        let balance = Dictionary(balances.lazy.map { ($0.player, $0.balance) }) { first, _ in first }
        for turn in turns.scores {
            judged.answer.scores[turn.index] = judged.answer.scores[turn.index].with(balance: balance[turn.player])
        }
        for turn in turns.donations {
            judged.answer.donations[turn.index] = judged.answer.donations[turn.index].with(
                balance: balance[turn.player])
        }
        judged.answer.isJudged = true
        judged.answer.oneTrip = .written
        return .written(judged.answer)
    }

    /// What became of a batch that was tried from memory. Only with `written` is any of it written.
    enum Attempt {
        case written(Answer)
        case broken(Judged)
        case notJudged
    }

    /// What is written after the wallets.
    private func writes(of judged: Judged) -> [any Query] {
        var writes: [any Query] = []
        if !judged.scores.isEmpty {
            writes.append(ScoresAdd(rows: judged.scores, now: now, versions: judged.versions))
            writes += judged.scores.writesBesideWallets(at: now)
        }
        if !judged.donations.isEmpty {
            writes.append(DonationsAdd(rows: judged.donations, now: now, versions: judged.versions))
            writes += judged.donations.writesBesideWallets
            writes.append(CharityTotalsAdd(totals: judged.donations.totals))
        }
        if let marker { writes.append(MarkerEmit(marker: marker)) }
        return writes
    }

    /// - Returns: Nil unless memory knows everything and every row is recorded by it.
    private func judgedFromMemory(_ turns: Turns, _ answer: Answer) -> Judged? {
        guard let memory, !isRepeated else { return nil }
        let boards = BatchBoards(turns.scores.map { scores[$0.index] })
        guard
            let known = memory.known(
                boards: boards.names, charities: turns.donations.map { donations[$0.index].charity },
                players: turns.players, now: now)
        else { return nil }
        var judged = Judged(answer: answer)
        for (turn, number) in zip(turns.scores, boards.numbers) {
            let board = known.boards[Int(number) - 1]
            guard let (write, receipt) = judge(turn, on: board, memory) else { return nil }
            judged.answer.scores[turn.index] = receipt
            judged.scores.append(write)
            judged.changes.append(
                WalletsJudged.Change(
                    player: turn.player, earned: write.entry.earned, donated: 0, callersLeft: turn.callersLeft ?? 0))
        }
        for board in known.boards { judged.versions.boards[board.rules.board] = board.version }
        for (turn, charity) in zip(turns.donations, known.charities) {
            guard let (write, receipt) = judge(turn, to: charity, memory) else { return nil }
            judged.answer.donations[turn.index] = receipt
            judged.donations.append(write)
            judged.changes.append(
                WalletsJudged.Change(
                    player: turn.player, earned: 0, donated: write.donation.points, callersLeft: turn.callersLeft ?? 0))
            guard judged.versions.add(charity) else { return nil }
        }
        return judged
    }

    /// Judges a score by what memory knows of it.
    private func judge(_ turn: Turn, on board: KnownBoard, _ memory: BatchMemory) -> (ScoreWrite, ScoreReceipt)? {
        let (score, rules) = (scores[turn.index], board.rules)
        guard turn.own == turn.player, turn.callersLeft != nil, !score.hasNoClientID, !score.isClassic,
            board.span.contains(score.reachedAt), !rules.looksBack, !rules.holds.mayHold,
            rules.holds.settleMinutes == 0,
            let place = memory.place(of: turn.player, on: rules.board, lowestFirst: rules.lowestFirst)
        else { return nil }
        let standing = place.reached
        let places = ScorePlaces(day: board.day, standing: standing, tally: nil, isKnown: false)
        // That no score of the player is held is checked by the statement that changes the wallet.
        let judgement = ScoreJudgement(
            score, of: turn.player,
            on: ScoreContext(
                wallet: WalletContext(earned: 0, spent: 0), rules: rules, day: board.day, standing: standing,
                tally: nil, recalled: nil), isRepeated: false)
        guard let entry = judgement.entry, let change = DayChange(entry, rules, after: standing) else { return nil }
        let write = ScoreWrite(player: turn.player, score: score, entry: entry, before: places, dayChange: change)
        return (write, judgement.receipt)
    }

    /// Judges a donation by what memory knows of it.
    private func judge(_ turn: Turn, to known: KnownCharity, _ memory: BatchMemory) -> (DonationWrite, DonationReceipt)?
    {
        let (donation, charity) = (donations[turn.index], known.charity)
        guard turn.own == turn.player, turn.callersLeft != nil, !donation.hasNoClientID, charity.caps.isEmpty,
            known.span.contains(donation.reachedAt)
        else { return nil }
        var hasDonated = false
        if !donation.isAnonymous {
            guard let place = memory.place(of: turn.player, on: charity.board, lowestFirst: false) else { return nil }
            hasDonated = place.reached != nil
        }
        let judgement = DonationJudgement(
            donation, of: turn.player,
            on: DonationContext(
                wallet: WalletContext(earned: donation.points, spent: 0),
                charity: charity.of(hasDonated: hasDonated, anonymousRow: .randomAnonymousRow()), recalled: nil),
            isRepeated: false)
        guard let charity = judgement.charity else { return nil }
        return (DonationWrite(player: turn.player, donation: donation, charity: charity), judgement.receipt)
    }

    /// Remembers what was read under the locks, for the next batches.
    func remember(_ turns: Turns, _ inputs: Inputs) {
        guard let memory else { return }
        let names = BatchBoards(turns.scores.map { scores[$0.index] }).names
        memory.remember(
            names.enumerated().lazy.map { ($1, inputs.boards[Int32($0 + 1)]) },
            zip(turns.donations, inputs.charities).lazy.map { (donations[$0.index].charity, $1.known) })
    }

    /// Remembers for which players memory was outdated, after a broken batch was judged under the locks.
    func blame(_ turns: Turns, _ judged: Judged, _ inputs: Inputs, _ answer: Answer) {
        guard let memory else { return }
        let isChanged =
            inputs.boards.values.contains { judged.versions.boards[$0.rules.board] != $0.version }
            || inputs.charities.contains {
                $0.known.map { judged.versions.charities[$0.charity.id] != $0.version } ?? true
            }
        var (misjudged, locked): ([Player.ID], [Player.ID]) = ([], [])
        func compare(_ player: Player.ID, isDeferred: Bool, isRight: Bool) {
            if isDeferred { locked.append(player) } else if !isRight { misjudged.append(player) }
        }
        for ((turn, places), write) in zip(zip(turns.scores, inputs.places), judged.scores) {
            if answer.long.contains(turn.index) { continue }
            let (found, taken) = (answer.scores[turn.index], judged.answer.scores[turn.index])
            compare(
                turn.player, isDeferred: found.outcome == .deferred,
                isRight: found.outcome == .recorded && found.earned == taken.earned
                    && places.standing == write.before.standing)
        }
        for ((turn, charity), write) in zip(zip(turns.donations, inputs.charities), judged.donations) {
            if answer.capped.contains(turn.index) { continue }
            let found = answer.donations[turn.index].outcome
            compare(
                turn.player, isDeferred: found == .deferred,
                isRight: found == .recorded
                    && (write.donation.isAnonymous || charity.charity?.hasDonated == write.charity.hasDonated))
        }
        // The cause is not among what was compared. Without this it would break every batch of these players.
        if misjudged.isEmpty, locked.isEmpty, !isChanged { misjudged = turns.players }
        memory.misjudged(misjudged, now: now)
        memory.misjudged(locked, seconds: Limits.lockedPlayerSeconds, now: now)
    }
}

/// What a score does to what its player has on the day, where that was not read.
enum DayChange: Int32 {
    case replace = 0
    case add = 1
    /// The higher of the two points is kept.
    case keepHighest = 2
    /// The lower of the two points is kept.
    case keepLowest = 3

    /// - Parameter standing: What the player had in all the season; nil for nothing.
    /// - Returns: Nil when it takes the day's points to know.
    init?(_ entry: ScoreJudgement.Entry, _ rules: ScoreRules, after standing: PointsReached?) {
        switch rules.policy {
        case .sum: self = .add
        case .latest:
            // What is newer than everything in the season is newer than everything on the day.
            if let standing, entry.tally.reachedAt <= standing.reachedAt { return nil }
            self = .replace
        case .best:
            // A new best of the season is also the best of its day.
            self = entry.improved ? .replace : rules.lowestFirst ? .keepLowest : .keepHighest
        }
    }
}

extension PostgresError {
    /// Whether a batch that was judged from memory ended because a row was not what it was taken for, or was locked by
    /// somebody else. Nothing is written then.
    fileprivate var isOfOutdatedMemory: Bool {
        guard origin == .server, isRolledBack else { return false }
        switch state {
        case .divisionByZero, .uniqueViolation, .numericValueOutOfRange, .lockNotAvailable, .deadlockDetected:
            return true
        default: return false
        }
    }
}

extension CharityContext {
    fileprivate func of(hasDonated: Bool, anonymousRow: Int64) -> CharityContext {
        CharityContext(
            id: id, slug: slug, hours: hours, board: board, ties: ties, day: day, dayBeganAt: dayBeganAt,
            anonymousRow: anonymousRow, caps: caps, overall: overall, hasDonated: hasDonated)
    }
}

extension Int64 {
    /// A random row of an anonymous donation, as `anonymous_row_id` makes it: 62 random bits, below zero.
    fileprivate static func randomAnonymousRow() -> Int64 { -1 - Int64.random(in: 0..<(1 << 62)) }
}

extension ScoreReceipt {
    fileprivate func with(balance: Int64?) -> ScoreReceipt {
        ScoreReceipt(
            outcome: outcome, player: player, id: id, board: board, ties: ties, points: points, earned: earned,
            best: best, improved: improved, balance: balance.map { max(0, $0) }, state: state, own: own)
    }
}

extension DonationReceipt {
    fileprivate func with(balance: Int64?) -> DonationReceipt {
        DonationReceipt(
            outcome: outcome, row: row, id: id, charity: charity, points: points, board: board, ties: ties,
            balance: balance.map { max(0, $0) }, isReversed: isReversed, cap: cap, readyAt: readyAt)
    }
}
