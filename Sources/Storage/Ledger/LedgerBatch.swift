package import Domain
import Postgres

/// A batch of scores and donations on its way into the ledgers. It finds the players for whom the rows speak; locks and
/// reads in one round trip; judges by the rules of `Domain`; and writes in another.
///
/// A player whom another transaction has locked is left out, and so is a player's second row, because each row is
/// judged by what the one before it left. Such rows are `deferred` and come again with a later batch.
struct LedgerBatch: Sendable {
    let scores: [NewScore]
    let donations: [NewDonation]
    /// Whether an earlier attempt at this batch may have been committed.
    let isRepeated: Bool
    /// Whether to defer slow rows: scores that fund their player's donations again, scores that need a long history,
    /// and donations to charities with a cap, which only one transaction at a time may judge.
    var putsOffLong = false
    /// The commit marker; nil when no request waits for the replication stream.
    let marker: String?
    let now: Instant
    /// What is known of callers without a question to the database; nil asks for all.
    var known: KnownCallers?
    /// Whose histories are long; nil does not tell.
    var histories: LongHistories?
    /// By what batches are judged before they are sent; nil judges each under the locks of its players.
    var memory: BatchMemory?

    /// What became of each row, in their order.
    typealias Answer = LedgerAnswer

    /// A row that is judged: its index among the scores or donations, its player, whom the caller spoke for before
    /// players were merged, and how often others had ceased to speak for the player by then.
    struct Turn: Sendable {
        let index: Int
        let player: Player.ID
        let own: Player.ID
        let callersLeft: Int32?
    }

    /// The rows that are judged, at most one of each player.
    struct Turns: Sendable {
        var scores: [Turn] = []
        var donations: [Turn] = []
        var players: [Player.ID] { (scores + donations).map(\.player) }
        var isEmpty: Bool { scores.isEmpty && donations.isEmpty }
        /// How often somebody had ceased to speak for each player when its caller was found to.
        var callersLeft: [Player.ID: Int32?] {
            Dictionary((scores + donations).lazy.map { ($0.player, $0.callersLeft) }) { first, _ in first }
        }
    }

    /// What is there before the batch.
    struct Inputs: Sendable {
        let wallets: [Player.ID: WalletContext]
        /// The boards by their numbers in the batch, as far as there are any.
        let boards: [Int32: KnownBoard]
        /// The rules of each score's board; nil when there is no such board.
        let rules: [ScoreRules?]
        let places: [ScorePlaces]
        let charities: [DonationsBefore.Row]

        /// Whether a score is there to fund donations of its player again.
        func isShort(_ score: ScoreWrite) -> Bool {
            score.entry.earned > 0 && score.entry.hold == nil && wallets[score.player]?.balance ?? 0 < 0
        }
    }

    /// What a batch changes.
    private struct Changes {
        /// By what it was judged.
        let inputs: Inputs?
        var writes: [any Query] = []
        /// What charities receive by the donations. It is written last, because all who donate to one lock its rows.
        var totals: [CharityTotalsAdd.Total] = []
        var marker: [any Query] = []
        /// Players who earned while donations of theirs were not funded. There are none but after an action.
        var playersShort: [Player.ID] = []
        var isShort: Bool { !playersShort.isEmpty }
        var all: [any Query] { writes + (totals.isEmpty ? [] : [CharityTotalsAdd(totals: totals)]) + marker }
    }

    /// Commits the batch in a transaction of its own.
    func commit(on connection: Connection) async throws(PostgresError) -> Answer {
        let (turns, answer) = try await identified(on: connection)
        if turns.isEmpty { return answer }
        let way = try await commitFromMemory(turns, answer, on: connection)
        if case .written(let answer) = way { return answer }
        return try await connection.transactionInTrips { connection throws(PostgresError) in
            var answer = answer
            if case .broken = way { answer.oneTrip = .broken }
            let changes = try await judge(turns, on: connection, begins: true, &answer)
            if case .broken(let judged) = way, let inputs = changes.inputs { blame(turns, judged, inputs, answer) }
            guard changes.isShort else {
                try await connection.commit(writing: changes.all)
                return answer
            }
            try await fund(changes, on: connection)
            try await connection.commit(writing: changes.marker)
            return answer
        }
    }

    /// Writes the batch within a transaction that the caller has begun and will end.
    func write(on connection: Connection) async throws(PostgresError) -> Answer {
        var (turns, answer) = try await identified(on: connection)
        if turns.isEmpty { return answer }
        let changes = try await judge(turns, on: connection, begins: false, &answer)
        if changes.isShort {
            try await fund(changes, on: connection)
            try await connection.run(all: changes.marker)
        } else {
            try await connection.run(all: changes.all)
        }
        return answer
    }

    /// Writes what was judged, and funds donations again by what their players have earned now.
    private func fund(_ changes: Changes, on connection: Connection) async throws(PostgresError) {
        try await connection.run(all: changes.writes)
        try await RollupRecomputation(players: changes.playersShort, action: nil, now: now).recomputeDonations(
            beside: changes.totals, on: connection)
    }

    /// Finds out who may speak for whom. Rows that are not refused are `deferred` in the answer until they are judged.
    private func identified(on connection: Connection) async throws(PostgresError) -> (Turns, Answer) {
        let callers = try await callers(on: connection)
        var turns = Turns()
        var taken: Set<Player.ID> = []
        for (index, caller) in callers.enumerated() {
            guard let player = caller.player, taken.insert(player).inserted else { continue }
            func turn(_ index: Int) -> Turn {
                Turn(index: index, player: player, own: caller.own ?? player, callersLeft: caller.callersLeft)
            }
            if index < scores.count {
                turns.scores.append(turn(index))
            } else {
                turns.donations.append(turn(index - scores.count))
            }
        }
        let answer = Answer(
            scores: zip(scores, callers).map { $0.unjudged($1.refusal) },
            donations: zip(donations, callers.dropFirst(scores.count)).map {
                $0.unjudged($1.refusal.map { DonationOutcome(rawValue: $0.rawValue) ?? .noPlayer })
            })
        return (turns, answer)
    }

    /// Finds out for whom the scores speak, and then the donations.
    private func callers(on connection: Connection) async throws(PostgresError) -> [IdentifiedCaller] {
        let callers = scores.map { $0.caller } + donations.map { $0.caller }
        let games = scores.map { game(of: $0) } + donations.map { game(of: $0) }
        let questions = callers.indices.map { question($0) }
        let (found, version) =
            self.known?.find(questions, now: now) ?? ([KnownCallers.Known?](repeating: nil, count: questions.count), 0)
        // Who claims to be another player than the token's is told so by the database.
        let known = zip(found, callers).map { found, caller in
            if case .token(_, let claimed?) = caller, claimed != found?.player { return nil as KnownCallers.Known? }
            return found
        }
        var identified = known.map {
            IdentifiedCaller(player: $0?.player, refusal: nil, device: nil, own: $0?.own, callersLeft: $0?.callersLeft)
        }
        let unknown = known.indices.filter { known[$0] == nil }
        if unknown.isEmpty { return identified }
        let answers = try await connection.rows(
            CallersIdentify(
                callers: unknown.map { callers[$0] }, games: unknown.map { games[$0] },
                areScores: unknown.map { $0 < scores.count }, now: now))
        guard answers.count == unknown.count else { throw .tooFewRows }
        self.known?.remember(unknown.map { questions[$0] }, answers, since: version)
        for (row, answer) in zip(unknown, answers) { identified[row] = answer }
        return identified
    }

    /// The game that a row names.
    private func game(of score: NewScore) -> Slug? { score.game }

    private func game(of donation: NewDonation) -> Slug? {
        if case .device = donation.caller { donation.game } else { nil }
    }

    /// What is asked about the caller of a row, of the scores and then the donations.
    private func question(_ row: Int) -> KnownCallers.Question {
        if row < scores.count {
            return KnownCallers.Question(scores[row].caller, game: game(of: scores[row]), isScore: true)
        }
        let donation = donations[row - scores.count]
        return KnownCallers.Question(donation.caller, game: game(of: donation), isScore: false)
    }

    /// What was asked about those who spoke for some players.
    private func questions(of players: Set<Player.ID>, _ turns: Turns) -> [KnownCallers.Question] {
        turns.scores.filter { players.contains($0.player) }.map { question($0.index) }
            + turns.donations.filter { players.contains($0.player) }.map { question(scores.count + $0.index) }
    }

    /// Locks, reads and judges.
    /// - Parameter begins: Whether the transaction begins with the first statement.
    private func judge(_ turns: Turns, on connection: Connection, begins: Bool, _ answer: inout Answer)
        async throws(PostgresError) -> Changes
    {
        let inputs = try await read(turns, on: connection, begins: begins)
        remember(turns, inputs)
        var scores = try await judgeScores(turns.scores, inputs, on: connection, &answer)
        let playersShort = Set(scores.lazy.filter { inputs.isShort($0) }.map { $0.player })
        if putsOffLong, !playersShort.isEmpty {
            scores.removeAll { playersShort.contains($0.player) }
            for turn in turns.scores where playersShort.contains(turn.player) { putOff(turn, &answer) }
        }
        let donations = try await judgeDonations(turns.donations, inputs, on: connection, &answer)
        var changes = Changes(inputs: inputs)
        if !scores.isEmpty { changes.writes = [ScoresAdd(rows: scores, now: now)] + scores.writes(at: now) }
        if !donations.isEmpty {
            changes.writes += [DonationsAdd(rows: donations, now: now)] + donations.writes
            changes.totals = donations.totals
        }
        if !putsOffLong { changes.playersShort = playersShort.sorted() }
        answer.isJudged = !inputs.wallets.isEmpty
        if let marker, answer.isJudged { changes.marker = [MarkerEmit(marker: marker)] }
        return changes
    }

    /// Leaves a score to a batch of its own.
    func putOff(_ turn: Turn, _ answer: inout Answer) {
        answer.scores[turn.index] = scores[turn.index].unjudged(nil)
        answer.long.append(turn.index)
    }

    private func read(_ turns: Turns, on connection: Connection, begins: Bool) async throws(PostgresError) -> Inputs {
        let (share, lock) = (TalliesShare(), WalletsLock(players: turns.players))
        let scores = turns.scores.map { self.scores[$0.index] }
        let named = BatchBoards(scores)
        let boards = BoardsRules(boards: named, now: now)
        let places = ScoresBefore(boards: named, players: turns.scores.map { $0.player }, scores: scores)
        let charities = DonationsBefore(
            players: turns.donations.map { $0.player }, donations: turns.donations.map { donations[$0.index] })
        func inputs(
            _ locked: [LockedWallet], _ boards: [BoardsRules.Row], _ places: [ScorePlaces],
            _ charities: [DonationsBefore.Row]
        ) throws(PostgresError) -> Inputs {
            guard places.count == turns.scores.count, charities.count == turns.donations.count else {
                throw .tooFewRows
            }
            // Where somebody ceased to speak for the player since the caller was identified, as by a merge, a parting,
            // an erasure or another device, it is found anew: the row is put off.
            let callersLeft = turns.callersLeft
            let wallets = locked.filter { !$0.wallet.isMerged && callersLeft[$0.player] == $0.callersLeft }
            if wallets.count < locked.count {
                let outdated = locked.map { $0.player }.filter { player in !wallets.contains { $0.player == player } }
                known?.forget(questions(of: Set(outdated), turns))
            }
            let known = Dictionary(boards.lazy.map { ($0.number, $0.board) }) { first, _ in first }
            return Inputs(
                wallets: Dictionary(wallets.lazy.map { ($0.player, $0.wallet) }) { first, _ in first }, boards: known,
                rules: named.numbers.map { known[$0]?.rules }, places: places, charities: charities)
        }
        if turns.donations.isEmpty {
            let (_, wallets, rules, before) =
                begins
                ? try await connection.begin(reading: share, lock, boards, places)
                : try await connection.pipeline(share, lock, boards, places)
            return try inputs(wallets, rules, before, [])
        }
        if turns.scores.isEmpty {
            let (_, wallets, before) =
                begins
                ? try await connection.begin(reading: share, lock, charities)
                : try await connection.pipeline(share, lock, charities)
            return try inputs(wallets, [], [], before)
        }
        let (_, wallets, rules, before, entries) =
            begins
            ? try await connection.begin(reading: share, lock, boards, places, charities)
            : try await connection.pipeline(share, lock, boards, places, charities)
        return try inputs(wallets, rules, before, entries)
    }
}

/// What became of the rows of a batch, in their order.
package struct LedgerAnswer: Sendable {
    package var scores: [ScoreReceipt]
    package var donations: [DonationReceipt]
    /// The indices of the scores that were put off because they take long.
    package var long: [Int] = []
    /// The indices of the donations that were put off because their charities have a cap.
    package var capped: [Int] = []
    /// Whether any row was judged. Else nothing has changed, and the marker was not written.
    package var isJudged = false
    /// What became of the batch when it was judged from memory; nil when it was not.
    package var oneTrip: OneTrip?

    package enum OneTrip: Sendable {
        case written
        /// Memory was outdated, so the batch was judged again under the locks of its players.
        case broken
    }
}
