import Contract
import Foundation

/// The queue of posts and donations. What it took is on disk, and stays there until the server has answered it: through
/// crashes, restarts and lost answers. It sends one at a time in the order in which they were queued.
actor Outbox {
    private let session: Session
    private let clock: MonotonicClock
    private let journal: Journal
    private let settled: @Sendable (PendingWrite, Settlement) async -> Bool

    private var pending: [PendingWrite]
    private var refused: [RefusedWrite]
    /// Donations that wait, with when they may be sent by the monotonic clock.
    private var holds: [UUID: Duration] = [:]
    /// Times in a row that an item was answered with a fault.
    private var faults: [UUID: Int] = [:]
    private var setAside: Set<UUID> = []
    /// What became of the latest items, for who asks late.
    private var recent = RecentSettlements(countMax: Limits.settlementsMax)
    private var stopped: CauseboardError?
    private var storageError: CauseboardError?
    private var nameRefusal: String?
    private let damagedLines: Int
    private var forgottenRefusals = 0
    /// Before this moment of the monotonic clock nothing is sent.
    private var notBefore: Duration?
    private var backoff: Backoff
    private var isSending = false
    private var isClosed = false

    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private var timer: Task<Void, Never>?
    private var sender: Task<Void, Never>?
    private var watchers = Watchers()
    /// Who waits for what becomes of an item.
    private var waiters: [UUID: (write: UUID, resume: CheckedContinuation<Settlement?, Never>)] = [:]

    /// - Parameter settled: It hears what became of each item before that is in the journal, and says whether it has
    ///   noted it. What was sent and could not be noted is sent once more after the next start.
    init(
        _ session: Session, _ journal: Journal, _ contents: Journal.Contents, clock: MonotonicClock,
        backoff: Backoff = Backoff(), settled: @escaping @Sendable (PendingWrite, Settlement) async -> Bool
    ) {
        (self.session, self.journal, self.clock) = (session, journal, clock)
        (self.backoff, self.settled) = (backoff, settled)
        (pending, refused, damagedLines) = (contents.pending, contents.refused, contents.damagedLines)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        signal.finish()
        timer?.cancel()
        sender?.cancel()
        watchers.end()
    }

    /// Sends from now on, for as long as this object lives.
    func start() {
        guard sender == nil else { return }
        sender = Task { [signals, weak self] in for await _ in signals { await self?.drain() } }
        signal.yield()
    }

    /// Stops for good; what is under way is cancelled, and sent again when the game starts the next time.
    func close() async {
        isClosed = true
        signal.finish()
        timer?.cancel()
        sender?.cancel()
        await sender?.value
        journal.close()
        watchers.end()
        for waiter in waiters.values { waiter.resume.resume(returning: nil) }
        waiters = [:]
    }
}

// MARK: - What the game asks

extension Outbox {
    /// Takes an item. When this returns it is on disk.
    func add(_ write: PendingWrite) throws(CauseboardError) {
        guard pending.count < Limits.pendingWritesMax else { throw .queueFull(pendingMax: Limits.pendingWritesMax) }
        try journal.append(.queued(write), isDurable: true)
        pending.append(write)
        watchers.tell(.queued(write))
        signal.yield()
    }

    /// Tries everything again now, also what was set aside or stopped.
    func resume() {
        (stopped, notBefore, nameRefusal) = (nil, nil, nil)
        (holds, faults, setAside) = ([:], [:], [])
        backoff.reset()
        signal.yield()
    }

    /// Forgets items that the server refused and the game has shown.
    func dismiss(_ id: UUID) throws(CauseboardError) {
        guard refused.contains(where: { $0.id == id }) else { return }
        try journal.append(.dismissed(id), isDurable: false)
        refused.removeAll { $0.id == id }
    }

    /// Forgets all that waits or was refused, as of a player who was erased.
    func discardAll() throws(CauseboardError) {
        try journal.clear()
        (pending, refused) = ([], [])
        (holds, faults, setAside) = ([:], [:], [])
        for waiter in waiters.values { waiter.resume.resume(returning: nil) }
        waiters = [:]
    }

    /// What is known of a post: what neither waits nor was refused has been sent.
    func state(of id: UUID) -> LocalEntry.State {
        if pending.contains(where: { $0.id == id }) { return .pending }
        return refused.contains { $0.id == id } ? .refused : .sent
    }

    /// Waits until an item is answered.
    /// - Returns: Nil for one that was answered too long ago, and when the task is cancelled or the queue is closed.
    func settlement(of id: UUID) async -> Settlement? {
        if let known = recent[id] { return known }
        if let known = refused.first(where: { $0.id == id }) { return .refused(known.refusal) }
        guard !isClosed, pending.contains(where: { $0.id == id }) else { return nil }
        let waiter = UUID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { resume in
                if Task.isCancelled { resume.resume(returning: nil) } else { waiters[waiter] = (id, resume) }
            }
        } onCancel: {
            Task { await self.dismissWaiter(waiter) }
        }
    }

    private func dismissWaiter(_ waiter: UUID) { waiters.removeValue(forKey: waiter)?.resume.resume(returning: nil) }

    var status: OutboxStatus {
        OutboxStatus(
            pending: pending, refused: refused, setAside: setAside, stoppedBy: stopped, storageError: storageError,
            damagedLines: damagedLines, forgottenRefusals: forgottenRefusals, nameRefusal: nameRefusal)
    }

    func watch() -> AsyncStream<OutboxEvent> {
        let stream = watchers.add { [weak self] id in Task { await self?.forget(id) } }
        watchers.tell(.status(status), only: stream.id)
        if isClosed { watchers.end() }
        return stream.events
    }

    private func forget(_ watcher: UUID) { watchers.remove(watcher) }
}

// MARK: - Sending

extension Outbox {
    /// Sends until nothing is left that may be sent now.
    private func drain() async {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while !Task.isCancelled, stopped == nil, !pending.isEmpty {
            let now = clock.now()
            if let notBefore, now < notBefore { return wake(at: notBefore) }
            switch SendingOrder(pending, setAside: setAside, holds: holds).next(at: now) {
            case .nothing: return
            case .wait(let until): return wake(at: until)
            case .send(let write): await send(write)
            }
        }
    }

    private func send(_ write: PendingWrite) async {
        let verdict = await Delivery(session: session).verdict(on: write)
        if let refusal = await session.takeNameRefusal() {
            nameRefusal = refusal
            watchers.tell(.nameRefused(refusal))
        }
        // A crash or an error of the disk from here on means that the same is sent once more, which is harmless.
        await follow(verdict, of: write)
    }

    private func follow(_ verdict: Verdict, of write: PendingWrite) async {
        // It may have been discarded meanwhile.
        if Task.isCancelled || !pending.contains(where: { $0.id == write.id }) { return }
        switch verdict {
        case .settled(let settlement): await settle(write, settlement)
        case .again(let after): pause(after)
        case .lookUp, .signAnew: pause(nil)
        case .fault(let after):
            faults[write.id, default: 0] += 1
            guard faults[write.id, default: 0] >= Limits.faultsMax else { return pause(after) }
            setAside.insert(write.id)
            backoff.reset()
            watchers.tell(.setAside(write))
        case .hold(let duration): holds[write.id] = clock.now() + backoff.next(asked: duration)
        case .stop(.storage(let text)):
            // Nobody has to deal with a disk that is full for a moment.
            storageError = .storage(text)
            pause(nil)
        case .stop(let error): stop(error)
        }
    }

    private func settle(_ write: PendingWrite, _ settlement: Settlement) async {
        let isNoted = await settled(write, settlement)
        storageError = nil
        if case .refused(let refusal) = settlement {
            let entry = RefusedWrite(write: write, refusal: refusal)
            note(.refused(entry), isDurable: true)
            refused.append(entry)
            if refused.count > Limits.refusedWritesMax {
                let oldest = refused.removeFirst()
                forgottenRefusals += 1
                note(.dismissed(oldest.id), isDurable: false)
            }
        } else if isNoted {
            note(.sent(write.id), isDurable: false)
        }
        pending.removeAll { $0.id == write.id }
        (holds[write.id], faults[write.id]) = (nil, nil)
        backoff.reset()
        recent.add(settlement, of: write.id)
        for (waiter, waits) in waiters where waits.write == write.id {
            waiters[waiter] = nil
            waits.resume.resume(returning: settlement)
        }
        watchers.tell(.settled(write, settlement))
        // Everybody knows by now. Without the room for another file the journal goes on with the one that it has.
        do { try journal.compact(pending: pending, refused: refused) } catch { storageError = error }
    }

    /// Writes down what became of an item. What cannot be written is answered once more after the next start.
    private func note(_ entry: Journal.Entry, isDurable: Bool) {
        do { try journal.append(entry, isDurable: isDurable) } catch { storageError = error }
    }

    private func stop(_ error: CauseboardError) {
        stopped = error
        watchers.tell(.stopped(error))
    }

    private func pause(_ duration: Duration?) {
        let pause = backoff.next(asked: duration)
        notBefore = clock.now() + pause
        watchers.tell(.waiting(pause))
    }

    private func wake(at moment: Duration) {
        timer?.cancel()
        timer = Task { [clock, signal] in
            guard (try? await clock.sleep(moment)) != nil else { return }
            signal.yield()
        }
    }
}

/// What became of the latest items; the oldest go first.
struct RecentSettlements {
    private let countMax: Int
    private var known: [UUID: Settlement] = [:]
    private var order: [UUID] = []

    /// - Parameter countMax: At least 1.
    init(countMax: Int) { self.countMax = countMax }

    subscript(_ id: UUID) -> Settlement? { known[id] }

    mutating func add(_ settlement: Settlement, of id: UUID) {
        known[id] = settlement
        order.append(id)
        if order.count > countMax { known[order.removeFirst()] = nil }
    }
}
