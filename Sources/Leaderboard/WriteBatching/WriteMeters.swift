package import CoreMetrics
import Domain
import Storage

/// What is measured of writes: how long they wait, how many are committed together and how long that takes.
package struct WriteMeters: Sendable {
    private let rows: Recorder
    private let wait: Timer
    private let committed: Timer
    private let failed: Timer
    private let overloaded: Counter
    private let unavailable: Counter
    private let bug: Counter
    private let deferred: Counter
    private let oneTrip: Counter
    private let broken: Counter
    private let twoTrips: Counter

    package init(_ factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        rows = Recorder(label: "batch_rows", dimensions: [], aggregate: true, factory: factory)
        wait = Timer(label: "write_wait_seconds", dimensions: [], factory: factory)
        func commits(_ outcome: String) -> Timer {
            Timer(label: "commit_seconds", dimensions: [("outcome", outcome)], factory: factory)
        }
        (committed, failed) = (commits("committed"), commits("failed"))
        func refused(_ reason: String) -> Counter {
            Counter(label: "writes_refused_total", dimensions: [("reason", reason)], factory: factory)
        }
        (overloaded, unavailable, bug) = (refused("overloaded"), refused("unavailable"), refused("bug"))
        deferred = Counter(label: "writes_deferred_total", dimensions: [], factory: factory)
        func judged(_ way: String) -> Counter {
            Counter(label: "batches_total", dimensions: [("way", way)], factory: factory)
        }
        (oneTrip, broken, twoTrips) = (judged("one_trip"), judged("broken"), judged("two_trips"))
    }

    /// Writes were committed together.
    /// - Parameters:
    ///   - arrivals: When they arrived; nothing of those that were put off.
    ///   - start: When their commit began, and their wait was over.
    func committed(_ arrivals: [ContinuousClock.Instant], since start: ContinuousClock.Instant) {
        if arrivals.isEmpty { return }
        rows.record(arrivals.count)
        for arrivedAt in arrivals { wait.recordNanoseconds((start - arrivedAt).nanoseconds) }
    }

    /// A commit was tried.
    func tried(since start: ContinuousClock.Instant, isCommitted: Bool) {
        (isCommitted ? committed : failed).recordNanoseconds((.now - start).nanoseconds)
    }

    func refused(_ count: Int, _ error: StoreError) {
        switch error {
        case .overloaded, .crowded: overloaded.increment(by: count)
        case .unavailable, .formerPrimary: unavailable.increment(by: count)
        case .bug: bug.increment(by: count)
        }
    }

    /// A batch was judged: from memory, under locks after memory was wrong, or under locks at once when `way` is nil.
    func judged(_ way: LedgerAnswer.OneTrip?) {
        switch way {
        case .written: oneTrip.increment()
        case .broken: broken.increment()
        case nil: twoTrips.increment()
        }
    }

    func deferred(_ count: Int) { if count > 0 { deferred.increment(by: count) } }
}

extension Duration {
    /// At most about 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
