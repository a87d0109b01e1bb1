import Synchronization

/// Whether memory may answer instead of SQL. Readers ask this on every request, so it takes no lock; the commit barrier
/// sets it.
final class StreamFreshness: Sendable {
    private let began = ContinuousClock.now
    private let hasCaughtUp = Atomic(false)
    /// In ticks since `began`; 0 while there is no stream.
    private let until = Atomic<Int64>(0)

    /// Whether memory contains everything that was committed two seconds ago, by whichever process.
    func isFresh(at now: ContinuousClock.Instant = .now) -> Bool {
        let until = until.load(ordering: .acquiring)
        return until > 0 && ticks(now) < until
    }

    /// Whether memory is fresh and also contains every commit that this process has acknowledged.
    func isCurrent(at now: ContinuousClock.Instant = .now) -> Bool {
        hasCaughtUp.load(ordering: .acquiring) && isFresh(at: now)
    }

    /// - Parameters:
    ///   - isCurrent: Whether memory contains every commit that this process has acknowledged.
    ///   - freshUntil: Nil while no heartbeat has come back.
    func set(isCurrent: Bool, freshUntil: ContinuousClock.Instant?) {
        let ticks = freshUntil.map(ticks) ?? 0
        // Most calls change nothing, and a store would take the cache line from all who read it.
        if until.load(ordering: .relaxed) != ticks { until.store(ticks, ordering: .releasing) }
        if hasCaughtUp.load(ordering: .relaxed) != isCurrent { hasCaughtUp.store(isCurrent, ordering: .releasing) }
    }

    /// A tick is 2^30 attoseconds, a little more than a nanosecond: a shift is cheaper than a division of 128 bits.
    private func ticks(_ instant: ContinuousClock.Instant) -> Int64 {
        Int64(clamping: (instant - began).attoseconds >> 30)
    }
}
