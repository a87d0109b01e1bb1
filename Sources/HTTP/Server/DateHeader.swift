import Glibc
import Synchronization

/// The value of the `Date` header (IMF-fixdate of RFC 9110, section 5.6.7), formatted at most once a second.
final class DateHeader: Sendable {
    private let cached = Mutex((second: time_t.min, text: ""))

    var text: String {
        let now = time(nil)
        return cached.withLock { cached in
            if cached.second != now { cached = (now, Self.text(of: now)) }
            return cached.text
        }
    }

    static func text(of second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday)]), "
            + "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
