import Domain
import Synchronization

/// Makes a post wait until the standings contain its commit (read-your-writes). Each batch writes a commit marker into
/// the WAL, and the stream brings it back.
///
/// A post waits for its marker for a bounded time only. After a marker that is overdue nobody waits, and ranks come
/// from SQL, until the stream has caught up.
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
        var isFollowing = false
        var next: UInt64 = 0
        /// Markers of acknowledged commits that the stream has not brought back, with the calls that wait for them.
        var open: [UInt64: Wait] = [:]
        /// Markers that the stream brought back before the commit's answer arrived.
        var early: Set<UInt64> = []
        /// Markers that did not come back in time. The standings are current again once it is empty.
        var overdue: Set<UInt64> = []
    }

    private let prefix: String
    private let state = Mutex(State())
    private let standings: InMemoryStandings
    private let wakeup = AsyncSignal()

    init(standings: InMemoryStandings) {
        self.standings = standings
        prefix = "\(String(UInt64.random(in: .min ... .max), radix: 36)):"
    }

    /// Makes the marker of a new batch.
    /// - Returns: Nil while no stream is followed.
    func issue() -> Marker? {
        state.withLock { state in
            guard state.isFollowing else { return nil }
            state.next += 1
            return Marker(number: state.next, text: "\(prefix)\(state.next)")
        }
    }

    /// Runs `perform` once the standings contain the marker's commit, or once the time limit has passed.
    /// - Parameters:
    ///   - marker: The marker of an acknowledged commit; nil runs `perform` at once.
    ///   - limit: How long `perform` waits at most, to about 10 ms.
    ///   - perform: May run before this returns, and on any thread; it must not wait.
    func whenSeen(
        _ marker: Marker?,
        within limit: Duration = .milliseconds(Limits.commitBarrierMillisecondsMax),
        _ perform: @escaping @Sendable () -> Void
    ) {
        let isSeen = state.withLock { state in
            guard let marker, state.isFollowing, state.early.remove(marker.number) == nil else { return true }
            guard state.overdue.isEmpty else {
                // The stream is behind, so nobody waits for it. It has not caught up before it has brought this marker
                // too.
                state.overdue.insert(marker.number)
                return true
            }
            state.open[marker.number] = Wait(until: .now + limit, perform: perform)
            return false
        }
        if isSeen { perform() } else { wakeup.signal() }
    }

    /// The follower has applied a commit with a marker, which may be another process's.
    func saw(_ text: String) {
        guard text.hasPrefix(prefix), let number = UInt64(text.dropFirst(prefix.count)) else { return }
        let perform = state.withLock { state -> (@Sendable () -> Void)? in
            if state.overdue.remove(number) != nil {
                if state.overdue.isEmpty { standings.setCurrent(true) }
                return nil
            }
            guard let wait = state.open.removeValue(forKey: number) else {
                state.early.insert(number)
                return nil
            }
            return wait.perform
        }
        perform?()
    }

    /// Runs the calls that have waited long enough, every 10 ms while there are any. Runs until it is cancelled.
    func watch() async {
        while !Task.isCancelled {
            if state.withLock({ $0.open.isEmpty }) {
                await wakeup.wait()
            } else {
                try? await Task.sleep(for: .milliseconds(10))
            }
            expire()
        }
    }

    /// Drops the marker of a commit that failed, or may have failed.
    func forget(_ marker: Marker?) {
        if let marker { _ = state.withLock { $0.early.remove(marker.number) } }
    }

    private func expire() {
        let now = ContinuousClock.now
        let late = state.withLock { state -> [@Sendable () -> Void] in
            let late = state.open.filter { $0.value.until < now }
            guard !late.isEmpty else { return [] }
            standings.setCurrent(false)
            for number in late.keys {
                state.open[number] = nil
                state.overdue.insert(number)
            }
            return late.values.map(\.perform)
        }
        for perform in late { perform() }
    }

    /// Begins to issue markers, because a stream is followed.
    /// - Returns: A marker to write into the WAL. When the stream brings it back, the standings have caught up.
    func begin() -> Marker {
        state.withLock { state in
            state.isFollowing = true
            state.next += 1
            state.early = []
            state.overdue = [state.next]
            return Marker(number: state.next, text: "\(prefix)\(state.next)")
        }
    }

    /// Runs all waiting calls and issues no more markers, because the stream is lost.
    func end() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            state.isFollowing = false
            state.early = []
            state.overdue = []
            return state.open.values.map(\.perform)
        }
        for perform in open { perform() }
    }
}
