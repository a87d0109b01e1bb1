package import Domain
import Synchronization

/// The server's clock: it decides everything that ranks.
package final class ServerClock: Sendable {
    private let read: @Sendable () -> Instant
    private let lastArrival = Mutex(Instant(microsecondsSince1970: .min))

    /// - Parameter read: Where the time comes from; tests bring their own.
    package init(_ read: @escaping @Sendable () -> Instant) {
        self.read = read
    }

    package var now: Instant { read() }

    /// The time of something that has just arrived: no two are equal in this process, and they never go back, whatever
    /// the system's clock does.
    package func arrival() -> Instant {
        let now = read()
        return lastArrival.withLock { last in
            last = max(now, Instant(microsecondsSince1970: last.microsecondsSince1970 &+ 1))
            return last
        }
    }
}
