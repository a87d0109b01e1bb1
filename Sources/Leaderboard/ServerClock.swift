package import Domain
import Synchronization

/// The server's clock, which decides the time of everything that is ranked.
package final class ServerClock: Sendable {
    private let read: @Sendable () -> Instant
    private let lastArrival = Mutex(Instant(microsecondsSince1970: .min))

    /// - Parameter read: The source of the time; tests bring their own.
    package init(_ read: @escaping @Sendable () -> Instant) { self.read = read }

    package var now: Instant { read() }

    /// The time of something that has just arrived. Arrivals in this process are strictly increasing, also while the
    /// system's clock goes back by up to a second, as it may when it is adjusted.
    ///
    /// A larger step back means that the clock had been wrong, and then arrivals go back with it. Otherwise all would
    /// stay in the future, each a microsecond after the one before, until the time has come again. The ledgers allow
    /// this: ids come from clients, every rule takes the arrivals in any order, and equal ones are ordered by row id.
    package func arrival() -> Instant {
        let now = read()
        return lastArrival.withLock { last in
            let isSetBack = now.microsecondsSince1970 &+ Limits.clockStepMicrosecondsMax < last.microsecondsSince1970
            last = isSetBack ? now : max(now, Instant(microsecondsSince1970: last.microsecondsSince1970 &+ 1))
            return last
        }
    }
}
