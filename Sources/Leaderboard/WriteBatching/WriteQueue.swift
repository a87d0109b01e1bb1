import Concurrency
import Domain
import Storage

/// What the queue needs to know of a write.
protocol QueuedWrite {
    /// Whose write it is: the queue is fair between callers.
    var caller: Caller { get }
    var arrivedAt: ContinuousClock.Instant { get }
    /// About how many bytes the write takes in memory.
    var bytesCount: Int { get }
}

/// The writes that wait for a commit. The queue decides which are admitted and which go with the next batch.
///
/// Only one commit is under way at a time, from ``nextTurn(now:)`` to the turn after. The queue is a plain state
/// machine: it never waits, and callers tell it the time.
///
/// Writes that were put off, because somebody else has locked their players, come again soon and then less and less
/// often. They get a part of each batch only, so that others are judged however many players are locked.
///
/// Adding a write and taking it into a batch cost O(1) each, amortised. A write is passed over at most once for each
/// earlier one of its caller, so ``Bounds/rowsOfCallerMax`` bounds that, and once for each turn while a write of its
/// caller is put off.
struct WriteQueue<Write: QueuedWrite> {
    struct Bounds {
        /// Writes in the queue.
        var rowsMax = Limits.pendingWritesMax
        /// Bytes of the writes in the queue.
        var bytesMax = Limits.pendingWriteBytesMax
        /// Writes of one caller in the queue.
        var rowsOfCallerMax = Limits.pendingWritesOfCallerMax
        /// Writes in a batch, those put off included.
        var batchRowsMax = Limits.batchRowsMax
        /// Writes that are put off at the same time. Those put off beyond it are given up at once.
        var deferredRowsMax = Limits.deferredWritesMax
        /// The pauses of a write that is put off again and again; the first time it goes with the next batch.
        var deferredPause = Backoff(
            first: .milliseconds(Limits.deferredMillisecondsFirst),
            longest: .milliseconds(Limits.deferredMillisecondsMax))
        /// How long a caller's oldest write may wait, and the oldest write that found no room in a batch, before more
        /// are refused.
        var waitMax = Duration.milliseconds(Limits.pendingMillisecondsMax)
        /// How long a commit may take before more are refused.
        var commitMax = Duration.milliseconds(Limits.pendingMillisecondsMax * 4)
        /// How long after its arrival a write may be put off again.
        var deferredMax = Duration.seconds(Limits.commitSecondsMax)
        /// What takes long does not wait in one transaction for something else that does, and may wait for longer.
        static var ofLongWrites: Bounds {
            var bounds = Bounds()
            bounds.batchRowsMax = 1
            bounds.rowsOfCallerMax = Limits.longWritesOfCallerMax
            bounds.waitMax = .seconds(Limits.longWritesSecondsMax)
            return bounds
        }
        /// Put-off writes in a batch.
        var batchDeferredMax: Int { max(batchRowsMax / Limits.batchDeferredDivisor, 1) }
    }

    /// What the commit worker does next.
    enum Turn {
        /// The worker commits these, at most one of each caller: first those that were put off, then the others in the
        /// order of their arrival.
        case commit([Write])
        /// The worker waits until a write is added or the queue is closed, or until that time, when a write that was
        /// put off is due.
        case wait(until: ContinuousClock.Instant?)
        /// The worker ends, because the queue is closed and every write in it has had its turn.
        case end
    }

    /// The writes of one caller in the queue.
    private struct Line {
        var count = 0
        /// When the oldest of them arrived. It is nil when a batch took the write before it and was full before it came
        /// to this one. This write then is no older than ``leftOutSince``, and the rule for that one refuses in its
        /// place.
        var oldestArrivedAt: ContinuousClock.Instant?
    }

    /// A write whose player another transaction has locked.
    private struct Deferred {
        let write: Write
        /// It goes with no batch before.
        let dueAt: ContinuousClock.Instant
        /// The pauses after the next times that it is put off.
        let backoff: Backoff
    }

    private let bounds: Bounds
    /// The older part of the queue, oldest last, so that taking the oldest moves no other.
    private var older: [Write] = []
    /// The younger part of the queue, oldest first.
    private var younger: [Write] = []
    private var lines: [Caller: Line] = [:]
    /// The bytes of both parts.
    private(set) var bytesCount = 0
    /// Writes that were put off, at most one of each caller, in the order in which they are due. A caller's later
    /// writes wait until it has none here.
    private var deferred: [Deferred] = []
    /// The pauses of the put-off writes that go with the batch under way.
    private var backoffs: [Caller: Backoff] = [:]
    /// When the oldest write arrived that found no room in the last batch.
    private var leftOutSince: ContinuousClock.Instant?
    /// When the commit that is under way began.
    private(set) var committingSince: ContinuousClock.Instant?
    private var isClosed = false

    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// Writes whose commit has not begun, without those that were put off.
    var count: Int { older.count + younger.count }

    /// Admits a write that arrives now.
    /// - Throws: `overloaded` when too many writes wait or have waited for too long, `unavailable` once the queue is
    ///   closed. The write is not in the queue then.
    mutating func add(_ write: Write) throws(StoreError) {
        if isClosed { throw .unavailable }
        let now = write.arrivedAt
        let line = lines[write.caller] ?? Line()
        guard count < bounds.rowsMax, bytesCount + write.bytesCount <= bounds.bytesMax,
            line.count < bounds.rowsOfCallerMax, !Self.hasPassed(bounds.waitMax, since: line.oldestArrivedAt, at: now),
            !Self.hasPassed(bounds.waitMax, since: leftOutSince, at: now),
            !Self.hasPassed(bounds.commitMax, since: committingSince, at: now)
        else { throw .overloaded }
        younger.append(write)
        bytesCount += write.bytesCount
        lines[write.caller, default: Line(oldestArrivedAt: now)].count += 1
    }

    /// Ends the commit that was under way, and begins the next one if there is anything to commit.
    mutating func nextTurn(now: ContinuousClock.Instant) -> Turn {
        committingSince = nil
        let batch = nextBatch(now: now)
        guard batch.isEmpty else {
            committingSince = now
            return .commit(batch)
        }
        // Writes are left only if one of their callers is put off.
        guard let next = deferred.first else { return isClosed ? .end : .wait(until: nil) }
        return .wait(until: next.dueAt)
    }

    /// Keeps writes of the last batch that were not judged, for later batches.
    /// - Parameter isStopping: Keeps none, because no write may wait any longer.
    /// - Returns: The writes that are not kept, because they have waited for too long or too many are put off.
    mutating func postpone(_ writes: [Write], now: ContinuousClock.Instant, isStopping: Bool = false) -> [Write] {
        let limit = isStopping ? now : now - bounds.deferredMax
        var givenUp: [Write] = []
        for write in writes {
            if write.arrivedAt > limit, deferred.count < bounds.deferredRowsMax {
                putOff(write, now: now)
            } else {
                givenUp.append(write)
            }
        }
        return givenUp
    }

    /// Gives up the writes that were put off. Later ones of their callers go with the next batch.
    /// - Returns: These writes.
    mutating func giveUpDeferred() -> [Write] {
        defer { deferred.removeAll() }
        return deferred.map(\.write)
    }

    /// Admits no more writes. Those in the queue are still committed.
    mutating func close() { isClosed = true }

    private mutating func putOff(_ write: Write, now: ContinuousClock.Instant) {
        var (dueAt, backoff) = (now, bounds.deferredPause)
        if let earlier = backoffs[write.caller] {
            backoff = earlier
            dueAt = now + backoff.next()
        }
        let place = deferred.lastIndex { $0.dueAt <= dueAt }.map { $0 + 1 } ?? 0
        deferred.insert(Deferred(write: write, dueAt: dueAt, backoff: backoff), at: place)
    }

    /// Takes the put-off writes that go with the next batch.
    private mutating func removeDue(now: ContinuousClock.Instant) -> [Write] {
        backoffs.removeAll(keepingCapacity: true)
        if deferred.isEmpty { return [] }
        let due = deferred.prefix { $0.dueAt <= now }.prefix(bounds.batchDeferredMax)
        for entry in due { backoffs[entry.write.caller] = entry.backoff }
        deferred.removeFirst(due.count)
        return due.map(\.write)
    }

    private mutating func nextBatch(now: ContinuousClock.Instant) -> [Write] {
        var batch = removeDue(now: now)
        batch.reserveCapacity(min(batch.count + count, bounds.batchRowsMax))
        var callers = Set(batch.map(\.caller))
        for entry in deferred { callers.insert(entry.write.caller) }
        var passedOver: [Write] = []
        while batch.count < bounds.batchRowsMax, let write = removeOldest() {
            if callers.insert(write.caller).inserted {
                leaveLine(of: write.caller)
                bytesCount -= write.bytesCount
                batch.append(write)
            } else {
                passOver(write)
                passedOver.append(write)
            }
        }
        // The loop leaves writes over only when the batch is full.
        leftOutSince = (older.last ?? younger.first)?.arrivedAt
        older += passedOver.reversed()
        return batch
    }

    private mutating func removeOldest() -> Write? {
        if older.isEmpty {
            swap(&older, &younger)
            older.reverse()
        }
        return older.popLast()
    }

    /// Takes a caller's oldest write out of the count.
    private mutating func leaveLine(of caller: Caller) {
        guard let index = lines.index(forKey: caller) else { return }
        if lines.values[index].count == 1 {
            lines.remove(at: index)
        } else {
            lines.values[index].count -= 1
            lines.values[index].oldestArrivedAt = nil
        }
    }

    /// Notes when a caller's oldest write arrived, once the writes before it have been taken.
    private mutating func passOver(_ write: Write) {
        guard let index = lines.index(forKey: write.caller), lines.values[index].oldestArrivedAt == nil else { return }
        lines.values[index].oldestArrivedAt = write.arrivedAt
    }

    private static func hasPassed(
        _ limit: Duration, since start: ContinuousClock.Instant?, at now: ContinuousClock.Instant
    ) -> Bool { start.map { now - $0 > limit } ?? false }
}
