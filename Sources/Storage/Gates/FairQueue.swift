/// The bounds of a ``FairGate``.
package struct GateBounds: Sendable {
    /// Jobs that run at the same time.
    package var runningMax: Int
    /// Running jobs of one key.
    package var runningOfKeyMax: Int
    /// Jobs that wait.
    package var waitingMax: Int
    /// Waiting jobs of one key.
    package var waitingOfKeyMax: Int

    package init(runningMax: Int, runningOfKeyMax: Int, waitingMax: Int, waitingOfKeyMax: Int) {
        (self.runningMax, self.runningOfKeyMax) = (runningMax, runningOfKeyMax)
        (self.waitingMax, self.waitingOfKeyMax) = (waitingMax, waitingOfKeyMax)
    }
}

/// Decides which job runs next; it does not wait itself. It is the state of a ``FairGate``.
///
/// Waiting keys take turns (round robin), so the number of jobs of one key does not delay the others. If the queue is
/// full, the key with the most waiting jobs loses its newest one to a key with fewer.
struct FairQueue<Key: GateKey, Waiter> {
    enum Entry {
        case runs
        case refused
        /// It waits. If the queue was full, the other waiter was evicted and is refused.
        case waits(evicted: Waiter?)
    }

    private struct Line {
        var runningCount = 0
        /// Oldest first.
        var waiters: [(number: UInt64, waiter: Waiter)] = []
        var isIdle: Bool { runningCount == 0 && waiters.isEmpty }
    }

    private let bounds: GateBounds
    /// Keys with running or waiting jobs.
    private var lines: [Key: Line] = [:]
    /// Keys with waiting jobs, in the order of their turns.
    private var turns: [Key] = []
    private(set) var runningCount = 0
    private(set) var waitingCount = 0

    init(_ bounds: GateBounds) { self.bounds = bounds }

    func counts(of key: Key) -> (running: Int, waiting: Int) {
        lines[key].map { ($0.runningCount, $0.waiters.count) } ?? (0, 0)
    }

    /// Whether a job of the key may run now. Waiting jobs have priority for a free turn, so no job that could run is
    /// waiting then.
    mutating func run(_ key: Key) -> Bool {
        guard mayRun(key) else { return false }
        lines[key, default: Line()].runningCount += 1
        runningCount += 1
        return true
    }

    /// - Parameter number: Unique for each waiter, and ascending.
    mutating func enter(_ key: Key, _ number: UInt64, _ waiter: Waiter) -> Entry {
        if run(key) { return .runs }
        let count = lines[key]?.waiters.count ?? 0
        guard key.isCrowd || count < bounds.waitingOfKeyMax else { return .refused }
        var evicted: Waiter?
        if waitingCount >= bounds.waitingMax {
            // Evict only if the losing key then still has at least as many jobs as the gaining one.
            guard let longest = longestLine, longest.count > count + 1 else { return .refused }
            evicted = removeNewest(of: longest.key)
        }
        lines[key, default: Line()].waiters.append((number, waiter))
        if count == 0 { turns.append(key) }
        waitingCount += 1
        return .waits(evicted: evicted)
    }

    /// A job of the key has ended.
    /// - Returns: The waiter that runs next.
    mutating func leave(_ key: Key) -> Waiter? {
        guard let count = lines[key]?.runningCount, count > 0 else { return nil }
        lines[key]?.runningCount -= 1
        runningCount -= 1
        forgetIfIdle(key)
        guard let index = turns.firstIndex(where: { mayRun($0) }) else { return nil }
        let next = turns.remove(at: index)
        guard let waiter = lines[next]?.waiters.removeFirst().waiter else { return nil }
        lines[next]?.runningCount += 1
        runningCount += 1
        waitingCount -= 1
        if lines[next]?.waiters.isEmpty == false { turns.append(next) }
        return waiter
    }

    /// Removes a waiter.
    /// - Returns: Nil if it does not wait any more.
    mutating func remove(_ number: UInt64, of key: Key) -> Waiter? {
        guard let index = lines[key]?.waiters.firstIndex(where: { $0.number == number }) else { return nil }
        return removeWaiter(at: index, of: key)
    }

    private func mayRun(_ key: Key) -> Bool {
        runningCount < bounds.runningMax
            && (key.isCrowd || (lines[key]?.runningCount ?? 0) < bounds.runningOfKeyMax)
    }

    /// The key with the most waiting jobs; among equals, the one with the newest job.
    private var longestLine: (key: Key, count: Int)? {
        var longest: (key: Key, count: Int, newest: UInt64)?
        for key in turns {
            guard let waiters = lines[key]?.waiters, let newest = waiters.last?.number else { continue }
            if let other = longest, (other.count, other.newest) > (waiters.count, newest) { continue }
            longest = (key, waiters.count, newest)
        }
        return longest.map { ($0.key, $0.count) }
    }

    private mutating func removeNewest(of key: Key) -> Waiter? {
        guard let count = lines[key]?.waiters.count, count > 0 else { return nil }
        return removeWaiter(at: count - 1, of: key)
    }

    private mutating func removeWaiter(at index: Int, of key: Key) -> Waiter? {
        let waiter = lines[key]?.waiters.remove(at: index).waiter
        waitingCount -= 1
        if lines[key]?.waiters.isEmpty != false { turns.removeAll { $0 == key } }
        forgetIfIdle(key)
        return waiter
    }

    private mutating func forgetIfIdle(_ key: Key) {
        if lines[key]?.isIdle == true { lines[key] = nil }
    }
}
