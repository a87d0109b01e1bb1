import Domain
import Storage
import Synchronization

/// Commits one batch after the other, each of all that was added while the one before was under way.
///
/// What is admitted, batched and put off is decided by ``WriteQueue``, and what follows a failure by ``CommitAttempt``.
final class CommitWorker: Sendable {
    private let store: Store
    private let clock: ServerClock
    private let commitBarrier: CommitBarrier
    private let queue = Mutex(WriteQueue<PendingWrite>())
    /// Signals that a write was added, or the queue closed.
    private let wakeup = AsyncSignal()

    init(store: Store, clock: ServerClock, commitBarrier: CommitBarrier) {
        self.store = store
        self.clock = clock
        self.commitBarrier = commitBarrier
    }

    /// Writes whose commit has not begun.
    var waitingCount: Int { queue.withLock { $0.count } }

    /// Returns after the score's commit.
    func receipt(of score: NewScore) async throws(StoreError) -> ScoreReceipt {
        try await withCheckedContinuation { answer in
            add(.score(PendingWrite.Waiter(row: score, arrivedAt: .now, answer: answer)))
        }.get()
    }

    /// Returns after the donation's commit.
    func receipt(of donation: NewDonation) async throws(StoreError) -> DonationReceipt {
        try await withCheckedContinuation { answer in
            add(.donation(PendingWrite.Waiter(row: donation, arrivedAt: .now, answer: answer)))
        }.get()
    }

    /// Takes no more; what has come is still committed.
    func close() {
        queue.withLock { $0.close() }
        wakeup.signal()
    }

    /// Commits what is added, until the queue is closed and empty. Cancellation closes it, and ends waits between
    /// commits.
    func run() async {
        await withTaskCancellationHandler {
            while let writes = await nextBatch() {
                let unjudged = await commit(writes)
                // Whoever has locked the players of all of them needs a moment.
                if unjudged.count == writes.count { try? await Task.sleep(for: .milliseconds(5)) }
                let isStopping = Task.isCancelled
                let givenUp = queue.withLock { $0.postpone(unjudged, now: .now, isStopping: isStopping) }
                for write in givenUp { write.fail(.overloaded) }
            }
        } onCancel: {
            close()
        }
    }

    private func add(_ write: PendingWrite) {
        do throws(StoreError) {
            try queue.withLock { queue throws(StoreError) in try queue.add(write) }
            wakeup.signal()
        } catch {
            write.fail(error)
        }
    }

    /// - Returns: Nil when there will be no more.
    private func nextBatch() async -> [PendingWrite]? {
        while true {
            switch queue.withLock({ $0.nextTurn(now: .now) }) {
            case .commit(let writes): return writes
            case .end: return nil
            case .wait: await wakeup.wait()
            }
        }
    }

    /// Commits writes and answers those who wait for them.
    /// - Returns: Writes that were not judged, and have had no answer.
    private func commit(_ writes: [PendingWrite]) async -> [PendingWrite] {
        var unjudged: [PendingWrite] = []
        var attempt = CommitAttempt(rows: writes.indices, giveUpAt: .now + .seconds(Limits.commitSecondsMax))
        while let part = attempt.nextPart {
            let batch = WriteBatch(writes[part.rows])
            let marker = commitBarrier.issue()
            do throws(CommitFailure) {
                let (scores, donations) = try await store.commit(
                    scores: batch.scores,
                    donations: batch.donations,
                    isRepeated: part.isRepeated,
                    marker: marker?.text,
                    now: clock.now
                )
                commitBarrier.whenSeen(marker) { batch.answer(scores, donations) }
                unjudged += batch.unjudged(scores, donations)
                attempt.succeeded()
            } catch {
                commitBarrier.forget(marker)
                switch attempt.failed(error, now: .now, isStopping: Task.isCancelled) {
                case .retry(let pause): try? await Task.sleep(for: pause)
                case .split: break
                case .refuse(let error): batch.fail(error)
                }
            }
        }
        return unjudged
    }
}
