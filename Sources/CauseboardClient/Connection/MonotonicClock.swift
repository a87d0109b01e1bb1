public import Contract
public import Foundation
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
            now: { ContinuousClock.now - origin }, sleep: { try await ContinuousClock().sleep(until: origin + $0) })
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

extension Timestamp {
    /// The instant rounded down to microseconds; 1970 for a date that is no number.
    public init(_ date: Date) {
        let given = date.timeIntervalSince1970
        // Beyond these years a date is no time of a game, and would not fit.
        let seconds = given.isNaN ? 0 : min(max(given, -62_135_596_800), 253_402_300_799)
        self.init(microsecondsSince1970: Int64((seconds * 1_000_000).rounded(.down)))
    }

    public var date: Date { Date(timeIntervalSince1970: Double(microsecondsSince1970) / 1_000_000) }

    /// An instant as the headers of HTTP have it (RFC 9110, 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    init?(httpDate text: String) {
        let words = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let number = month + 1
        self.init("\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z")
    }
}
