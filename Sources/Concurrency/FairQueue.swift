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

/// Decides which job runs next; it does not wait itself. It is the state of a ``FairGate``, and of other queues of
/// clients.
///
/// Waiting keys take turns (round robin), so the number of jobs of one key does not delay the others. If the queue is
/// full, the key with the most waiting jobs loses its newest one to a key with fewer. No operation takes longer when
/// more keys wait.
package struct FairQueue<Key: GateKey, Waiter> {
    package enum Entry {
        case runs
        case refused
        /// It waits. If the queue was full, the other waiter was evicted and is refused.
        case waits(evicted: Waiter?)
    }

    /// What became of a waiter that was to move.
    package enum Move {
        /// It would not run sooner, or it does not wait any more.
        case stays
        /// It waits in the other line.
        case waits
        /// It runs at once.
        case runs(Waiter)
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
    /// Keys with waiting jobs that run as soon as there is room, in the order of their turns. The others with waiting
    /// jobs have as many running ones as they may have.
    private var turns = KeyRing<Key>()
    /// Keys with waiting jobs, by the number of these less one.
    private var lengths: [KeyRing<Key>] = []
    private(set) var runningCount = 0
    private(set) var waitingCount = 0

    package init(_ bounds: GateBounds) { self.bounds = bounds }

    func counts(of key: Key) -> (running: Int, waiting: Int) {
        lines[key].map { ($0.runningCount, $0.waiters.count) } ?? (0, 0)
    }

    /// Whether a job of the key may run now. Waiting jobs have priority for a free turn, so no job that could run is
    /// waiting then.
    mutating func run(_ key: Key) -> Bool {
        guard runningCount < bounds.runningMax, !isAtShare(key) else { return false }
        lines[key, default: Line()].runningCount += 1
        runningCount += 1
        return true
    }

    /// - Parameter number: Unique for each waiter, and ascending.
    package mutating func enter(_ key: Key, _ number: UInt64, _ waiter: Waiter) -> Entry {
        if run(key) { return .runs }
        let count = counts(of: key).waiting
        guard hasRoom(key) else { return .refused }
        var evicted: Waiter?
        if waitingCount >= bounds.waitingMax {
            // Evict only if the losing key then still has at least as many jobs as the gaining one.
            guard let longest = lengths.last?.last, lengths.count > count + 1 else { return .refused }
            evicted = removeWaiter(at: lengths.count - 1, of: longest)
        }
        append(number, waiter, to: key)
        return .waits(evicted: evicted)
    }

    /// A job of the key has ended.
    /// - Returns: The waiter that runs next.
    package mutating func leave(_ key: Key) -> Waiter? {
        guard let count = lines[key]?.runningCount, count > 0 else { return nil }
        lines[key]?.runningCount -= 1
        runningCount -= 1
        giveTurn(key)
        forgetIfIdle(key)
        guard runningCount < bounds.runningMax, let next = turns.first, let waiter = removeWaiter(at: 0, of: next)
        else { return nil }
        lines[next, default: Line()].runningCount += 1
        runningCount += 1
        // A key that had its turn goes to the end.
        turns.remove(next)
        giveTurn(next)
        return waiter
    }

    /// Removes a waiter.
    /// - Returns: Nil if it does not wait any more.
    mutating func remove(_ number: UInt64, of key: Key) -> Waiter? {
        guard let index = lines[key]?.waiters.firstIndex(where: { $0.number == number }) else { return nil }
        return removeWaiter(at: index, of: key)
    }

    /// Moves a waiter to the line of another key if it has its turn there sooner.
    package mutating func move(_ number: UInt64, from key: Key, to other: Key) -> Move {
        guard key != other, let index = lines[key]?.waiters.firstIndex(where: { $0.number == number }) else {
            return .stays
        }
        let isAhead = isAtShare(key) == isAtShare(other) ? counts(of: other).waiting < index : isAtShare(key)
        guard hasRoom(other), isAhead, let waiter = removeWaiter(at: index, of: key) else { return .stays }
        if run(other) { return .runs(waiter) }
        append(number, waiter, to: other)
        return .waits
    }

    /// Whether the key has as many running jobs as it may have.
    private func isAtShare(_ key: Key) -> Bool { !key.isCrowd && counts(of: key).running >= bounds.runningOfKeyMax }

    /// Whether one more job of the key may wait.
    private func hasRoom(_ key: Key) -> Bool { key.isCrowd || counts(of: key).waiting < bounds.waitingOfKeyMax }

    /// Lets a key take turns if it has waiting jobs and may run one.
    private mutating func giveTurn(_ key: Key) {
        guard counts(of: key).waiting > 0, !isAtShare(key), !turns.contains(key) else { return }
        turns.append(key)
    }

    private mutating func append(_ number: UInt64, _ waiter: Waiter, to key: Key) {
        let count = counts(of: key).waiting
        lines[key, default: Line()].waiters.append((number, waiter))
        waitingCount += 1
        sort(key, from: count, to: count + 1)
        giveTurn(key)
    }

    private mutating func removeWaiter(at index: Int, of key: Key) -> Waiter? {
        guard let count = lines[key]?.waiters.count, index < count else { return nil }
        let waiter = lines[key]?.waiters.remove(at: index).waiter
        waitingCount -= 1
        sort(key, from: count, to: count - 1)
        if count == 1 { turns.remove(key) }
        forgetIfIdle(key)
        return waiter
    }

    /// Keeps ``lengths`` as it says when a line grows or shrinks by one.
    private mutating func sort(_ key: Key, from old: Int, to new: Int) {
        if old > 0 { lengths[old - 1].remove(key) }
        if new > lengths.count { lengths.append(KeyRing()) }
        if new > 0 { lengths[new - 1].append(key) }
        if lengths.last?.isEmpty == true { lengths.removeLast() }
    }

    private mutating func forgetIfIdle(_ key: Key) { if lines[key]?.isIdle == true { lines[key] = nil } }
}

/// An ordered set of keys. Each operation takes the same time however many keys there are.
struct KeyRing<Key: Hashable> {
    private struct Link {
        var previous: Key?
        var next: Key?
    }

    private var links: [Key: Link] = [:]
    private(set) var first: Key?
    private(set) var last: Key?

    var isEmpty: Bool { links.isEmpty }

    func contains(_ key: Key) -> Bool { links[key] != nil }

    /// - Parameter key: Not in the ring yet.
    mutating func append(_ key: Key) {
        links[key] = Link(previous: last, next: nil)
        if let last { links[last]?.next = key } else { first = key }
        last = key
    }

    mutating func remove(_ key: Key) {
        guard let link = links.removeValue(forKey: key) else { return }
        if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
        if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
    }

    mutating func popFirst() -> Key? {
        guard let key = first else { return nil }
        remove(key)
        return key
    }
}
