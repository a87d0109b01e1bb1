/// An instant in UTC with microseconds, as PostgreSQL's `timestamptz` holds it.
package struct Instant: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before.
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.microsecondsSince1970 < other.microsecondsSince1970
    }

    /// This instant moved by whole seconds; it stops at the ends of the time line instead of overflowing.
    package func advanced(bySeconds seconds: Int64) -> Instant {
        let sum = Int128(microsecondsSince1970) + Int128(seconds) * Int128(Self.microsecondsPerSecond)
        return Instant(microsecondsSince1970: Int64(clamping: sum))
    }

    /// The day of the instant in UTC.
    package var dayInUTC: Day {
        let day = Self.secondsPerDay * Self.microsecondsPerSecond
        let (quotient, remainder) = microsecondsSince1970.quotientAndRemainder(dividingBy: day)
        return Day(daysSince1970: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
    }

    static let microsecondsPerSecond: Int64 = 1_000_000
    static let secondsPerDay: Int64 = 86_400
}

extension Instant {
    /// How precisely a printed instant shows the second.
    package enum Precision: Sendable { case seconds, microseconds }

    /// RFC 3339 in UTC: `2009-09-12T10:00:03Z`, or `2009-09-12T10:00:03.000250Z` with microseconds. Smaller parts are
    /// cut off, not rounded.
    package func rfc3339(_ precision: Precision) -> String { String(decoding: rfc3339Bytes(precision), as: UTF8.self) }

    /// The ASCII bytes of ``rfc3339(_:)``. An instant outside the years 0...9999 prints as the nearest instant within
    /// them; no instant of the server is that far off.
    package func rfc3339Bytes(_ precision: Precision) -> [UInt8] {
        var bytes: [UInt8] = []
        withRFC3339Bytes(precision) { bytes = Array($0) }
        return bytes
    }

    /// Calls `body` with the bytes of ``rfc3339Bytes(_:)``, which it must not keep.
    package func withRFC3339Bytes(_ precision: Precision, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let first: Int64 = -62_167_219_200_000_000  // 0000-01-01T00:00:00Z
        let last: Int64 = 253_402_300_799_999_999  // 9999-12-31T23:59:59.999999Z
        let shown = min(max(microsecondsSince1970, first), last)
        let (quotient, remainder) = shown.quotientAndRemainder(dividingBy: Self.microsecondsPerSecond)
        let second = remainder < 0 ? quotient - 1 : quotient
        let micros = remainder < 0 ? remainder + Self.microsecondsPerSecond : remainder
        let days = second >= 0 ? second / Self.secondsPerDay : (second - Self.secondsPerDay + 1) / Self.secondsPerDay
        let inDay = Int(second - days * Self.secondsPerDay)
        let date = Day(daysSince1970: Int32(days)).civil
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { out in
            var end = 0
            func append(_ byte: UInt8) {
                out[end] = byte
                end += 1
            }
            func append(twoDigits value: Int) {
                append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
                append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
            }
            append(twoDigits: date.year / 100)
            append(twoDigits: date.year % 100)
            append(UInt8(ascii: "-"))
            append(twoDigits: date.month)
            append(UInt8(ascii: "-"))
            append(twoDigits: date.day)
            append(UInt8(ascii: "T"))
            append(twoDigits: inDay / 3600)
            append(UInt8(ascii: ":"))
            append(twoDigits: inDay / 60 % 60)
            append(UInt8(ascii: ":"))
            append(twoDigits: inDay % 60)
            if precision == .microseconds {
                append(UInt8(ascii: "."))
                append(twoDigits: Int(micros) / 10_000)
                append(twoDigits: Int(micros) / 100 % 100)
                append(twoDigits: Int(micros) % 100)
            }
            append(UInt8(ascii: "Z"))
            body(UnsafeBufferPointer(rebasing: out[..<end]))
        }
    }

    /// Parses an RFC 3339 date-time: `2026-11-21T10:00:00Z`, or with a fraction and an offset such as `+01:00`; nil for
    /// anything else. A leap second, which only ends a day of UTC, counts as the second before it; digits past the
    /// microsecond are cut off.
    package init?(rfc3339 text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var value = 0
            for byte in rest.prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            return value
        }
        func skip(_ accepted: String) -> Bool {
            guard let byte = rest.first, accepted.utf8.contains(byte) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2), skip("Tt "),
            let hour = digits(2), skip(":"), let minute = digits(2), skip(":"), let second = digits(2),
            let date = Day(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var micros = 0
        if skip(".") {
            guard var scale = digits(1).map({ (value: $0, left: 5) }) else { return nil }
            while let digit = digits(1) { if scale.left > 0 { scale = (scale.value * 10 + digit, scale.left - 1) } }
            for _ in 0..<scale.left { scale.value *= 10 }
            micros = scale.value
        }
        var offsetMinutes = 0
        if !skip("Zz") {
            let east = rest.first == UInt8(ascii: "+")
            guard skip("+-"), let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60 else {
                return nil
            }
            offsetMinutes = (hours * 60 + minutes) * (east ? 1 : -1)
        }
        let minuteOfDay = hour * 60 + minute - offsetMinutes  // in UTC; it may fall on the day before or after
        guard rest.isEmpty, second < 60 || (minuteOfDay + 1) % 1_440 == 0 else { return nil }
        let seconds = Int64(date.daysSince1970) * Self.secondsPerDay + Int64(minuteOfDay * 60 + min(second, 59))
        self.init(microsecondsSince1970: seconds * Self.microsecondsPerSecond + Int64(micros))
    }
}
