import Domain
import Postgres

// What becomes of the rows, by the rules of Domain.
extension LedgerBatch {
    func judgeScores(_ turns: [Turn], _ inputs: Inputs, on connection: Connection, _ answer: inout Answer)
        async throws(PostgresError) -> [ScoreWrite]
    {
        let rules = inputs.rules
        let long = turns.indices.filter { row in
            guard putsOffLong, let histories, let rules = rules[row], !inputs.places[row].isKnown,
                inputs.wallets[turns[row].player] != nil
            else { return false }
            return (scores[turns[row].index].isClassic || rules.looksBack)
                && histories.isLong(of: turns[row].player, on: rules.board)
        }
        for row in long { putOff(turns[row], &answer) }
        let looksBack = turns.indices.filter { row in
            let score = scores[turns[row].index]
            guard let wallet = inputs.wallets[turns[row].player], !long.contains(row) else { return false }
            return inputs.places[row].isKnown || wallet.hasMerged || score.hasNoClientID || score.isClassic
                || rules[row]?.looksBack ?? false
        }
        var recalled: [Int: RecalledScore] = [:]
        if !looksBack.isEmpty {
            let rows = try await connection.rows(
                ScoresRecall(
                    turns: looksBack.map { turns[$0] }, scores: looksBack.map { scores[turns[$0].index] },
                    rules: looksBack.map { rules[$0] }, days: looksBack.map { inputs.places[$0].day }, now: now))
            for (row, found) in zip(looksBack, rows) {
                recalled[row] = found.score
                if found.score.row == nil, let board = rules[row]?.board {
                    histories?.note(found.rowsRead, readOf: turns[row].player, on: board)
                }
            }
        }
        let own = try await own(turns, inputs, on: connection)
        let times = try await times(turns, inputs, on: connection)
        var recorded: [ScoreWrite] = []
        for (row, turn) in turns.enumerated() where !long.contains(row) {
            guard let wallet = inputs.wallets[turn.player] else { continue }
            let (score, places) = (scores[turn.index], inputs.places[row])
            let judgement = ScoreJudgement(
                score, of: turn.player,
                on: ScoreContext(
                    wallet: wallet, rules: rules[row], day: places.day, standing: places.standing, tally: places.tally,
                    recalled: recalled[row], own: own[row],
                    times: rules[row].flatMap { rules in
                        guard rules.holds.looksAtTimes else { return nil }
                        return times[row] ?? wallet.posts.times(on: rules.board, postsTimed: rules.holds.postsTimed)
                    }), isRepeated: isRepeated)
            answer.scores[turn.index] = judgement.receipt
            if let entry = judgement.entry {
                recorded.append(ScoreWrite(player: turn.player, score: score, entry: entry, before: places))
            }
        }
        return recorded
    }

    /// What the players are told of whom scores are held, by the row among the turns.
    private func own(_ turns: [Turn], _ inputs: Inputs, on connection: Connection) async throws(PostgresError) -> [Int:
        OwnContext]
    {
        let disclosed = turns.indices.filter { inputs.wallets[turns[$0].player]?.hasPrivateView(at: now) ?? false }
        if disclosed.isEmpty { return [:] }
        let rows = try await connection.rows(
            OwnBefore(
                players: disclosed.map { turns[$0].player }, boards: disclosed.map { inputs.rules[$0]?.board },
                days: disclosed.map { inputs.places[$0].day }, now: now))
        return Dictionary(zip(disclosed, rows)) { first, _ in first }
    }

    /// When players posted before into whom others were merged, on boards that go by that, by the row among the turns.
    private func times(_ turns: [Turn], _ inputs: Inputs, on connection: Connection) async throws(PostgresError)
        -> [Int: PostTimes]
    {
        let timed = turns.indices.compactMap { row -> (row: Int, rules: ScoreRules)? in
            guard let wallet = inputs.wallets[turns[row].player], wallet.hasMerged, let rules = inputs.rules[row],
                rules.holds.looksAtTimes
            else { return nil }
            return (row, rules)
        }
        if timed.isEmpty { return [:] }
        let rows = try await connection.rows(
            PostsBefore(
                players: timed.map { turns[$0.row].player }, boards: timed.map { $0.rules.board },
                rates: timed.map { $0.rules.holds.postsTimed }))
        return Dictionary(zip(timed.map(\.row), rows)) { first, _ in first }
    }

    /// What the players are told whose newest points cannot be donated yet, by the row among the turns.
    private func settling(_ turns: [Turn], _ inputs: Inputs, on connection: Connection) async throws(PostgresError)
        -> [Int: SettlingContext]
    {
        let settling = turns.indices.filter { row in
            guard let wallet = inputs.wallets[turns[row].player] else { return false }
            return wallet.isSettling(at: now) || wallet.hasPrivateView(at: now)
        }
        if settling.isEmpty { return [:] }
        let rows = try await connection.rows(
            SettlingBefore(
                players: settling.map { turns[$0].player }, points: settling.map { donations[turns[$0].index].points },
                now: now))
        return Dictionary(zip(settling, rows)) { first, _ in first }
    }

    func judgeDonations(_ turns: [Turn], _ inputs: Inputs, on connection: Connection, _ answer: inout Answer)
        async throws(PostgresError) -> [DonationWrite]
    {
        let looksBack = turns.indices.filter { row in
            guard let wallet = inputs.wallets[turns[row].player] else { return false }
            return inputs.charities[row].isKnown || wallet.hasMerged || donations[turns[row].index].hasNoClientID
        }
        var recalled: [Int: RecalledDonation] = [:]
        if !looksBack.isEmpty {
            let rows = try await connection.rows(
                DonationsRecall(
                    turns: looksBack.map { turns[$0] }, donations: looksBack.map { donations[turns[$0].index] },
                    charities: looksBack.map { inputs.charities[$0].charity?.id }))
            for (row, found) in zip(looksBack, rows) { recalled[row] = found }
        }
        let settling = try await settling(turns, inputs, on: connection)
        var recorded: [(index: Int, judgement: DonationJudgement, write: DonationWrite)] = []
        for (row, turn) in turns.enumerated() {
            guard let wallet = inputs.wallets[turn.player] else { continue }
            let donation = donations[turn.index]
            let judgement = DonationJudgement(
                donation, of: turn.player,
                on: DonationContext(
                    wallet: wallet, charity: inputs.charities[row].charity, recalled: recalled[row],
                    settling: settling[row]), isRepeated: isRepeated)
            answer.donations[turn.index] = judgement.receipt
            if let charity = judgement.charity {
                let write = DonationWrite(player: turn.player, donation: donation, charity: charity)
                recorded.append((turn.index, judgement, write))
            }
        }
        let capped = recorded.map(\.write).filter { !$0.charity.caps.isEmpty }
        if capped.isEmpty { return recorded.map(\.write) }
        if putsOffLong {
            for (index, _, write) in recorded where !write.charity.caps.isEmpty {
                answer.donations[index] = donations[index].unjudged(nil)
                answer.capped.append(index)
            }
            return recorded.map(\.write).filter { $0.charity.caps.isEmpty }
        }
        // It is the last lock before the totals, so that whoever waits for it keeps nobody else from what it has locked
        // for longer than it must.
        let (_, entries) = try await connection.pipeline(
            CapsLock(charities: Set(capped.map { $0.charity.id }).sorted()), CapsDonated(rows: capped))
        var caps = CappedDonations(entries)
        return recorded.compactMap { index, judgement, write in
            guard !write.charity.caps.isEmpty, let cap = caps.add(write.donation.points, to: write.charity) else {
                return write
            }
            answer.donations[index] = judgement.refused(by: cap)
            return nil
        }
    }
}

// What is answered to rows of a batch that are not judged in it.

extension NewScore {
    /// The answer to a score that is not judged: it is refused, or else put off.
    func unjudged(_ refusal: ScoreOutcome?) -> ScoreReceipt {
        ScoreReceipt(
            outcome: refusal ?? .deferred, player: nil, id: id, board: nil, ties: nil, points: points, earned: 0,
            best: nil, improved: false, balance: nil)
    }
}

extension NewDonation {
    /// The answer to a donation that is not judged: it is refused, or else put off.
    func unjudged(_ refusal: DonationOutcome?) -> DonationReceipt {
        DonationReceipt(
            outcome: refusal ?? .deferred, row: nil, id: id, charity: nil, points: points, board: nil, ties: nil,
            balance: nil)
    }
}
