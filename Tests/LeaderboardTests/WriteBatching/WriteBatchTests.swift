import Domain
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct WriteBatchTests {
    /// The answer that a write got.
    enum Answer: Equatable {
        case score(ScoreReceipt)
        case donation(DonationReceipt)
        case failure(StoreError)
    }

    /// Gathers writes until all of them wait.
    private final class Gathering: Sendable {
        private let count: Int
        private let body: @Sendable ([PendingWrite]) -> Void
        private let waiting = Mutex<[Int: PendingWrite]>([:])

        init(_ count: Int, _ body: @escaping @Sendable ([PendingWrite]) -> Void) {
            self.count = count
            self.body = body
        }

        /// Runs `body` when this is the last one, with all in the order of their indices.
        func add(_ write: PendingWrite, at index: Int) {
            let all = waiting.withLock { waiting in
                waiting[index] = write
                return waiting.count == count ? (0..<count).compactMap { waiting[$0] } : nil
            }
            if let all { body(all) }
        }

        func answer(_ row: NewScore, at index: Int) async -> Answer {
            let result = await withCheckedContinuation { answer in
                add(.score(PendingWrite.Waiter(row: row, arrivedAt: .now, answer: answer)), at: index)
            }
            return switch result {
            case .success(let receipt): .score(receipt)
            case .failure(let error): .failure(error)
            }
        }

        func answer(_ row: NewDonation, at index: Int) async -> Answer {
            let result = await withCheckedContinuation { answer in
                add(.donation(PendingWrite.Waiter(row: row, arrivedAt: .now, answer: answer)), at: index)
            }
            return switch result {
            case .success(let receipt): .donation(receipt)
            case .failure(let error): .failure(error)
            }
        }
    }

    /// Makes a number of waiting writes, every third one a donation, and runs `body` once all of them wait.
    /// - Returns: The answer of each write.
    private static func answers(to count: Int, after body: @escaping @Sendable ([PendingWrite]) -> Void) async
        -> [Answer]
    {
        let gathering = Gathering(count, body)
        return await withTaskGroup(of: (index: Int, answer: Answer).self) { group in
            for index in 0..<count {
                let caller = Caller.player(Player.ID(rawValue: Int64(index)))
                let arrival = Instant(microsecondsSince1970: 0)
                group.addTask {
                    if index % 3 == 2 {
                        let row = NewDonation(
                            Int64(index), by: caller, to: CharityName(.of("sea")), id: nil, reachedAt: arrival)
                        return (index, await gathering.answer(row, at: index))
                    }
                    let row = NewScore(
                        Int64(index), by: caller, on: .of("race"), in: .of("quiz"), id: nil, reachedAt: arrival)
                    return (index, await gathering.answer(row, at: index))
                }
            }
            var answers: [(index: Int, answer: Answer)] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.index < $1.index }.map(\.answer)
        }
    }

    private static func receipt(_ score: NewScore, _ outcome: ScoreOutcome) -> ScoreReceipt {
        ScoreReceipt(
            outcome: outcome, player: nil, id: score.id, board: nil, ties: nil, points: score.points, earned: 0,
            best: nil, improved: false, balance: nil)
    }

    private static func receipt(_ donation: NewDonation, _ outcome: DonationOutcome) -> DonationReceipt {
        DonationReceipt(
            outcome: outcome, row: nil, id: donation.id, charity: nil, points: donation.points, board: nil, ties: nil,
            balance: nil)
    }

    /// The points that a write's receipt names, which here are its index; nil for a failure.
    private static func points(_ answer: Answer) -> Int64? {
        switch answer {
        case .score(let receipt): receipt.points
        case .donation(let receipt): receipt.points
        case .failure: nil
        }
    }

    @Test("scores and donations are sent apart, each in its order, and every write gets its own receipt")
    func ownReceipts() async {
        let answers = await Self.answers(to: 7) { writes in
            let batch = WriteBatch(writes[...])
            #expect(batch.scores.map(\.points) == [0, 1, 3, 4, 6] && batch.donations.map(\.points) == [2, 5])
            let scores = batch.scores.map { Self.receipt($0, .recorded) }
            let donations = batch.donations.map { Self.receipt($0, .overspent) }
            #expect(batch.deferred(scores, donations, mayBeCommitted: true).isEmpty)
            batch.answer(scores, donations)
        }
        #expect(answers.map(Self.points) == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test("writes that were not judged get no answer, and come again") func comeAgain() async {
        let answers = await Self.answers(to: 9) { writes in
            let batch = WriteBatch(writes[...])
            let later: Set<Int64> = [1, 2, 6, 8]
            let scores = batch.scores.map { Self.receipt($0, later.contains($0.points) ? .deferred : .recorded) }
            let donations = batch.donations.map { Self.receipt($0, later.contains($0.points) ? .deferred : .recorded) }
            batch.answer(scores, donations)
            let second = WriteBatch(batch.deferred(scores, donations, mayBeCommitted: false)[...])
            #expect(!batch.mayBeCommitted && !second.mayBeCommitted)
            // Rows whose commit was lost stay such rows in whatever batch they come, beside any others.
            let unknown = batch.deferred(scores, donations, mayBeCommitted: true)
            #expect(unknown.allSatisfy { WriteBatch([$0]).mayBeCommitted } && unknown.count == 4)
            #expect(second.scores.map(\.points) == [1, 6] && second.donations.map(\.points) == [2, 8])
            // An answer to any of the others would be their second one, which traps.
            second.answer(
                second.scores.map { Self.receipt($0, .conflict) }, second.donations.map { Self.receipt($0, .conflict) })
        }
        #expect(answers.map(Self.points) == [0, 1, 2, 3, 4, 5, 6, 7, 8])
        let again = answers.indices.filter { index in
            switch answers[index] {
            case .score(let receipt): receipt.outcome == .conflict
            case .donation(let receipt): receipt.outcome == .conflict
            case .failure: false
            }
        }
        #expect(again == [1, 2, 6, 8])
    }

    @Test("a part of a batch has the rows of that part, and only they are told that it failed") func parts() async {
        let answers = await Self.answers(to: 6) { writes in
            WriteBatch(writes[2..<5]).fail(.overloaded)
            for index in [0, 1, 5] { writes[index].fail(.unavailable) }
        }
        let (rest, part) = (Answer.failure(.unavailable), Answer.failure(.overloaded))
        #expect(answers == [rest, rest, part, part, part, rest])
    }

    @Test("a write knows whose it is and when it came, whichever it is") func callers() async {
        let before = ContinuousClock.now
        _ = await Self.answers(to: 3) { writes in
            #expect(writes.map(\.caller.player?.rawValue) == [0, 1, 2])
            #expect(writes.allSatisfy { (before...ContinuousClock.now).contains($0.arrivedAt) })
            for write in writes { write.fail(.unavailable) }
        }
    }
}
