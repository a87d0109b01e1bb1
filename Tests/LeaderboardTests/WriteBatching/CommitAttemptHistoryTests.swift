import TestDice
import Testing

@testable import Leaderboard
@testable import Storage

/// Random batches against a database that loses connections and rejects some rows.
@Suite struct CommitAttemptHistoryTests {
    /// A database in memory. It checks whether it has recorded a row only when it is told that the row may come twice,
    /// as the real one does with rows without a client's id.
    struct Database {
        let refused: Set<Int>
        var recordings: [Int: Int] = [:]
        var dice: Dice
        let failurePercent: Int

        mutating func commit(_ part: CommitAttempt.Part) throws(CommitFailure) {
            let fate = dice.percent(failurePercent) ? dice.pick(["before", "not sent", "after"]) : "well"
            if fate == "not sent" { throw CommitFailure(error: .overloaded, mayHaveCommitted: false) }
            if fate == "before" { throw CommitFailure(error: .unavailable, mayHaveCommitted: true) }
            guard refused.isDisjoint(with: part.rows) else {
                throw CommitFailure(error: .wrongRowCount, mayHaveCommitted: false)
            }
            for row in part.rows where !part.isRepeated || recordings[row] == nil { recordings[row, default: 0] += 1 }
            if fate == "after" { throw CommitFailure(error: .unavailable, mayHaveCommitted: true) }
        }
    }

    @Test("whatever fails, every row has one answer, and none is recorded twice", arguments: Dice.seeds(1...200))
    func anything(seed: UInt64) {
        var dice = Dice(seed: seed)
        let rows = 0..<Int.random(in: 1...40, using: &dice)
        let refused = Set(rows.filter { _ in dice.percent(5) })
        var database = Database(refused: refused, dice: dice, failurePercent: dice.pick([0, 30, 80]))
        var now = ContinuousClock.now
        let giveUpAt = now + .seconds(10)
        var attempt = CommitAttempt(rows: rows, giveUpAt: giveUpAt)
        var answered: [Int] = []
        while let part = attempt.nextPart {
            now += .milliseconds(Int.random(in: 0...400, using: &dice))
            do throws(CommitFailure) {
                try database.commit(part)
                attempt.succeeded()
                answered += part.rows
                #expect(part.rows.allSatisfy { database.recordings[$0] == 1 }, "seed \(seed)")
            } catch {
                switch attempt.failed(error, now: now, isStopping: false) {
                case .retry(let pause): now += pause
                case .split: break
                case .refuse(.bug):
                    answered += part.rows
                    #expect(part.rows.count == 1 && refused.isSuperset(of: part.rows), "seed \(seed)")
                case .refuse:
                    answered += part.rows
                    #expect(now >= giveUpAt || !part.isRepeated && !error.mayHaveCommitted, "seed \(seed)")
                }
            }
        }
        #expect(answered == Array(rows), "seed \(seed)")
        #expect(database.recordings.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        #expect(refused.isDisjoint(with: database.recordings.keys), "seed \(seed)")
    }
}
