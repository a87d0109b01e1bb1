import Contract
import Foundation
import Synchronization

/// The time that passes, whatever somebody sets the device's clock to; it goes on while the device sleeps.
struct MonotonicClock: Sendable {
    /// The time since some moment that stays the same while the process runs.
    var now: @Sendable () -> Duration
    /// Sleeps until ``now`` has passed a moment, or until the task is cancelled.
    var sleep: @Sendable (_ until: Duration) async throws -> Void

    static let system: MonotonicClock = {
        let origin = ContinuousClock.now
        return MonotonicClock(
            now: { ContinuousClock.now - origin },
            sleep: { try await ContinuousClock().sleep(until: origin + $0) }
        )
    }()
}

/// The server's clock, as its answers tell it, carried on by the monotonic clock. Before the first answer it is the
/// device's own.
final class ServerClock: Sendable {
    private let monotonic: MonotonicClock
    /// What the server's clock showed when the monotonic clock showed zero, in microseconds since 1970.
    private let origin = Mutex<Int64?>(nil)

    init(_ monotonic: MonotonicClock) { self.monotonic = monotonic }

    var now: Timestamp {
        if let origin = origin.withLock({ $0 }) {
            return Timestamp(microsecondsSince1970: origin + monotonic.now().inMicroseconds)
        }
        return Timestamp(Date())
    }

    /// When a registration that was put off may be sent again.
    /// - Parameter wait: What the server asked for.
    func time(after wait: Duration?) -> Timestamp {
        let pause = max(wait ?? .zero, Limits.registrationPause)
        return Timestamp(microsecondsSince1970: now.microsecondsSince1970 + pause.inMicroseconds)
    }

    /// - Parameter date: What an answer's `Date` says; it shows whole seconds, so half a second is added.
    func adjust(to date: Timestamp) {
        let shown = date.microsecondsSince1970 + 500_000
        origin.withLock { $0 = shown - monotonic.now().inMicroseconds }
    }
}

extension Duration {
    var inMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    var inSeconds: Double { Double(inMicroseconds) / 1_000_000 }
}
