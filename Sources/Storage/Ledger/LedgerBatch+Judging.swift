import Domain
import Postgres

// What becomes of the rows, by the rules of Domain.
extension LedgerBatch {
    func judgeScores(
        _ turns: [Turn],
        _ ground: Ground,
        on connection: Connection,
        _ answer: inout Answer
    ) async throws(PostgresError) -> [ScoreWrite] {
        let rules = ground.rules
        let looksBack = turns.indices.filter { row in
            let score = scores[turns[row].index]
            guard ground.wallets[turns[row].player] != nil else { return false }
            return ground.places[row].isKnown || score.hasNoClientID || score.isClassic
                || rules[row]?.looksBack ?? false
        }
        var recalled: [Int: RecalledScore] = [:]
        if !looksBack.isEmpty {
            let rows = try await connection.rows(
                ScoresRecall(
                    players: looksBack.map { turns[$0].player },
                    scores: looksBack.map { scores[turns[$0].index] },
                    boards: looksBack.map { rules[$0]?.board },
                    days: looksBack.map { ground.places[$0].day }
                )
            )
            for (row, found) in zip(looksBack, rows) { recalled[row] = found }
        }
        var recorded: [ScoreWrite] = []
        for (row, turn) in turns.enumerated() {
            guard let wallet = ground.wallets[turn.player] else { continue }
            let (score, places) = (scores[turn.index], ground.places[row])
            let judgement = ScoreJudgement(
                score,
                of: turn.player,
                on: ScoreGround(
                    wallet: wallet,
                    rules: rules[row],
                    day: places.day,
                    standing: places.standing,
                    tally: places.tally,
                    recalled: recalled[row]
                ),
                isRepeated: isRepeated
            )
            answer.scores[turn.index] = judgement.receipt
            if let entry = judgement.entry {
                recorded.append(ScoreWrite(player: turn.player, score: score, entry: entry, before: places))
            }
        }
        return recorded
    }

    func judgeDonations(
        _ turns: [Turn],
        _ ground: Ground,
        on connection: Connection,
        _ answer: inout Answer
    ) async throws(PostgresError) -> [DonationWrite] {
        let looksBack = turns.indices.filter { row in
            ground.wallets[turns[row].player] != nil
                && (ground.charities[row].isKnown || donations[turns[row].index].hasNoClientID)
        }
        var recalled: [Int: RecalledDonation] = [:]
        if !looksBack.isEmpty {
            let rows = try await connection.rows(
                DonationsRecall(
                    players: looksBack.map { turns[$0].player },
                    donations: looksBack.map { donations[turns[$0].index] },
                    charities: looksBack.map { ground.charities[$0].charity?.id }
                )
            )
            for (row, found) in zip(looksBack, rows) { recalled[row] = found }
        }
        var recorded: [DonationWrite] = []
        for (row, turn) in turns.enumerated() {
            guard let wallet = ground.wallets[turn.player] else { continue }
            let donation = donations[turn.index]
            let judgement = DonationJudgement(
                donation,
                of: turn.player,
                on: DonationGround(wallet: wallet, charity: ground.charities[row].charity, recalled: recalled[row]),
                isRepeated: isRepeated
            )
            answer.donations[turn.index] = judgement.receipt
            if let charity = judgement.charity {
                recorded.append(DonationWrite(player: turn.player, donation: donation, charity: charity))
            }
        }
        return recorded
    }
}
