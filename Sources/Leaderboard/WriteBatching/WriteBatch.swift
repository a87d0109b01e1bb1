import Domain
import Storage

/// A score or a donation that waits for its commit, with the continuation of the task that waits for the receipt.
enum PendingWrite: Sendable, QueuedWrite {
    case score(Waiter<NewScore, ScoreReceipt>)
    case donation(Waiter<NewDonation, DonationReceipt>)

    struct Waiter<Row: Sendable, Receipt: Sendable>: Sendable {
        let row: Row
        let arrivedAt: ContinuousClock.Instant
        let answer: CheckedContinuation<Result<Receipt, StoreError>, Never>
        /// Nil unless the request is traced.
        var trace: WriteTrace?
        /// The row was sent before, and it is unknown whether it was committed.
        var mayBeCommitted = false
    }

    var caller: Caller {
        switch self {
        case .score(let waiter): waiter.row.caller.withoutClaims
        case .donation(let waiter): waiter.row.caller.withoutClaims
        }
    }

    var arrivedAt: ContinuousClock.Instant {
        switch self {
        case .score(let waiter): waiter.arrivedAt
        case .donation(let waiter): waiter.arrivedAt
        }
    }

    var bytesCount: Int {
        switch self {
        case .score(let waiter): waiter.row.bytesCount
        case .donation(let waiter): waiter.row.bytesCount
        }
    }

    var trace: WriteTrace? {
        switch self {
        case .score(let waiter): waiter.trace
        case .donation(let waiter): waiter.trace
        }
    }

    func fail(_ error: StoreError) {
        switch self {
        case .score(let waiter): waiter.answer.resume(returning: .failure(error))
        case .donation(let waiter): waiter.answer.resume(returning: .failure(error))
        }
    }
}

extension NewScore {
    /// About how many bytes the score takes in memory while it waits: its texts, and what every score has.
    var bytesCount: Int {
        Limits.pendingWriteOverheadBytes + (detail?.utf8.count ?? 0) + (name?.description.utf8.count ?? 0)
    }
}

extension NewDonation {
    /// About how many bytes the donation takes in memory while it waits.
    var bytesCount: Int {
        Limits.pendingWriteOverheadBytes + charity.text.utf8.count + (charity.folded?.utf8.count ?? 0)
    }
}

/// Scores and donations that are sent together, at most one of each caller. The store takes the two kinds apart and
/// returns the receipts of each kind in order.
struct WriteBatch: Sendable {
    private let scoreWaiters: [PendingWrite.Waiter<NewScore, ScoreReceipt>]
    private let donationWaiters: [PendingWrite.Waiter<NewDonation, DonationReceipt>]

    init(_ writes: ArraySlice<PendingWrite>) {
        scoreWaiters = writes.compactMap { if case .score(let waiter) = $0 { waiter } else { nil } }
        donationWaiters = writes.compactMap { if case .donation(let waiter) = $0 { waiter } else { nil } }
    }

    var scores: [NewScore] { scoreWaiters.map(\.row) }
    var donations: [NewDonation] { donationWaiters.map(\.row) }

    /// Whether any row was sent before, and it is unknown whether it was committed.
    var mayBeCommitted: Bool {
        scoreWaiters.contains { $0.mayBeCommitted } || donationWaiters.contains { $0.mayBeCommitted }
    }

    /// Answers every write with an error.
    func fail(_ error: StoreError) {
        for waiter in scoreWaiters { waiter.answer.resume(returning: .failure(error)) }
        for waiter in donationWaiters { waiter.answer.resume(returning: .failure(error)) }
    }

    /// Answers the writes whose rows were judged.
    func answer(_ scores: [ScoreReceipt], _ donations: [DonationReceipt]) {
        for (waiter, receipt) in zip(scoreWaiters, scores) where receipt.outcome != .deferred {
            waiter.answer.resume(returning: .success(receipt))
        }
        for (waiter, receipt) in zip(donationWaiters, donations) where receipt.outcome != .deferred {
            waiter.answer.resume(returning: .success(receipt))
        }
    }

    /// When the writes arrived whose rows were judged.
    func arrivals(_ scores: [ScoreReceipt], _ donations: [DonationReceipt]) -> [ContinuousClock.Instant] {
        zip(scoreWaiters, scores).compactMap { $1.outcome == .deferred ? nil : $0.arrivedAt }
            + zip(donationWaiters, donations).compactMap { $1.outcome == .deferred ? nil : $0.arrivedAt }
    }

    /// The writes that were not judged. They have had no answer and are to be sent again.
    /// - Parameters:
    ///   - long: Indices of scores that go to another worker.
    ///   - capped: Indices of donations that go to another worker.
    ///   - mayBeCommitted: Whether an earlier attempt at them may have been committed.
    func deferred(
        _ scores: [ScoreReceipt], _ donations: [DonationReceipt], but long: [Int] = [], _ capped: [Int] = [],
        mayBeCommitted: Bool
    ) -> [PendingWrite] {
        let scores = scores.indices.filter { scores[$0].outcome == .deferred && !long.contains($0) }
        let donations = donations.indices.filter { donations[$0].outcome == .deferred && !capped.contains($0) }
        return self.scores(at: scores, mayBeCommitted: mayBeCommitted)
            + self.donations(at: donations, mayBeCommitted: mayBeCommitted)
    }

    /// Scores that are to be sent again.
    func scores(at indices: [Int], mayBeCommitted: Bool) -> [PendingWrite] {
        indices.map { index in
            var waiter = scoreWaiters[index]
            waiter.mayBeCommitted = mayBeCommitted
            return .score(waiter)
        }
    }

    /// Donations that are to be sent again.
    func donations(at indices: [Int], mayBeCommitted: Bool) -> [PendingWrite] {
        indices.map { index in
            var waiter = donationWaiters[index]
            waiter.mayBeCommitted = mayBeCommitted
            return .donation(waiter)
        }
    }
}
