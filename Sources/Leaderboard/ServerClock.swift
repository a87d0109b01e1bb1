package import Domain
import Synchronization

/// The server's clock, which decides the time of everything that is ranked.
package final class ServerClock: Sendable {
    private let read: @Sendable () -> Instant
    private let lastArrival = Mutex(Instant(microsecondsSince1970: .min))

    /// - Parameter read: The source of the time; tests bring their own.
    package init(_ read: @escaping @Sendable () -> Instant) {
        self.read = read
    }

    package var now: Instant { read() }

    /// The time of something that has just arrived. Arrivals in this process are strictly increasing, even when the
    /// system's clock goes back.
    package func arrival() -> Instant {
        let now = read()
        return lastArrival.withLock { last in
            last = max(now, Instant(microsecondsSince1970: last.microsecondsSince1970 &+ 1))
            return last
        }
    }
}
