import Concurrency
import Storage

/// Decides how the rows of one batch come to be committed or refused through failures: what is sent next, and what a
/// failure means. It neither sends nor waits.
///
/// A batch whose commit may have succeeded is sent again, and its statement recognises the rows that it has recorded. A
/// batch that the database rejects is sent in halves until the faulty row is alone, so that its neighbours do not fail
/// with it.
struct CommitAttempt {
    /// Rows that are sent together.
    struct Part: Equatable {
        /// Indices in the batch; empty only when the batch is.
        let rows: Range<Int>
        /// The rows were sent before, and it is unknown whether they were committed.
        fileprivate(set) var isRepeated = false
        /// The pauses before the part is sent again.
        fileprivate var backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(500))

        init(rows: Range<Int>, isRepeated: Bool = false) {
            self.rows = rows
            self.isRepeated = isRepeated
        }
    }

    /// What the worker does about a part that was not committed.
    enum Remedy: Equatable {
        /// The same part is sent again after a pause.
        case retry(after: Duration)
        /// Its first half is the next part, and then its second.
        case split
        /// The part's rows are answered with the error, and the attempt goes on with the next part.
        case refuse(StoreError)
    }

    private let giveUpAt: ContinuousClock.Instant
    /// Parts that are neither committed nor refused, the next one last. There is at most one of each size, so about
    /// log2 of the batch.
    private var parts: [Part]

    /// - Parameters:
    ///   - rows: Indices of all rows of the batch.
    ///   - giveUpAt: From then on nothing is sent again after a transient failure.
    init(rows: Range<Int>, giveUpAt: ContinuousClock.Instant) {
        self.giveUpAt = giveUpAt
        parts = [Part(rows: rows)]
    }

    /// The part to send next; nil once every row has been committed or refused.
    var nextPart: Part? { parts.last }

    /// The next part was committed.
    mutating func succeeded() { parts.removeLast() }

    /// The next part was not committed, or it is unknown whether it was.
    /// - Parameters:
    ///   - mayBeCommitted: Whether an earlier batch, which put off rows of the part, may have committed them.
    ///   - isStopping: Whether nothing is sent again after a transient failure.
    mutating func failed(
        _ failure: CommitFailure, mayBeCommitted: Bool = false, now: ContinuousClock.Instant, isStopping: Bool
    ) -> Remedy {
        var part = parts.removeLast()
        if failure.mayHaveCommitted || mayBeCommitted { part.isRepeated = true }
        switch failure.error {
        case .bug where part.rows.count > 1:
            let middle = part.rows.lowerBound + part.rows.count / 2
            parts.append(Part(rows: middle..<part.rows.upperBound, isRepeated: part.isRepeated))
            parts.append(Part(rows: part.rows.lowerBound..<middle, isRepeated: part.isRepeated))
            return .split
        case .unavailable, .overloaded, .crowded, .formerPrimary:
            // Only rows that may have been committed are worth a wait, because sending them again tells. Others are
            // refused at once, as nothing was recorded.
            guard part.isRepeated, !isStopping, now < giveUpAt else { return .refuse(failure.error) }
            let pause = part.backoff.next()
            parts.append(part)
            return .retry(after: pause)
        case .bug: return .refuse(failure.error)
        }
    }
}
