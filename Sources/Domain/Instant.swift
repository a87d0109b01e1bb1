/// A moment on the UTC time line, with microseconds: what PostgreSQL's `timestamptz` can hold and what ranks.
package struct Instant: Sendable, Hashable, Comparable {
    /// Since 1970-01-01T00:00:00Z; negative before.
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 = microsecondsSince1970
    }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.microsecondsSince1970 < other.microsecondsSince1970
    }

    /// This moment moved by whole seconds; stops at the ends of the time line instead of overflowing.
    package func advanced(bySeconds seconds: Int64) -> Instant {
        let sum = Int128(microsecondsSince1970) + Int128(seconds) * Int128(Self.microsecondsPerSecond)
        return Instant(microsecondsSince1970: Int64(clamping: sum))
    }

    static let microsecondsPerSecond: Int64 = 1_000_000
    static let secondsPerDay: Int64 = 86_400
}
