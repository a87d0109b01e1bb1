import Concurrency
import Domain
import Storage
import Synchronization

/// Commits one batch after the other. Each batch takes the writes that were added while the one before was under way.
///
/// ``WriteQueue`` decides what is admitted, batched and put off, and ``CommitAttempt`` what follows a failure.
final class CommitWorker: Sendable {
    private let store: Store
    private let clock: ServerClock
    private let commitBarrier: CommitBarrier
    private let callers: KnownCallers
    private let histories: LongHistories
    private let memory: BatchMemory
    private let meters: WriteMeters
    /// The workers that commit slow posts; nil if this is one of them.
    private let patient: PatientWorkers?
    private let queue: Mutex<WriteQueue<PendingWrite>>
    /// Signals that a write was added, or the queue closed.
    private let wakeup = AsyncSignal()
    private let isFailing = Atomic(false)

    init(
        store: Store, clock: ServerClock, commitBarrier: CommitBarrier, callers: KnownCallers, histories: LongHistories,
        memory: BatchMemory, meters: WriteMeters, bounds: WriteQueue<PendingWrite>.Bounds, patient: PatientWorkers?
    ) {
        queue = Mutex(WriteQueue(bounds: bounds))
        self.patient = patient
        self.store = store
        self.clock = clock
        self.commitBarrier = commitBarrier
        self.callers = callers
        self.histories = histories
        self.memory = memory
        self.meters = meters
    }

    /// Writes whose commit has not begun.
    var pendingWritesCount: Int { queue.withLock { $0.count } }

    /// When the commit that is under way began.
    var committingSince: ContinuousClock.Instant? { queue.withLock { $0.committingSince } }

    /// Whether the latest commit that was tried failed.
    var hasFailed: Bool { isFailing.load(ordering: .relaxed) }

    /// Adds a score and returns its receipt after its commit.
    /// - Throws: When the score was not admitted, or its commit failed or may have failed.
    func receipt(of score: NewScore) async throws(StoreError) -> ScoreReceipt {
        try await withCheckedContinuation { answer in
            add(.score(PendingWrite.Waiter(row: score, arrivedAt: .now, answer: answer, trace: .current)))
        }.get()
    }

    /// Adds a donation and returns its receipt after its commit.
    /// - Throws: When the donation was not admitted, or its commit failed or may have failed.
    func receipt(of donation: NewDonation) async throws(StoreError) -> DonationReceipt {
        try await withCheckedContinuation { answer in
            add(.donation(PendingWrite.Waiter(row: donation, arrivedAt: .now, answer: answer, trace: .current)))
        }.get()
    }

    /// Admits no more writes; those in the queue are still committed.
    func close() {
        queue.withLock { $0.close() }
        wakeup.signal()
    }

    /// Commits what is added until the queue is closed and empty. Cancellation closes the queue and ends the waits
    /// between commits.
    func run() async {
        await withTaskCancellationHandler {
            while let writes = await nextBatch() {
                let deferred = await commit(writes)
                let isStopping = Task.isCancelled
                let givenUp = queue.withLock { $0.postpone(deferred, now: .now, isStopping: isStopping) }
                meters.deferred(deferred.count - givenUp.count)
                if !givenUp.isEmpty { meters.refused(givenUp.count, .overloaded) }
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
            meters.refused(1, error)
            write.fail(error)
        }
    }

    /// - Returns: The next batch; nil when the queue is closed and empty.
    private func nextBatch() async -> [PendingWrite]? {
        while true {
            switch queue.withLock({ $0.nextTurn(now: .now) }) {
            case .commit(let writes): return writes
            case .end: return nil
            case .wait(until: nil): await wakeup.wait()
            case .wait(until: .some) where Task.isCancelled:
                // No wait lasts any longer, so those that were put off are told now.
                let givenUp = queue.withLock { $0.giveUpDeferred() }
                if !givenUp.isEmpty { meters.refused(givenUp.count, .overloaded) }
                for write in givenUp { write.fail(.overloaded) }
            case .wait(until: let due?):
                let alarm = Task {
                    try? await Task.sleep(until: due)
                    wakeup.signal()
                }
                await wakeup.wait()
                alarm.cancel()
            }
        }
    }

    /// Commits writes and answers the tasks that wait for them.
    /// - Returns: The writes that were not judged, which have had no answer.
    private func commit(_ writes: [PendingWrite]) async -> [PendingWrite] {
        var deferred: [PendingWrite] = []
        for write in writes { write.trace?.waited(since: write.arrivedAt) }
        var attempt = CommitAttempt(rows: writes.indices, giveUpAt: .now + .seconds(Limits.commitSecondsMax))
        while let part = attempt.nextPart {
            let batch = WriteBatch(writes[part.rows])
            // A row that may have been committed stays one when it is put off into another batch.
            let isRepeated = part.isRepeated || batch.mayBeCommitted
            let marker = commitBarrier.issue()
            let trace = BatchTrace(writes[part.rows])
            let startedAt = ContinuousClock.now
            do throws(CommitFailure) {
                let answer = try await store.commit(
                    scores: batch.scores, donations: batch.donations, isRepeated: isRepeated,
                    putsOffLong: patient != nil, histories: histories, marker: marker?.text, known: callers,
                    memory: patient == nil ? nil : memory, now: clock.now, trace: trace?.context)
                let (scores, donations) = (answer.scores, answer.donations)
                if answer.isJudged || answer.oneTrip == .broken { meters.judged(answer.oneTrip) }
                meters.tried(since: startedAt, isCommitted: true)
                isFailing.store(false, ordering: .relaxed)
                meters.committed(batch.arrivals(scores, donations), since: startedAt)
                let standings = trace?.committed()
                if marker == nil || answer.isJudged {
                    commitBarrier.whenSeen(marker) {
                        standings?.end()
                        batch.answer(scores, donations)
                    }
                } else {
                    // The batch has changed nothing, so there is nothing to wait for.
                    commitBarrier.forget(marker)
                    standings?.end()
                    batch.answer(scores, donations)
                }
                deferred += batch.deferred(
                    scores, donations, but: answer.long, answer.capped, mayBeCommitted: isRepeated)
                for write in batch.scores(at: answer.long, mayBeCommitted: isRepeated) { patient?.long.add(write) }
                for write in batch.donations(at: answer.capped, mayBeCommitted: isRepeated) {
                    patient?.capped.add(write)
                }
                attempt.succeeded()
            } catch {
                commitBarrier.forget(marker)
                meters.tried(since: startedAt, isCommitted: false)
                isFailing.store(true, ordering: .relaxed)
                trace?.failed(error.error)
                let isStopping = Task.isCancelled
                switch attempt.failed(error, mayBeCommitted: isRepeated, now: .now, isStopping: isStopping) {
                case .retry(let pause): try? await Task.sleep(for: pause)
                case .split: break
                case .refuse(let error):
                    meters.refused(part.rows.count, error)
                    batch.fail(error)
                }
            }
        }
        return deferred
    }
}

/// The workers for slow posts, so that other posts do not wait for them.
struct PatientWorkers: Sendable {
    /// Commits scores that fund their player's donations again, and scores that need a long history.
    let long: CommitWorker
    /// Commits donations to charities that have a cap. Each batch waits until no other transaction, of this process or
    /// another one, judges donations to one of its charities.
    let capped: CommitWorker
    var all: [CommitWorker] { [long, capped] }
}
