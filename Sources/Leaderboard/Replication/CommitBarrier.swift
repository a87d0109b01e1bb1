import Concurrency
import Domain
import Synchronization

/// Makes a post wait until the standings contain its commit (read-your-writes), and knows how recent the standings are.
/// Each batch writes a commit marker into the WAL, and a heartbeat writes one twice a second; the stream brings them
/// back.
///
/// A post waits for its marker for a bounded time only. After a marker that is overdue nobody waits, and ranks come
/// from SQL, until the stream has caught up: see ``StreamProgress``. They also come from SQL while no heartbeat has
/// come back that was made within the last two seconds, so that a process whose stream is starved never takes old ranks
/// for current ones, whether anybody posts to it or not. Who cannot write heartbeats, such as a process on a standby
/// that only reads, has no such progress and ranks by SQL, as recently as that database is.
final class CommitBarrier: Sendable {
    /// A commit marker of this process.
    struct Marker: Hashable, Sendable {
        let number: UInt64
        /// The marker's text in the WAL.
        let text: String
    }

    private struct Wait {
        let until: ContinuousClock.Instant
        let perform: @Sendable () -> Void
    }

    private struct State {
        var progress = StreamProgress()
        /// The calls that wait for a marker.
        var waits: [UInt64: Wait] = [:]
    }

    private let prefix: String
    private let state = Mutex(State())
    private let standings: InMemoryStandings
    private let wakeup = AsyncSignal()
    private let heartbeatWanted = AsyncSignal()

    init(standings: InMemoryStandings) {
        self.standings = standings
        prefix = "\(String(UInt64.random(in: .min ... .max), radix: 36)):"
    }

    /// Makes the marker of a new batch. ``whenSeen(_:at:within:_:)`` or ``forget(_:)`` must be called with it.
    /// - Returns: Nil while no stream is followed.
    func issue() -> Marker? { state.withLock { $0.progress.issue() }.map(marker) }

    /// Runs `perform` once the standings contain a commit that has been answered, or once the time limit has passed.
    /// - Parameters:
    ///   - marker: The commit's marker; nil when it was made while no stream was followed.
    ///   - limit: How long `perform` waits at most, to about 10 ms.
    ///   - perform: May run before this returns, and on any thread; it must not wait.
    func whenSeen(
        _ marker: Marker?, at now: ContinuousClock.Instant = .now,
        within limit: Duration = .milliseconds(Limits.commitBarrierMillisecondsMax),
        _ perform: @escaping @Sendable () -> Void
    ) {
        let waits = update { state in
            guard state.progress.answered(marker?.number) == .waits, let marker else { return false }
            state.waits[marker.number] = Wait(until: now + limit, perform: perform)
            return true
        }
        if waits { wakeup.signal() } else { perform() }
    }

    /// Returns once the standings contain a commit that has been answered, or once the time limit has passed.
    func seen(_ marker: Marker?) async {
        await withCheckedContinuation { waiter in whenSeen(marker) { waiter.resume() } }
    }

    /// The follower has applied a commit with a marker, which may be another process's.
    func saw(_ text: String, at now: ContinuousClock.Instant = .now) {
        guard text.hasPrefix(prefix), let number = UInt64(text.dropFirst(prefix.count)) else { return }
        let wait = update { state in
            state.progress.saw(number, at: now)
            return state.waits.removeValue(forKey: number)
        }
        wait?.perform()
    }

    /// Drops the marker of a commit that failed, or may have failed.
    func forget(_ marker: Marker?) { if let marker { state.withLock { $0.progress.forget(marker.number) } } }

    /// Runs the calls that have waited long enough, every 10 ms while there are any. Runs until it is cancelled.
    func watch() async {
        while !Task.isCancelled {
            if state.withLock({ $0.waits.isEmpty }) {
                await wakeup.wait()
            } else {
                try? await Task.sleep(for: .milliseconds(10))
            }
            expire(at: .now)
        }
    }

    func expire(at now: ContinuousClock.Instant) {
        let late = state.withLock { $0.waits.contains { $0.value.until < now } }
        guard late else { return }
        let performs = update { state -> [@Sendable () -> Void] in
            let late = state.waits.filter { $0.value.until < now }
            guard !late.isEmpty else { return [] }
            state.progress.overdue()
            for number in late.keys { state.waits[number] = nil }
            return late.values.map(\.perform)
        }
        for perform in performs { perform() }
    }

    // MARK: - The follower

    /// Begins to issue markers, because a stream is followed whose snapshot is loaded.
    /// - Returns: A marker to write into the WAL. When the stream brings it back, the standings have caught up.
    func begin(at now: ContinuousClock.Instant = .now) -> Marker { marker(update { $0.progress.begin(at: now) }) }

    /// Runs all waiting calls and issues no more markers, because the stream is lost.
    func end() {
        let waits = update { state in
            defer { state.waits = [:] }
            state.progress.end()
            return state.waits.values.map(\.perform)
        }
        for perform in waits { perform() }
    }

    /// Makes the marker of a heartbeat, which is written in a commit of its own.
    /// - Returns: Nil while no stream is followed.
    func heartbeat(at now: ContinuousClock.Instant = .now) -> Marker? {
        state.withLock { $0.progress.heartbeat(at: now) }.map(marker)
    }

    /// The database has confirmed the commit of a heartbeat.
    func committed(_ heartbeat: Marker) { state.withLock { $0.progress.committed(heartbeat.number) } }

    /// Asks for a heartbeat now.
    func wantHeartbeat() { heartbeatWanted.signal() }

    /// Waits until a heartbeat is due, or until the task is cancelled. Only one task may wait.
    func heartbeatDue() async { await heartbeatWanted.wait() }

    /// Whether the stream brings back nothing of what this process has committed.
    func isSilent(at now: ContinuousClock.Instant = .now) -> Bool { state.withLock { $0.progress.isSilent(at: now) } }

    /// The age of the latest heartbeat that came back, counted from when it was made; nil while there is none.
    func timeSinceHeartbeat(at now: ContinuousClock.Instant = .now) -> Duration? {
        state.withLock { $0.progress.confirmedAt }.map { now - $0 }
    }

    /// The number of markers that are remembered.
    var rememberedCount: Int { state.withLock { $0.progress.rememberedCount + $0.waits.count } }

    private func marker(_ number: UInt64) -> Marker { Marker(number: number, text: "\(prefix)\(number)") }

    /// Changes the state and publishes in the same step what it means for readers.
    private func update<T>(_ change: (inout State) -> T) -> T {
        let (value, wantsHeartbeat) = state.withLock { state in
            let value = change(&state)
            let freshUntil = state.progress.confirmedAt.map { $0 + .milliseconds(Limits.stalenessMillisecondsMax) }
            standings.freshness.set(isCurrent: state.progress.isCurrent, freshUntil: freshUntil)
            return (value, state.progress.wantsHeartbeat)
        }
        if wantsHeartbeat { heartbeatWanted.signal() }
        return value
    }
}
