import Testing

@testable import Leaderboard
@testable import Storage

@Suite struct CommitAttemptTests {
    typealias Part = CommitAttempt.Part

    private static let start = ContinuousClock.now
    private static let unknown = CommitFailure(error: .unavailable, mayHaveCommitted: true)
    private static let notSent = CommitFailure(error: .unavailable, mayHaveCommitted: false)
    private static let bug = CommitFailure(error: .wrongRowCount, mayHaveCommitted: false)

    /// An attempt with a number of rows, which gives up 10 s after the start.
    private static func attempt(rows: Int) -> CommitAttempt {
        CommitAttempt(rows: 0..<rows, giveUpAt: start + .seconds(10))
    }

    @Test("a batch that is committed is sent once") func once() {
        var attempt = Self.attempt(rows: 5)
        #expect(attempt.nextPart == Part(rows: 0..<5))
        attempt.succeeded()
        #expect(attempt.nextPart == nil)
    }

    @Test("rows that may have been committed are sent again, as such, after pauses that double up to half a second")
    func retries() {
        var attempt = Self.attempt(rows: 5)
        for milliseconds in [10, 20, 40, 80, 160, 320, 500, 500] {
            let remedy = attempt.failed(Self.unknown, now: Self.start, isStopping: false)
            #expect(remedy == .retry(after: .milliseconds(milliseconds)))
            #expect(attempt.nextPart?.rows == 0..<5 && attempt.nextPart?.isRepeated == true)
        }
        attempt.succeeded()
        #expect(attempt.nextPart == nil)
    }

    @Test(
        "rows that were certainly not committed are refused at once", arguments: [StoreError.unavailable, .overloaded])
    func notCommitted(_ error: StoreError) {
        var attempt = Self.attempt(rows: 5)
        let failure = CommitFailure(error: error, mayHaveCommitted: false)
        #expect(attempt.failed(failure, now: Self.start, isStopping: false) == .refuse(error))
        #expect(attempt.nextPart == nil)
    }

    @Test("rows that may have been committed once are sent again after any failure that may pass") func staysRepeated()
    {
        var attempt = Self.attempt(rows: 5)
        _ = attempt.failed(Self.unknown, now: Self.start, isStopping: false)
        for error in [StoreError.unavailable, .overloaded] {
            let remedy = attempt.failed(
                CommitFailure(error: error, mayHaveCommitted: false), now: Self.start, isStopping: false)
            guard case .retry = remedy else {
                Issue.record("\(remedy) after \(error)")
                return
            }
            #expect(attempt.nextPart?.isRepeated == true)
        }
    }

    @Test("rows that were put off, and may have been committed before that, are sent again after their first failure")
    func putOff() {
        for error in [StoreError.unavailable, .overloaded] {
            var attempt = Self.attempt(rows: 5)
            let failure = CommitFailure(error: error, mayHaveCommitted: false)
            let remedy = attempt.failed(failure, mayBeCommitted: true, now: Self.start, isStopping: false)
            #expect(remedy == .retry(after: .milliseconds(10)))
            #expect(attempt.nextPart?.rows == 0..<5 && attempt.nextPart?.isRepeated == true)
        }
    }

    @Test("nothing is sent again once it is time to give up") func givesUp() {
        var attempt = Self.attempt(rows: 5)
        let before = Self.start + .seconds(10) - .nanoseconds(1)
        #expect(attempt.failed(Self.unknown, now: before, isStopping: false) == .retry(after: .milliseconds(10)))
        let after = Self.start + .seconds(10)
        #expect(attempt.failed(Self.unknown, now: after, isStopping: false) == .refuse(.unavailable))
        #expect(attempt.nextPart == nil)
    }

    @Test("nothing is sent again by a worker that stops") func stops() {
        var attempt = Self.attempt(rows: 5)
        #expect(attempt.failed(Self.unknown, now: Self.start, isStopping: true) == .refuse(.unavailable))
        #expect(attempt.nextPart == nil)
    }

    @Test("a batch that the database does not take is sent in halves, the first one first") func splits() {
        var attempt = Self.attempt(rows: 5)
        #expect(attempt.failed(Self.bug, now: Self.start, isStopping: false) == .split)
        #expect(attempt.nextPart == Part(rows: 0..<2))
        attempt.succeeded()
        #expect(attempt.nextPart == Part(rows: 2..<5))
        #expect(attempt.failed(Self.bug, now: Self.start, isStopping: false) == .split)
        #expect(attempt.nextPart == Part(rows: 2..<3))
        #expect(attempt.failed(Self.bug, now: Self.start, isStopping: false) == .refuse(.wrongRowCount))
        #expect(attempt.nextPart == Part(rows: 3..<5))
        attempt.succeeded()
        #expect(attempt.nextPart == nil)
    }

    @Test("halves are sent even when it is time to give up, and by a worker that stops") func splitsLate() {
        var attempt = Self.attempt(rows: 4)
        #expect(attempt.failed(Self.bug, now: Self.start + .seconds(11), isStopping: true) == .split)
    }

    @Test("halves of rows that may have been committed are repeated, and their pauses begin anew") func repeatedHalves()
    {
        var attempt = Self.attempt(rows: 4)
        _ = attempt.failed(Self.unknown, now: Self.start, isStopping: false)
        #expect(attempt.failed(Self.bug, now: Self.start, isStopping: false) == .split)
        for rows in [0..<2, 2..<4] {
            #expect(attempt.nextPart == Part(rows: rows, isRepeated: true))
            let remedy = attempt.failed(Self.unknown, now: Self.start, isStopping: false)
            #expect(remedy == .retry(after: .milliseconds(10)))
            attempt.succeeded()
        }
        #expect(attempt.nextPart == nil)
    }

    @Test("a lost connection in one half says nothing of the other") func halvesAreApart() {
        var attempt = Self.attempt(rows: 4)
        _ = attempt.failed(Self.bug, now: Self.start, isStopping: false)
        _ = attempt.failed(Self.unknown, now: Self.start, isStopping: false)
        attempt.succeeded()
        #expect(attempt.nextPart == Part(rows: 2..<4))
        #expect(attempt.failed(Self.notSent, now: Self.start, isStopping: false) == .refuse(.unavailable))
    }

    @Test("a bug that may have committed makes its halves repeated") func unknownBug() {
        var attempt = Self.attempt(rows: 2)
        let failure = CommitFailure(error: .wrongRowCount, mayHaveCommitted: true)
        #expect(attempt.failed(failure, now: Self.start, isStopping: false) == .split)
        #expect(attempt.nextPart == Part(rows: 0..<1, isRepeated: true))
    }

    @Test(
        "one row at fault is found in a batch of any size, and only it is refused",
        arguments: [1, 2, 3, 7, 64, 127, 128]) func findsTheRow(count: Int)
    {
        for culprit in 0..<count {
            var attempt = Self.attempt(rows: count)
            var (committed, refused, sendings) = ([Int](), [Int](), 0)
            while let part = attempt.nextPart, sendings < 100 {
                sendings += 1
                if part.rows.contains(culprit) {
                    let remedy = attempt.failed(Self.bug, now: Self.start, isStopping: false)
                    if remedy != .split { refused += part.rows }
                } else {
                    committed += part.rows
                    attempt.succeeded()
                }
            }
            #expect(refused == [culprit] && committed == (0..<count).filter { $0 != culprit })
            // There are two halves on each level below the whole batch, so 2 * log2 of 128 rows, and the batch itself.
            #expect(sendings <= 15)
        }
    }
}
