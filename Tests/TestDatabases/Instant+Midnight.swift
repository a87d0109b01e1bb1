package import Domain
package import Foundation

extension Instant {
    /// When the day of this instant began in a time zone, as Foundation knows it. Of two midnights it is the later one;
    /// a day without a midnight begins where clocks would show it had they not been changed.
    package func midnight(in zone: TimeZone) -> Instant {
        func offset(_ seconds: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) }
        let seconds = Int((Double(microsecondsSince1970) / 1e6).rounded(.down))
        let local = seconds + offset(seconds)
        let midnight = local - ((local % 86_400) + 86_400) % 86_400
        let offsets = [offset(midnight - 86_400), offset(midnight + 86_400)]
        let candidates = offsets.map { midnight - $0 }.filter { $0 + offset($0) == midnight }
        return Instant(microsecondsSince1970: Int64(candidates.max() ?? midnight - offsets[0]) * 1_000_000)
    }
}
