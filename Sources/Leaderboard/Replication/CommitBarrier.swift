import Domain
import Synchronization

/// Tells when the standings have come to a commit of this process: each batch writes a token into the log, and the
/// stream brings it back.
///
/// A post waits for its echo, so that whoever posts and then reads sees the post, but not for long; from then on until
/// the stream has caught up nobody waits, and ranks come from SQL.
final class CommitBarrier: Sendable {
    /// A batch's token.
    struct Marker: Hashable, Sendable {
        let number: UInt64
        /// As it stands in the log.
        let text: String
    }

    private struct Wait {
        let until: ContinuousClock.Instant
        let perform: @Sendable () -> Void
    }

    private struct State {
        var isFollowing = false
        var next: UInt64 = 0
        /// Not come back yet.
        var open: [UInt64: Wait] = [:]
        /// Came back before the commit's answer.
        var early: Set<UInt64> = []
        /// Of those that did not come back in time.
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

    /// - Returns: Nil while no stream is followed.
    func issue() -> Marker? {
        state.withLock { state in
            guard state.isFollowing else { return nil }
            state.next += 1
            return Marker(number: state.next, text: "\(prefix)\(state.next)")
        }
    }

    /// Runs `perform` once the standings have the token's commit, or have had their time for it.
    /// - Parameters:
    ///   - token: Of a commit that was acknowledged.
    ///   - limit: How long they have.
    ///   - perform: May run at once, on any thread; it must not wait.
    func whenSeen(
        _ marker: Marker?,
        within limit: Duration = .milliseconds(Limits.commitBarrierMillisecondsMax),
        _ perform: @escaping @Sendable () -> Void
    ) {
        let isSeen = state.withLock { state in
            guard let marker, state.isFollowing, state.early.remove(marker.number) == nil else { return true }
            guard state.overdue.isEmpty else {
                // The stream is behind: nobody waits for it, but it has not caught up before it has this one too.
                state.overdue.insert(marker.number)
                return true
            }
            state.open[marker.number] = Wait(until: .now + limit, perform: perform)
            return false
        }
        if isSeen { perform() } else { wakeup.signal() }
    }

    /// The follower has applied the commit of a token, of any process.
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

    /// Lets those go on who have waited long enough, until it is cancelled.
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

    /// The commit of a token failed, or nobody knows.
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

    /// A stream is followed.
    /// - Returns: A token to be written into the log: with it the standings have caught up.
    func begin() -> Marker {
        state.withLock { state in
            state.isFollowing = true
            state.next += 1
            state.early = []
            state.overdue = [state.next]
            return Marker(number: state.next, text: "\(prefix)\(state.next)")
        }
    }

    /// The stream is lost: nobody waits any more.
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
