import Storage

/// How the rows of one batch come to be committed or refused, through failures: what is sent next, and what a failure
/// means.
///
/// A batch whose commit may have gone through is sent again, and its statement then knows the rows it has recorded. A
/// batch that the database does not take is sent in halves, until the row that is at fault stands alone: its neighbours
/// must not pay for it. Decisions only: nothing here sends or waits.
struct CommitAttempt {
    /// Rows that are sent together.
    struct Part: Equatable {
        /// Indices in the batch; never empty unless the batch is.
        let rows: Range<Int>
        /// These rows were sent before, and nobody knows whether they were committed.
        fileprivate(set) var isRepeated = false
        /// How long to wait before it is sent again.
        fileprivate var pause = Duration.milliseconds(10)

        init(rows: Range<Int>, isRepeated: Bool = false) {
            self.rows = rows
            self.isRepeated = isRepeated
        }
    }

    /// What is done about a part that was not committed.
    enum Remedy: Equatable {
        /// The same part is sent again after a pause.
        case retry(after: Duration)
        /// Its first half is the next part, and then its second.
        case split
        /// Its rows are answered with the error, and the attempt goes on with the next part.
        case refuse(StoreError)
    }

    /// Not more than this lies between two times that a part is sent.
    private static let pauseMax = Duration.milliseconds(500)

    private let giveUpAt: ContinuousClock.Instant
    /// Parts that are neither committed nor refused, the next one last: one of each size at most, so about log2 of the
    /// batch.
    private var parts: [Part]

    /// - Parameters:
    ///   - rows: Indices of all rows of the batch.
    ///   - giveUpAt: From then on nothing is sent again after a failure that may pass.
    init(rows: Range<Int>, giveUpAt: ContinuousClock.Instant) {
        self.giveUpAt = giveUpAt
        parts = [Part(rows: rows)]
    }

    /// What is to be sent; nil once every row has been committed or refused.
    var nextPart: Part? { parts.last }

    /// The next part was committed.
    mutating func succeeded() {
        parts.removeLast()
    }

    /// The next part was not committed, or nobody knows.
    /// - Parameter isStopping: Nothing is sent again after a failure that may pass.
    mutating func failed(_ failure: CommitFailure, now: ContinuousClock.Instant, isStopping: Bool) -> Remedy {
        var part = parts.removeLast()
        if failure.mayHaveCommitted { part.isRepeated = true }
        switch failure.error {
        case .bug where part.rows.count > 1:
            let middle = part.rows.lowerBound + part.rows.count / 2
            parts.append(Part(rows: middle..<part.rows.upperBound, isRepeated: part.isRepeated))
            parts.append(Part(rows: part.rows.lowerBound..<middle, isRepeated: part.isRepeated))
            return .split
        case .unavailable, .overloaded:
            // Only rows that may have been committed are worth a wait: sent again, they tell. Others are refused at
            // once, and nothing was recorded.
            guard part.isRepeated, !isStopping, now < giveUpAt else { return .refuse(failure.error) }
            let pause = part.pause
            part.pause = min(pause * 2, Self.pauseMax)
            parts.append(part)
            return .retry(after: pause)
        case .bug:
            return .refuse(failure.error)
        }
    }
}
