import Domain
import Storage
import Synchronization

/// One commit after the other, each of all that queued meanwhile.
final class CommitWorker: Sendable {
    fileprivate struct State {
        var queue: [PendingWrite] = []
        /// Of each caller in the queue: since when, and how many.
        var waiting: [Caller: (since: ContinuousClock.Instant, count: Int)] = [:]
        /// Whose players somebody else has locked: they go with every batch, and keep nobody else waiting.
        var putOff: [PendingWrite] = []
        /// Since when a row waits for which there was no room in a batch.
        var leftSince: ContinuousClock.Instant?
        /// When the commit began that is under way.
        var committingSince: ContinuousClock.Instant?
        var isClosed = false
    }

    private enum Turn {
        case commit(WriteBatch)
        case wait, end
    }

    private let store: Store
    private let clock: ServerClock
    private let commitBarrier: CommitBarrier
    private let state = Mutex(State())
    private let wakeup = AsyncSignal()

    init(store: Store, clock: ServerClock, commitBarrier: CommitBarrier) {
        self.store = store
        self.clock = clock
        self.commitBarrier = commitBarrier
    }

    func receipt(of score: NewScore) async throws(StoreError) -> ScoreReceipt {
        try await withCheckedContinuation {
            enqueue(.score(PendingWrite.Waiting(row: score, cameAt: .now, answer: $0)))
        }.get()
    }

    func receipt(of donation: NewDonation) async throws(StoreError) -> DonationReceipt {
        try await withCheckedContinuation {
            enqueue(.donation(PendingWrite.Waiting(row: donation, cameAt: .now, answer: $0)))
        }.get()
    }

    var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Takes no more; what has come is still committed.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }

    func run() async {
        await withTaskCancellationHandler {
            while let batch = await nextBatch() {
                var later = await commit(batch, until: .now + .seconds(Limits.commitSecondsMax))
                // Whoever has locked the players of all of them needs a moment.
                if later.count == batch.seats.count { try? await Task.sleep(for: .milliseconds(5)) }
                let limit = Task.isCancelled ? .now : ContinuousClock.now - .seconds(Limits.commitSecondsMax)
                for seat in later where seat.cameAt <= limit { seat.fail(.overloaded) }
                later.removeAll { $0.cameAt <= limit }
                state.withLock { $0.putOff = later }
            }
        } onCancel: {
            close()
        }
    }

    private func enqueue(_ seat: PendingWrite) {
        let refusal = state.withLock { state -> StoreError? in
            if state.isClosed { return .unavailable }
            let limit = Duration.milliseconds(Limits.pendingMillisecondsMax)
            func isLong(since: ContinuousClock.Instant?, _ limit: Duration) -> Bool {
                since.map { seat.cameAt - $0 > limit } ?? false
            }
            let own = state.waiting[seat.caller]
            guard state.queue.count < Limits.pendingWritesMax, own?.count ?? 0 < Limits.pendingWritesOfCallerMax,
                !isLong(since: own?.since, limit),
                !isLong(since: state.leftSince, limit), !isLong(since: state.committingSince, limit * 4)
            else { return .overloaded }
            state.add(seat)
            return nil
        }
        if let refusal { seat.fail(refusal) } else { wakeup.signal() }
    }

    /// - Returns: At most one row of each caller, in the order of their arrival; nil when there will be no more.
    private func nextBatch() async -> WriteBatch? {
        while true {
            switch state.withLock({ Self.turn(&$0) }) {
            case .commit(let batch): return batch
            case .end: return nil
            case .wait: await wakeup.wait()
            }
        }
    }

    private static func turn(_ state: inout State) -> Turn {
        state.committingSince = nil
        guard !state.queue.isEmpty || !state.putOff.isEmpty else { return state.isClosed ? .end : .wait }
        var seats = state.putOff
        var callers = Set(seats.map(\.caller))
        let queue = state.queue
        (state.putOff, state.queue, state.leftSince) = ([], [], nil)
        state.waiting.removeAll(keepingCapacity: true)
        for seat in queue {
            if seats.count < Limits.batchRowsMax, callers.insert(seat.caller).inserted {
                seats.append(seat)
            } else {
                if seats.count >= Limits.batchRowsMax, state.leftSince == nil { state.leftSince = seat.cameAt }
                state.add(seat)
            }
        }
        state.committingSince = .now
        return .commit(WriteBatch(seats))
    }

    /// Commits rows and answers those who wait for them.
    /// - Parameters:
    ///   - giveUp: When it stops asking again after a lost connection.
    ///   - isRepeated: They may have been committed already.
    /// - Returns: Rows that were not judged, and come again.
    private func commit(_ batch: WriteBatch, until giveUp: ContinuousClock.Instant, isRepeated: Bool = false) async
        -> [PendingWrite]
    {
        var isRepeated = isRepeated
        var pause = Duration.milliseconds(10)
        while true {
            let marker = commitBarrier.issue()
            do throws(CommitFailure) {
                let (scores, donations) = try await store.commit(
                    scores: batch.scores,
                    donations: batch.donations,
                    isRepeated: isRepeated,
                    marker: marker?.text,
                    now: clock.now
                )
                commitBarrier.whenSeen(marker) { batch.answer(scores, donations) }
                return batch.later(scores, donations)
            } catch {
                commitBarrier.forget(marker)
                if error.mayHaveCommitted { isRepeated = true }
                let mayAskAgain = isRepeated && !Task.isCancelled && .now < giveUp
                switch error.error {
                case .bug where batch.seats.count > 1:
                    // Somewhere in it is a row that the database does not take; its neighbours must not pay for it.
                    let (first, second) = batch.halves
                    return await commit(first, until: giveUp, isRepeated: isRepeated)
                        + commit(second, until: giveUp, isRepeated: isRepeated)
                case .unavailable where mayAskAgain, .overloaded where mayAskAgain:
                    // Nobody knows whether they were committed; the same rows asked again tell.
                    try? await Task.sleep(for: pause)
                    pause = min(pause * 2, .milliseconds(500))
                case .unavailable, .overloaded, .bug:
                    batch.fail(error.error)
                    return []
                }
            }
        }
    }
}

extension CommitWorker.State {
    fileprivate mutating func add(_ seat: PendingWrite) {
        queue.append(seat)
        waiting[seat.caller, default: (seat.cameAt, 0)].count += 1
    }
}
